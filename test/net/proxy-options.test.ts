/** How proxies are chosen, shown and hidden, by the built program. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ftpull, startFtpull } from "../conformance/support/client.ts";
import { startServer } from "../support/start-server.ts";
import { ScriptedProxy } from "./support/scripted-proxy.ts";

const files = { x: "text" };

describe("the environment", () => {
  it("names a proxy", async () => {
    const server = await startServer({ files });
    const proxy = await ScriptedProxy.start();
    const env = { all_proxy: proxy.url() };
    const result = await ftpull(["-O", "-", server.url("/x")], { env });
    expect(result).toMatchObject({ status: 0, stdout: "text" });
    expect(proxy.connections).toBe(2);
  });

  it("has no proxy for what no_proxy excepts", async () => {
    const server = await startServer({ files });
    const proxy = await ScriptedProxy.start();
    const env = { ftp_proxy: proxy.url(), no_proxy: "localhost,127.0.0.0/8" };
    const result = await ftpull(["-O", "-", server.url("/x")], { env });
    expect(result).toMatchObject({ status: 0, stdout: "text" });
    expect(proxy.connections).toBe(0);
  });
});

describe("a proxy that can't be used", () => {
  it.each<[words: string[], env: Record<string, string>, message: RegExp]>([
    [["--proxy", "http://u:geheim"], {}, /^--proxy: the port is not a number/m],
    [[], { all_proxy: "https://u:geheim@p" }, /^all_proxy: the scheme "https:" is not/m],
  ])("is a usage error: %j %j", async (words, env, message) => {
    const run = await ftpull([...words, "ftp://127.0.0.1:2/x"], { env });
    expect(run.stderr.replace(/^ftpull: /, "")).toMatch(message);
    expect(run.output).not.toContain("geheim");
    expect(run.status).toBe(2);
  });
});

it("the process list shows URLs without secrets, and no options (X2)", async () => {
  const proxy = await ScriptedProxy.start({ on: { 1: { reply: "", next: "silence" } } });
  const program = await startFtpull([
    "-v",
    "--site",
    "geheim",
    "--proxy",
    proxy.url("geheim"), // a token
    "ftp://u:auch@h/x",
  ]);
  await expect.poll(() => proxy.targets).toEqual(["h:21"]);
  const shown = readFileSync(`/proc/${program.child.pid}/cmdline`, "latin1");
  program.child.kill("SIGTERM");
  expect(shown.replace(/\0+$/, "")).toBe("ftpull ftp://u@h/x");
  const { stdout, stderr, signal } = await program.finished;
  expect(stdout + stderr).not.toMatch(/geheim|auch/);
  expect(signal).toBe("SIGTERM");
});

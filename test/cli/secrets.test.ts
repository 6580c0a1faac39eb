/** What a peer repeats of the run's secrets is shown nowhere; names stay what they are (X2). */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ScriptedProxy } from "../net/support/scripted-proxy.ts";
import { ftpull } from "../conformance/support/client.ts";
import { transfer } from "../support/actions.ts";
import type { Action } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";

const secret = "ge heim%é";
const octets = Buffer.from(secret).toString("latin1");
const forms = [octets, Buffer.from(`u:${secret}`).toString("base64")];
const echo = forms.join(" | ");

const login = { user: "u", password: secret };

const users = { u: { password: secret } };

const concealed = "*** | ***";

it.each<[where: string, on: Record<string, Action>]>([
  ["the reply to a command", { RETR: `551 ${echo}`, CWD: "550 no" }],
  ["a line that is no reply", { SIZE: `${echo}` }],
  ["a reply that is cut", { RETR: `551 ${"x".repeat(290)} ${echo}`, CWD: "550 no" }],
])("%s that repeats a password doesn't show it", async (_where, on) => {
  const server = await startServer({ users, files: { x: "text" }, on });
  const { output } = await ftpull(["-v", "--json", "--no-input", server.url("/x", login)]);
  expect(output).not.toMatch(/heim|Z2Ug|dTpnZ/);
});

it("the server's words are quoted with *** for the password", async () => {
  const server = await startServer({
    users,
    files: { x: "text" },
    on: { greeting: `421 ${echo}` },
  });
  const { stderr, stdout } = await ftpull(["--json", server.url("/x", login)]);
  expect(stderr).toContain(`server replied 421 "${concealed}"`);
  expect(JSON.parse(stdout)).toMatchObject({
    error: `the server refuses service: server replied 421 "${concealed}"`,
  });
});

it("another server that knows the password doesn't get it shown either", async () => {
  const first = await startServer({ users, files: { x: "text" } });
  const second = await startServer({ on: { greeting: `554 ${echo}` } });
  const { stderr } = await ftpull([second.url("/y"), "x", "--base", first.url("/", login)]);
  expect(stderr).toContain(concealed);
  expect(stderr).not.toMatch(/heim/);
});

it("FTPULL_PASSWORD, a netrc's and an account's aren't shown in a greeting", async () => {
  const server = await startServer({ on: { greeting: "554 topsecret acc0unt" } });
  const env = { FTPULL_PASSWORD: "topsecret" };
  const words = ["--user=u", "--account=acc0unt", server.url("/x")];
  expect((await ftpull(words, { env })).stderr).toContain('554 "*** ***"');
});

it.each(["http", "socks5"] as const)("a proxy's login isn't shown: %s", async (protocol) => {
  const basic = Buffer.from("joe:geheim").toString("base64");
  const reply = `HTTP/1.1 502 Bad ${basic} geheim ${"x".repeat(180)}geheim\r\n\r\n`;
  const proxy = await ScriptedProxy.start({ protocol, on: { 1: { reply, next: "end" } } });
  const { output } = await ftpull(["-v", "--proxy", proxy.url("joe:geheim"), "ftp://h/x"]);
  expect(output).not.toMatch(/geh|am9l/);
});

describe("names that have the password in them by chance", () => {
  const files = { geheim: "text" };
  const users = { u: { password: "geheim" } };
  const chance = { user: "u", password: "geheim" };

  it.each([
    ["names", "geheim\n"],
    ["json", '"name":"geheim"'],
    ["urls", "/geheim\n"],
  ])("are data on standard output: --format %s", async (format, words) => {
    const server = await startServer({ users, files });
    const { stdout } = await ftpull(["--format", format, server.url("/", chance)]);
    expect(stdout).toContain(words);
  });

  it("are those of the files, and of --json", async () => {
    const server = await startServer({ users, files });
    const { cwd, stdout, stderr } = await ftpull(["--json", server.url("/geheim", chance)]);
    expect(readdirSync(cwd)).toEqual(["geheim"]);
    expect(JSON.parse(stdout)).toMatchObject({
      file: "geheim",
      url: expect.stringMatching(/geheim$/),
    });
    expect(stderr).not.toContain("geheim");
  });

  it("are concealed where a listing's line can't be read", async () => {
    const on = { MLSD: transfer({ content: ["geheim?\r\n"] }) };
    const server = await startServer({ users, files, on });
    const { stderr } = await ftpull(["--format=names", server.url("/", chance)]);
    expect(stderr).toContain('cannot read the line "***?"');
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { close, proceed, stall } from "../support/actions.ts";
import { run } from "../support/run-here.ts";
import { type Action, perform, type Step } from "../support/script.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";

const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
const files = Object.fromEntries(names.map((name) => [`many/${name}`, `the text of ${name}\n`]));

/** Fetches all files at once with `-j 4`, and sees that each arrived. */
async function fetchAll(server: { url(path: string): string }, ...options: string[]) {
  const urls = names.map((name) => server.url(`/many/${name}`));
  const result = await run(["-j", "4", ...options, ...urls]);
  expect(readdirSync(result.cwd).toSorted()).toEqual(names.toSorted());
  for (const name of names) {
    expect(readFileSync(join(result.cwd, name), "utf8")).toBe(files[`many/${name}`]);
  }
  return result;
}

describe("several documents at once", () => {
  test("a server that says 530 to PASS gets fewer, and nothing is lost", async () => {
    const refusal = "530 Sorry, the maximum number of clients is logged in";
    const on = { "PASS#3": refusal };
    const server = await startServer({ files, on });
    expect(await fetchAll(server, "-q")).toMatchObject({ status: 0, stderr: "" });
    expect(server.connections).toHaveLength(3);
  });

  /** Answers the beginning of a connection so while as many as `count` others stand. */
  const oneTooMany =
    (server: ScriptedServer, count: number, action: Action): Step =>
    (exchange) => {
      const standing = server.connections.filter(({ tcp }) => !tcp.destroyed);
      return perform(standing.length > count ? action : proceed, exchange);
    };

  test.each<[manner: string, action: Action]>([
    ["says 500 and waits", "500 go away"],
    ["says 421", ["421 Too many users", close]],
    ["hangs up after the greeting", [proceed, close]],
  ])("a server that takes two, and %s, gets two, and nothing is lost", async (_, action) => {
    const server = await startServer({ files });
    server.on("greeting", oneTooMany(server, 2, action));
    const { status, stderr } = await fetchAll(server, "-t", "1");
    expect(status, stderr).toBe(0);
    expect(stderr.match(/fewer connections at once/g)).toHaveLength(1);
    expect(stderr).not.toContain("trying again");
    expect(server.connections).toHaveLength(3);
  });

  test("connections that are never greeted, while others serve the rest, lose nothing", async () => {
    const server = await startServer({ files, on: { "greeting#3": stall, "greeting#4": stall } });
    const result = await fetchAll(server, "-q", "-t", "1", "-T", "5");
    expect(result).toMatchObject({ status: 0, stderr: "" });
  });

  test.each(["1", "2"])("with -j %s one session at once serves two users", async (jobs) => {
    const users = { alice: { password: "a" }, bob: { password: "b" } };
    const server = await startServer({ files: { x: "for alice", y: "for bob" }, users });
    server.on("greeting", oneTooMany(server, 1, ["421 Too many connections", close]));
    const urls = [
      server.url("/x", { user: "alice", password: "a" }),
      server.url("/y", { user: "bob", password: "b" }),
    ];
    const result = await run(["-q", "-t", "1", "-j", jobs, ...urls]);
    expect(result).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(result.cwd).toSorted()).toEqual(["x", "y"]);
  });

  test("into one file they come one after the other", async () => {
    const server = await startServer({ files });
    const urls = Object.keys(files).map((path) => server.url(`/${path}`));
    const { stdout } = await run(["-q", "-j", "4", "-O", "-", ...urls]);
    expect(stdout).toBe(Object.values(files).join(""));
    expect(server.connections).toHaveLength(1);
  });

  test("listings come whole, one after the other", async () => {
    const server = await startServer({ files });
    const result = await run(["-q", "-j", "4", ...Array(4).fill(server.url("/many/"))]);
    const listing = names.map((name) => `${name}\n`).join("");
    expect(result).toMatchObject({ status: 0, stdout: listing.repeat(4) });
  });
});

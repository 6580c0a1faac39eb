/**
 * Small files on one connection: what the next one needs travels with RETR, once the server has
 * shown that it answers what is sent during a transfer after it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { close, Gate, proceed, transfer, until } from "../support/actions.ts";
import type { ServerOptions } from "../support/options.ts";
import { run } from "../support/run-here.ts";
import type { Step } from "../support/script.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";
import { withoutTotal } from "../support/total.ts";
import { startSecured, trusting } from "../tls/support/secured.ts";

const files = { w: "w.", x: "xx.", y: "yyy.", z: "zzzz." };
const names = Object.keys(files);

/** Fetches all files over one connection, and expects them to be whole. */
async function fetchAll(
  { on = {}, files: served = files }: { on?: ServerOptions["on"]; files?: Record<string, string> },
  words: readonly string[] = [],
) {
  const server = await startServer({ files: served, on });
  const urls = names.map((name) => server.url(`/${name}`));
  const result = await run([...words, "-O", "-", "--progress", "none", ...urls]);
  const stdout = Object.values(served).join("");
  expect(result).toMatchObject({ status: 0, stdout });
  return { server, stderr: withoutTotal(result.stderr) };
}

function withRetrieval(server: ScriptedServer, name: string): string[] {
  const lines = server.transcript().split("\n");
  const from = lines.indexOf(`C> RETR ${name}`);
  const to = lines.findIndex((line, index) => index > from && line.startsWith("S> "));
  return lines.slice(from + 1, to).map((line) => line.slice("C> ".length));
}

const needs = (name: string): string[] => [`SIZE ${name}`, `MDTM ${name}`, "EPSV"];

describe("a server that answers in order", () => {
  test("is asked once, then gets what follows with RETR: two round trips a file", async () => {
    const { server, stderr } = await fetchAll({});
    expect(names.map((name) => withRetrieval(server, name))).toEqual([
      ["NOOP"],
      needs("y"),
      needs("z"),
      [],
    ]);
    expect(stderr).toBe("");
  });

  test("needn't know NOOP", async () => {
    const { server } = await fetchAll({ on: { NOOP: "502 no NOOP" } });
    expect(withRetrieval(server, "x")).toEqual(needs("y"));
  });

  test("gets the way to another directory in the same write", async () => {
    const tree = { "a/x": "x", "a/y": "y", "b/z": "z", last: "l" };
    const server = await startServer({ files: tree });
    const urls = Object.keys(tree).map((path) => server.url(`/${path}`));
    expect(await run(["-q", ...urls])).toMatchObject({ status: 0 });
    expect(withRetrieval(server, "y")).toEqual(["CWD /", "CWD b", ...needs("z")]);
  });

  test("whose transfer breaks is asked for the same file again", async () => {
    const broken = transfer({ first: 1, end: "reset", completion: "426 broken" });
    const { server, stderr } = await fetchAll({ on: { "RETR#2": broken } });
    expect(withRetrieval(server, "x")).toEqual(needs("y"));
    expect(stderr).toContain("/x: cannot retrieve");
    expect(server.connections).toHaveLength(1);
  });
});

test("another session of a server that answers in order gets nothing with its first RETR", async () => {
  const users = { a: { password: "p" }, b: { password: "p" } };
  const server = await startServer({ files, users });
  const logins = ["a", "a", "b", "b"].map((user) => ({ user, password: "p" }));
  const urls = names.map((name, index) => server.url(`/${name}`, logins[index]));
  expect(await run(["-q", ...urls])).toMatchObject({ status: 0 });
  const lines = server.transcript().split("\n");
  expect(withRetrieval(server, "w")).toEqual(["NOOP"]);
  expect(lines[lines.indexOf("C2> RETR y") + 1]).toBe("S2> 150 Opening data connection");
});

test("a server over TLS gets one document after the other", async () => {
  const server = await startSecured({}, { files });
  const urls = names.map((name) => server.url(`/${name}`, { scheme: "ftpes" }));
  expect(await run([...(await trusting()), "-q", ...urls])).toMatchObject({ status: 0 });
  expect(names.map((name) => withRetrieval(server, name))).toEqual([[], [], [], []]);
});

test("a server that answers an early QUIT, but not the transfer, is said not to confirm it", async () => {
  const server = await startServer({
    files: { x: "xx" },
    on: { RETR: transfer({ completion: [] }) },
  });
  const { status, stderr } = await run(["--progress", "none", server.url("/x")]);
  const text = "all 2 octets arrived, but the server did not confirm the end of the transfer";
  expect([status, stderr]).toEqual([0, `ftpull: ${server.url("/x")}: ${text}\n`]);
});

test("a resumed document is confirmed before anything of the next one is sent", async () => {
  const tree = { "a/v": "v", "a/w": "w", "a/x": "x".repeat(8000), "b/y": "y" };
  const cut = transfer({ first: 5000, end: "reset", completion: "426 broken" });
  const server = await startServer({ files: tree, on: { "RETR#3": cut } });
  const urls = Object.keys(tree).map((path) => server.url(`/${path}`));
  expect(await run(urls)).toMatchObject({ status: 0 });
  const { commands } = server;
  const behind = commands.slice(commands.lastIndexOf("RETR x") + 1);
  expect(behind.slice(0, 2)).toEqual(["SIZE x", "MDTM x"]);
});

describe("a server that answers during a transfer", () => {
  test.each([
    ["before its end", transfer({ completion: ["200 at once", "226 done"] })],
    ["before its beginning", transfer({ preliminary: ["200 at once", "150 here it comes"] })],
    ["that it knows no NOOP", transfer({ completion: ["500 unknown command", "226 done"] })],
  ])("%s gets one document after the other", async (_when, action) => {
    const { server, stderr } = await fetchAll({ on: { "RETR#1": action, NOOP: [] } });
    expect(names.map((name) => withRetrieval(server, name))).toEqual([["NOOP"], [], [], []]);
    expect(server.connections).toHaveLength(1);
    expect(stderr).toBe("");
  });

  test.each([
    ["213 4", "SIZE#3"],
    ["550 no y today", "SIZE#3"],
    ["229 Entering (|||1|)", "EPSV#3"],
  ])("and begins with that later, by %s, gets single commands", async (early, silent) => {
    const late = transfer({ completion: [early, "226 done"] });
    const server = await startServer({ files, on: { "RETR#2": late, [silent]: [] } });
    const { status, stderr, cwd } = await run(names.map((name) => server.url(`/${name}`)));
    expect(status, stderr).toBe(0);
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(join(cwd, name), "utf8")).toBe(text);
    expect(stderr).toContain("the server doesn't answer in order");
    expect(server.connections).toHaveLength(2);
  });
});

describe("what is sent with RETR costs the next document no try", () => {
  const once = ["-t", "1", "-T", "4"];

  test.each([
    ["is never answered", { NOOP: [] }],
    ["is answered by 421", { "NOOP#1": "421 enough" }],
    ["comes to a server that closes", { "RETR#1": transfer({ completion: ["226 done", close] }) }],
  ])("where it %s", async (_what, on) => {
    const { server, stderr } = await fetchAll({ on }, once);
    expect(server.connections).toHaveLength(2);
    expect(stderr).toBe("");
  });

  test("and is asked no more by who got no answer", async () => {
    const { server } = await fetchAll({ on: { NOOP: [] } }, once);
    expect(names.map((name) => withRetrieval(server, name))).toEqual([["NOOP"], [], [], []]);
  });
});

test("a transfer that fails by what NOOP can be answered by has failed", async () => {
  const on = { "RETR w": transfer({ completion: "500 disk error" }) };
  const server = await startServer({ files, on });
  const result = await run(["-q", "-t", "1", server.url("/w"), server.url("/x")]);
  expect(result).toMatchObject({ status: 8 });
  expect(result.stderr).toContain('cannot retrieve "w": server replied 500 "disk error"');
  expect(server.commands).toContain("RETR x");
});

test("a directory whose size the server tells is listed, though the next CWD has gone through", async () => {
  const tree = { w: "w", "a/d/inner": "i", "d/x": "x" };
  const server = await startServer({ files: tree, on: { "SIZE#2": "213 4096" } });
  const urls = ["/w", "/a/d", "/d/x"].map((path) => server.url(path));
  const result = await run(["-q", ...urls]);
  expect(withRetrieval(server, "d")).toEqual(["CWD /", "CWD d", ...needs("x")]);
  expect(result).toMatchObject({ status: 0, stdout: "inner\n" });
});

test("a directory is listed before the way to one below it is gone", async () => {
  const tree = { w: "w", "b/inner": "i", "b/c/x": "x" };
  const server = await startServer({ files: tree, on: { "SIZE#2": "213 4096" } });
  const urls = ["/w", "/b", "/b/c/x"].map((path) => server.url(path));
  const result = await run(["-q", ...urls]);
  expect(withRetrieval(server, "b")).toEqual(["PWD", "CWD b", "CWD c", ...needs("x")]);
  expect(result).toMatchObject({ status: 0, stdout: "inner\nc/\n" });
});

test("a connection that fetches another document than it was prepared for goes there first", async () => {
  const tree = { w: "w", x: "x", "b/ü": "right", "b/c/ü": "wrong", "b/c/y": "y" };
  const server = await startServer({ files: tree, on: { greeting: "421 Too many users" } });
  for (const number of [1, 2]) server.on(`greeting#${number}`, "220 ready");
  const [both, asked, refused] = [new Gate(), new Gate(), new Gate()];
  // One worker loses its connection while the other one's is prepared for "y", and gets no third one.
  server.on("RETR w", [until(both.opened), proceed]);
  server.on("RETR#1 \xc3\xbc", [() => both.open(), until(asked.opened), "421 Sorry", close]);
  const noteClose: Step = ({ session: { control } }) =>
    void control.tcp.once("close", () => refused.open());
  server.on("greeting#3", [noteClose, "421 Too many users"]);
  server.on("RETR x", async (exchange) => {
    asked.open();
    await refused.opened;
    return exchange.proceed();
  });
  const urls = ["w", "b/ü", "x", "b/c/y"].map((path) => server.url(`/${path}`));
  const { status, cwd } = await run(["-q", "-j", "2", ...urls]);
  expect(withRetrieval(server, "x")).toContain("CWD c");
  expect(readFileSync(join(cwd, "ü"), "utf8")).toBe("right");
  expect(status).toBe(0);
});

test("a file that wants an account is asked for again where it is", async () => {
  const demand: Step = (exchange) => {
    const { argument, session } = exchange;
    const isDue = argument === "x" && !session.control.commands.includes("ACCT a");
    return isDue ? session.reply("532 Account required") : exchange.proceed();
  };
  const tree = { v: "v", w: "w", "b/x": "right", "b/c/x": "wrong", "b/c/y": "y" };
  const on = { RETR: demand, EPSV: "502 no EPSV" };
  const server = await startServer({ files: tree, users: { u: {} }, on });
  const urls = ["/v", "/w", "/b/x", "/b/c/y"].map((path) => server.url(path));
  const result = await run(["--user", "u", "--account", "a", "-t", "1", "-O", "-", "-q", ...urls]);
  expect(result).toMatchObject({ status: 0, stdout: "vwrighty", stderr: "" });
});

describe("nothing travels with RETR", () => {
  test("of a file that isn't small", async () => {
    const large = Object.fromEntries(names.map((name) => [name, name.repeat(16 * 1024 + 1)]));
    const { server } = await fetchAll({ files: large });
    expect(names.map((name) => withRetrieval(server, name))).toEqual([[], [], [], []]);
  });

  test("of a file whose size nobody knows", async () => {
    const { server } = await fetchAll({ on: { SIZE: "502 no SIZE" } });
    expect(server.commands).not.toContain("NOOP");
  });

  test("with --no-pipelining", async () => {
    const { server } = await fetchAll({}, ["--no-pipelining"]);
    expect(server.commands).not.toContain("NOOP");
  });
});

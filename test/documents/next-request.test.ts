/** What the next file of a session needs goes out when the last byte of one has come, and never earlier. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { close, Gate, proceed, transfer, transferFrom, until } from "../support/actions.ts";
import type { ServerOptions } from "../support/options.ts";
import { run } from "../support/run-here.ts";
import type { Action, Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { withoutTotal } from "../support/total.ts";

const files = { w: "w.", x: "xx.", y: "yyy.", z: "zzzz." };
const names = Object.keys(files);

const needs = (name: string): string[] => [`SIZE ${name}`, `MDTM ${name}`, "EPSV"];

/** Goes on when these are the last commands that came. */
const once = (commands: readonly string[]): Step => {
  return async ({ session: { control } }) => {
    const last = () => control.commands.slice(-commands.length);
    await expect.poll(last, { timeout: 20_000 }).toEqual(commands);
  };
};

/** Answers a transfer only when such commands have come behind it. */
const confirmedAfter = (commands: readonly string[], reply: Action = "226 done"): Action =>
  transfer({ completion: [once(commands), reply] });

async function fetchAll(on: ServerOptions["on"] = {}, words: readonly string[] = []) {
  const server = await startServer({ files, on });
  const urls = names.map((name) => server.url(`/${name}`));
  const result = await run([...words, "-O", "-", "--progress", "none", ...urls]);
  expect(result).toMatchObject({ status: 0, stdout: Object.values(files).join("") });
  return { server, stderr: withoutTotal(result.stderr) };
}

describe("the next file's commands go out before the reply to a transfer", () => {
  test("of each file, over one connection", async () => {
    const { server, stderr } = await fetchAll({
      "RETR w": confirmedAfter(needs("x")),
      "RETR x": confirmedAfter(needs("y")),
      "RETR y": confirmedAfter(needs("z")),
    });
    expect([server.connections.length, stderr]).toEqual([1, ""]);
  });

  test("with the way to another directory", async () => {
    const way = ["CWD /", "CWD b", ...needs("z")];
    const server = await startServer({
      files: { "a/y": "y", "b/z": "z" },
      on: { "RETR y": confirmedAfter(way) },
    });
    const urls = ["a/y", "b/z"].map((path) => server.url(`/${path}`));
    expect(await run(["-q", ...urls])).toMatchObject({ status: 0 });
  });

  test("and a file that fails then is asked for again where it is", async () => {
    const tree = { "a/v": "v", "a/x": "xx", "b/y": "y" };
    const gone = confirmedAfter(["CWD /", "CWD b", ...needs("y")], "426 Sorry");
    const server = await startServer({ files: tree, on: { "RETR#2": gone } });
    const urls = Object.keys(tree).map((path) => server.url(`/${path}`));
    const { status, cwd, stderr } = await run(urls);
    expect(status, stderr).toBe(0);
    expect(readFileSync(join(cwd, "x"), "utf8")).toBe("xx");
  });
});

describe("a file in doubt is judged by its own facts, asked for behind what went out early", () => {
  const wayTo = (directory: string): string[] => ["CWD /", `CWD ${directory}`];
  const facts = ["SIZE x", "MDTM x"];

  test.each<[claim: string, next: string, way: string[], back: string[], name: string]>([
    ["a namesake", "v2/x", wayTo("v2"), wayTo("v1"), "x"],
    ["another name", "v2/y", wayTo("v2"), wayTo("v1"), "y"],
    ["a file beside it", "v1/y", [], [], "y"],
    ["the file itself", "v1/x", [], [], "x"],
  ])("%s comes next", async (_claim, next, way, back, name) => {
    const tree = { "v1/x": "one", "v1/y": "three", "v2/x": "two", "v2/y": "four" };
    const early = [...way, ...needs(name)];
    const on = { "RETR#1": confirmedAfter(early, "426 Sorry") };
    const server = await startServer({ files: tree, on });
    const urls = ["v1/x", next].map((path) => server.url(`/${path}`));
    const { status, stdout, stderr } = await run(["-O", "-", "--progress", "none", ...urls]);
    expect([status, stdout]).toEqual([0, `one${tree[next as keyof typeof tree]}`]);
    expect(stderr).not.toContain("beginning again");
    const { commands } = server;
    const behind = commands.slice(commands.indexOf("RETR x") + 1);
    const again = [...back, ...facts];
    expect(behind).toEqual([...early, ...again, ...early, `RETR ${name}`, "QUIT"]);
  });

  test("one that changed is fetched anew, though the namesake has its old size and time", async () => {
    const tree = { "v1/x": "old.", "v2/x": "two." };
    let isChanged = false;
    const time: Step = ({ session }) => {
      const isNew = isChanged && session.workingDirectory === "/v1";
      return session.reply(`213 2026010100000${isNew ? 1 : 0}`);
    };
    const change = (): void => void (isChanged = true);
    const completion = [once([...wayTo("v2"), ...needs("x")]), change, "451 It changed"];
    const mixed = transferFrom(Buffer.from("olew"), { completion });
    const on = { MDTM: time, "RETR#1": mixed, "RETR#2": transferFrom(Buffer.from("new.")) };
    const server = await startServer({ files: tree, on });
    const urls = ["v1/x", "v2/x"].map((path) => server.url(`/${path}`));
    const { status, stdout, stderr, cwd } = await run(urls);
    expect([status, stdout], stderr).toEqual([0, ""]);
    expect(stderr).toContain("changed on the server; beginning again");
    expect(readFileSync(join(cwd, "x"), "utf8")).toBe("new.");
    expect(readFileSync(join(cwd, "x.1"), "utf8")).toBe("two.");
  });
});

describe("nothing goes out", () => {
  /** A transfer that pauses before its last byte, and tells what has come by then. */
  const watched =
    (seen: string[]): Action =>
    async (exchange) => {
      const { control } = exchange.session;
      const note = (): void => void seen.push(control.commands.at(-1) ?? "");
      await transfer({ completion: [note, "226 done"], pause: { after: 1, until: "read" } })(
        exchange,
      );
    };

  test.each<[claim: string, on: Record<string, Action>, words: string[]]>([
    ["where the size isn't known", { SIZE: "502 no SIZE" }, []],
    ["where SIZE is larger than what comes", { "SIZE w": "213 3" }, ["-t", "1"]],
    ["with --no-pipelining", {}, ["--no-pipelining"]],
    ["with -w", {}, ["-w", "0.01"]],
  ])("%s", async (_claim, on, words) => {
    const seen: string[] = [];
    const server = await startServer({ files, on: { ...on, "RETR w": watched(seen) } });
    await run(["-q", ...words, server.url("/w"), server.url("/x")]);
    expect(seen).toEqual(["RETR w"]);
  });

  test("behind a resumed file, whose facts are asked for again first", async () => {
    const tree = { x: "x".repeat(100_000), y: "y" };
    const cut = transfer({ first: 70_000, end: "reset", completion: "426 broken" });
    const server = await startServer({ files: tree, on: { "RETR#1": cut } });
    expect(await run([server.url("/x"), server.url("/y")])).toMatchObject({ status: 0 });
    const { commands } = server;
    const behind = commands.slice(commands.lastIndexOf("RETR x") + 1);
    expect(behind.slice(0, 2)).toEqual(["SIZE x", "MDTM x"]);
  });
});

describe("a reply that comes too early costs no try, and no file is another one's", () => {
  test.each<[early: string]>([
    ["213 4"],
    ["550 no x today"],
    ["200 at once"],
    ["229 Entering (|||1|)"],
  ])(
    // prettier-ignore
    "%s",
    async (early) => {
      const server = await startServer({
        files,
        on: { "RETR w": transfer({ completion: [early, "226 done"] }), "RETR#2 w": proceed },
      });
      const { status, stderr, cwd } = await run(names.map((name) => server.url(`/${name}`)));
      expect(status, stderr).toBe(0);
      for (const [name, text] of Object.entries(files))
        expect(readFileSync(join(cwd, name), "utf8")).toBe(text);
    },
  );

  test.each<[claim: string, on: Record<string, Action>]>([
    ["a server that never answers", { "SIZE#2": [] }],
    ["a server that answers 421", { "SIZE#2": ["421 enough", close] }],
    ["a server that closes", { "RETR#1": transfer({ completion: ["226 done", close] }) }],
  ])("nor does %s", async (_claim, on) => {
    const { server } = await fetchAll(on, ["-t", "1", "-T", "3"]);
    expect(server.connections).toHaveLength(2);
  });
});

test("a connection that fetches another file than it was prepared for goes there first", async () => {
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

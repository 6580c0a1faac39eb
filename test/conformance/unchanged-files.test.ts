/**
 * A tree again, from a server whose listing has no exact times: SIZE and MDTM of the files that are
 * here are asked for in one write, and only those that have changed are fetched.
 */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { close, transfer } from "../support/actions.ts";
import type { Action } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { defaultModified } from "../support/tree.ts";
import { runWithoutWaits } from "../support/waits.ts";
import { filesIn, ftpull, isPipelining } from "./support/client.ts";
import {
  ahead,
  anonymousLogin,
  expectAfterLogin,
  order,
  type Script,
  visits,
} from "./support/dialogue.ts";

const content = { a: "1111", b: "2222", c: "3333" };

/** As LIST alone, with what it may hide, shows a tree. */
const features = ["UTF8", "SIZE", "MDTM"];

/** Fetches a tree whose files are all here as they are on the server, but for those of `here`. */
async function fetchAgain(
  on: Record<string, Action>,
  here: Record<string, string | Date> = {},
  words: readonly string[] = [],
  tries = 1,
) {
  const files = Object.fromEntries(
    Object.entries(content).map(([name, text]) => [`d/${name}`, text]),
  );
  const users = { jane: { password: "secret", account: "sales" } };
  const server = await startServer({ files, features, on, users });
  const cwd = await temporaryDirectory();
  mkdirSync(join(cwd, "d"));
  for (const [name, text] of Object.entries(content)) {
    const other = here[name];
    const path = join(cwd, "d", name);
    writeFileSync(path, typeof other === "string" ? other : text);
    const modified = other instanceof Date ? other : defaultModified;
    utimesSync(path, modified, modified);
  }
  const result = await ftpull(["-r", ...words, server.url("/d/")], { cwd, tries });
  expect(filesIn(join(cwd, "d"))).toEqual(content);
  return { server, ...result };
}

const toListing: Script = ["PWD", "CWD d", "PWD", "EPSV", "LIST", "EPSV", "LIST -a"];
const toDirectory = [...anonymousLogin, "PWD", "CWD d"];
const factsOf = (...names: string[]): string[] =>
  names.flatMap((name) => [`SIZE ${name}`, `MDTM ${name}`]);
const all = factsOf("a", "b", "c");
const fetched = (name: string): Script => ["EPSV", `RETR ${name}`];
const other = new Date("2021-01-01T00:00:00Z");

it("unchanged files are asked about together, and none is fetched", async () => {
  const { server, status, stderr } = await fetchAgain({}, {}, ["-v"]);
  expectAfterLogin(server, ...toListing, "TYPE I", ...all);
  const atOnce = ["TYPE I", ...all].map((command) => `C> ${command}\n`).join("");
  if (isPipelining) expect(server.transcript()).toContain(atOnce);
  expect(stderr.match(/is unchanged: skipped/g)).toHaveLength(3);
  expect(status).toBe(0);
});

it("a file of another time is fetched, without SIZE and MDTM again", async () => {
  const { server, status } = await fetchAgain({}, { b: other });
  expectAfterLogin(server, ...toListing, "TYPE I", ...all, ...fetched("b"));
  expect(status).toBe(0);
});

it("a file of another size is not asked about with the others", async () => {
  const { server, status } = await fetchAgain({}, { b: "2" });
  expectAfterLogin(server, ...toListing, "TYPE I", ...factsOf("a", "c", "b"), ...fetched("b"));
  expect(status).toBe(0);
});

it.each([["-f"], ["-R", "*"], ["--no-clobber"]])(
  "with %s nothing is asked at once",
  async (...words) => {
    const { server, status } = await fetchAgain({}, {}, words);
    const first = server.commands.indexOf("SIZE a");
    expect(server.commands[first + 2] ?? "").not.toBe("SIZE b");
    expect(status).toBe(0);
  },
);

it.each<[reply: string, Script]>([
  // It may tell later: the file's own job asks again.
  ["450 busy", ["SIZE b", "MDTM b", ...ahead("EPSV")]],
  ["550 no", fetched("b")],
])("SIZE and MDTM answered %s: the file isn't taken for unchanged", async (reply, further) => {
  const on = { "SIZE#1 b": reply, "MDTM#1 b": reply };
  const { server, status } = await fetchAgain(on);
  expectAfterLogin(server, ...toListing, "TYPE I", ...all, ...further);
  expect(status).toBe(0);
});

it("a file whose time the server doesn't tell is left if its size is the same, with a warning", async () => {
  const { server, status, stderr } = await fetchAgain({ MDTM: "502 no MDTM" });
  expectAfterLogin(server, ...toListing, "TYPE I", ...all);
  expect(stderr.match(/doesn't say how old its file is/g)).toHaveLength(3);
  expect(status).toBe(0);
});

it("S8 an account that is demanded in the midst is sent, and what is missing asked again", async () => {
  const { server, status } = await fetchAgain({ "SIZE#1 b": "332 account?" }, { c: other }, [
    "--account",
    "sales",
  ]);
  const lost = ahead("MDTM b", ...factsOf("c"));
  const again = [...factsOf("b", "c"), ...fetched("c")];
  const asked: Script = ["TYPE I", ...factsOf("a"), "SIZE b", ...lost];
  expectAfterLogin(server, ...toListing, ...asked, "ACCT sales", ...again);
  expect(status).toBe(0);
});

it("a connection lost in the midst is tried again, with what is missing", async () => {
  const { server, status } = await fetchAgain({ "MDTM#1 b": close }, { c: other }, [], 2);
  const [, second] = visits(server).map(({ commands }) => commands);
  const missing = factsOf("b", "c");
  expect(second).toEqual([...toDirectory, "TYPE I", ...missing, "EPSV", "RETR c", "QUIT"]);
  expect(status).toBe(0);
});

it("a file that has grown since its directory was listed is fetched as it is now", async () => {
  const server = await startServer({ files: { "d/x": "new and longer" } });
  const listed = "type=file;size=3;modify=20200102030405; x\r\n";
  server.on("MLSD", transfer({ content: listed }));
  const { status, cwd } = await runWithoutWaits(["-r", "-t", "2", server.url("/d/")]);
  expect(filesIn(join(cwd, "d"))).toEqual({ x: "new and longer" });
  expect(status).toBe(0);
});

it("the way to the next directory and its listing travel with the end of the last file", async () => {
  const files = { "d/one/x": "1", "d/two/y": "2" };
  const server = await startServer({ files, features });
  const { status } = await ftpull(["-r", server.url("/d/")]);
  const facts = (name: string): Script => ["TYPE I", `SIZE ${name}`, `MDTM ${name}`];
  const lists: Script = ["EPSV", "LIST", "EPSV", "LIST -a"];
  const one: Script = ["CWD one", ...lists, ...facts("x"), ...fetched("x"), ...order];
  const two: Script = ["CWD /", "CWD d", "CWD two", "TYPE A", ...lists];
  expectAfterLogin(server, ...toListing, ...one, ...two, ...facts("y"), ...fetched("y"));
  expect(status).toBe(0);
});

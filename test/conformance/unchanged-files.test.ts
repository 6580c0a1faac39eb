/**
 * A tree again, from a server whose listing has no exact times: those of the files that are here with
 * the listed size are asked for in one write, and only files that have changed are fetched.
 */
import { createHash } from "node:crypto";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { close, transfer } from "../support/actions.ts";
import { folderWith } from "../support/folder-with.ts";
import type { Action } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { defaultModified } from "../support/tree.ts";
import { fetchTree, filesIn, ftpull, isPipelining } from "./support/client.ts";
import {
  ahead,
  commandsOf,
  expectAfterLogin,
  order,
  type Script,
  visits,
} from "./support/dialogue.ts";

const content = { a: "1111", b: "2222", c: "3333" };

const features = ["UTF8", "SIZE", "MDTM"];

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Fetches, without a failure, a tree whose files are all here as on the server, but for those of `here`. */
async function fetchAgain(
  on: Record<string, Action>,
  here: Record<string, string | Date> = {},
  words: readonly string[] = [],
  { tries = 1, typecode = "", known = features } = {},
) {
  const files = { "d/a": content.a, "d/b": content.b, "d/c": content.c };
  const users = { jane: { password: "secret", account: "sales" } };
  const server = await startServer({ files, features: known, on, users });
  const cwd = await folderWith({ "d/": "" });
  for (const [name, text] of Object.entries(content)) {
    const other = here[name];
    const path = join(cwd, "d", name);
    writeFileSync(path, typeof other === "string" ? other : text);
    const modified = other instanceof Date ? other : defaultModified;
    utimesSync(path, modified, modified);
  }
  const result = await ftpull(["-r", ...words, server.url(`/d/${typecode}`)], { cwd, tries });
  expect([result.status, filesIn(join(cwd, "d"))]).toEqual([0, content]);
  return { server, ...result };
}

const toListing: Script = ["PWD", "CWD d", "EPSV", "LIST -a", "EPSV", "LIST"];
const factsOf = (...names: string[]): string[] =>
  names.flatMap((name) => [`SIZE ${name}`, `MDTM ${name}`]);
const together = (...names: string[]): Script => ["TYPE I", ...factsOf(...names), ...order];
const all = together("a", "b", "c");
const fetched = (name: string): Script => ["EPSV", `RETR ${name}`];
const other = new Date("2021-01-01T00:00:00Z");

it("unchanged files are asked for their times together, and none is fetched", async () => {
  const { server, stderr } = await fetchAgain({}, {}, ["-v"]);
  expectAfterLogin(server, ...toListing, ...all);
  const atOnce = commandsOf(all)
    .map((command) => `C> ${command}\n`)
    .join("");
  if (isPipelining) expect(server.transcript()).toContain(atOnce);
  expect(stderr.match(/is unchanged: skipped/g)).toHaveLength(3);
});

it("a file of another time is fetched", async () => {
  const { server } = await fetchAgain({}, { b: other });
  expectAfterLogin(server, ...toListing, ...all, ...fetched("b"));
});

it("a file of another size is not asked about with the others", async () => {
  const { server } = await fetchAgain({}, { b: "2" });
  expectAfterLogin(server, ...toListing, ...together("a", "c"), ...factsOf("b"), ...fetched("b"));
});

it.each(["-f", "--no-clobber"])("with %s nothing is asked at once", async (option) => {
  const { server } = await fetchAgain({}, {}, [option]);
  const first = server.commands.indexOf("MDTM a");
  expect(server.commands[first + 1] ?? "").not.toMatch(/^(SIZE|MDTM) b/);
});

it.each(["450 busy", "213 yesterday"])(
  "MDTM answered %s: the file's own job asks for size and time",
  async (reply) => {
    const { server, stderr } = await fetchAgain({ "MDTM#1 b": reply }, {}, ["-v"]);
    expectAfterLogin(server, ...toListing, ...all, ...factsOf("b"), ...ahead("EPSV"));
    expect(stderr).toContain(`b" is unchanged`);
  },
);

describe("where MDTM isn't known, the listing's time counts, to its precision", () => {
  const on = { MDTM: "502 no MDTM" };

  it("a file of another day is fetched, others are left", async () => {
    const sameDay = new Date("2020-01-02T23:59:59Z");
    const { server, stderr } = await fetchAgain(on, { a: sameDay, b: other }, [], {
      known: ["UTF8", "SIZE"],
    });
    expect(server.sent("RETR")).toEqual(["RETR b"]);
    expect(stderr).not.toContain("doesn't say how old");
  });

  it("a file gets that time, so that the next run leaves it", async () => {
    const given = { files: { "d/x": "1" }, features: ["UTF8", "SIZE"], on };
    const { server, cwd } = await fetchTree(given);
    expect((await ftpull(["-r", server.url("/d/")], { cwd })).status).toBe(0);
    expect(server.sent("RETR")).toHaveLength(1);
  });
});

it.each(["502 no SIZE", "450 busy"])(
  "SIZE answered %s: a file of another size than the listed one is fetched, whatever its time",
  async (reply) => {
    for (const known of [features, ["UTF8"]]) {
      const here = { b: "2", c: "33333" };
      const { server } = await fetchAgain({ SIZE: reply }, here, [], { known });
      expect(server.sent("RETR")).toEqual(["RETR b", "RETR c"]);
    }
  },
);

it("a connection lost in the midst is tried again, with what isn't certain", async () => {
  const { server } = await fetchAgain({ "MDTM#1 b": close }, { c: other }, [], { tries: 2 });
  const [, second] = visits(server).map(({ commands }) => commands);
  const missing = isPipelining ? ["a", "b", "c"] : ["b", "c"];
  const questions = ["TYPE I", ...factsOf(...missing)];
  expect(second?.filter((command) => questions.includes(command))).toEqual(questions);
  expect(server.sent("RETR")).toEqual(["RETR c"]);
});

it("each answer is progress, and none is called data that wasn't kept", async () => {
  const files = { "d/a": content.a, "d/b": content.b, "d/c": content.c };
  const { server, cwd } = await fetchTree({ files, features });
  server.on("MDTM a", "550 no"); // This is asked in each try.
  server.on("MDTM#1 b", close);
  server.on("MDTM c", close);
  const words = ["-r", "--no-pipelining", server.url("/d/")];
  const { status, stderr } = await ftpull(words, { cwd, tries: 2 });
  expect([status, stderr.match(/trying again/g)]).toEqual([4, Array(3).fill("trying again")]);
  expect(stderr).not.toContain("nothing was kept");
});

/** Two directories with one file each, which are here. */
async function fetchTwoAgain(on: Record<string, Action> = {}, more: Record<string, string> = {}) {
  const files = { "d/one/x": "1", "d/two/y": "2", ...more };
  const server = await startServer({ files, features, on });
  const cwd = await folderWith({ "d/one/x": "1", "d/two/y": "2" });
  for (const path of ["d/one/x", "d/two/y"])
    utimesSync(join(cwd, path), defaultModified, defaultModified);
  const result = await ftpull(["-r", server.url("/d/")], { cwd });
  const listed = server.commands.indexOf("CWD one");
  return { server, further: server.commands.slice(listed), ...result };
}

const lists = ["EPSV", "LIST -a"];

it("the way to the next directory travels with the questions about the files of this one", async () => {
  const { server, further, status } = await fetchTwoAgain();
  const way = commandsOf([...together("x"), "CWD /", "CWD d", "CWD two", "TYPE A"]);
  const last = commandsOf([...together("y"), "QUIT"]);
  expect(further).toEqual(["CWD one", ...lists, ...way, ...lists, ...last]);
  const atOnce = [...way, "EPSV"].map((command) => `C> ${command}\n`).join("");
  if (isPipelining) expect(server.transcript()).toContain(atOnce);
  expect(status).toBe(0);
});

it("the way doesn't travel where a file of this directory is fetched first", async () => {
  const { further, status } = await fetchTwoAgain({}, { "d/one/new": "3" });
  const before = further.slice(0, further.indexOf("RETR new"));
  expect([status, before.includes("CWD two")]).toEqual([0, false]);
});

it("a next directory that is refused fails alone", async () => {
  const { further, status, stderr } = await fetchTwoAgain({ "CWD two": "550 gone" });
  expect(further.filter((command) => command === "MDTM x")).toHaveLength(1);
  expect(stderr).toContain('cannot enter the directory "two": server replied 550 "gone"');
  expect(stderr).not.toContain("d/one");
  expect(status).toBe(8);
});

it("a directory's name that leads elsewhere is never entered", async () => {
  const server = await startServer({ files: { "d/x": "one" }, features });
  const entry = (mode: string, name: string): string =>
    `${mode}   1 ftp      ftp             3 Jan  2  2020 ${name}\r\n`;
  const content = entry("-rw-r--r--", "x") + entry("drwxr-xr-x", "/etc");
  server.on("LIST", transfer({ content }));
  const cwd = await folderWith({ "d/x": "one" });
  utimesSync(join(cwd, "d/x"), defaultModified, defaultModified);
  const { status } = await ftpull(["-r", server.url("/d/")], { cwd });
  expect([status, server.sent("CWD"), server.sent("MDTM")]).toEqual([7, ["CWD d"], ["MDTM x"]]);
});

it("a file that changes between LIST and MDTM is fetched as it is then", async () => {
  const text = "new and longer";
  const x = { content: text, modified: new Date("2022-02-02T02:02:02Z") };
  const server = await startServer({ files: { "d/x": x }, features });
  const line = "-rw-r--r--   1 ftp      ftp             3 Jan  2  2020 x\r\n";
  server.on("LIST", transfer({ content: line }));
  const cwd = await folderWith({ "d/x": "old" });
  utimesSync(join(cwd, "d/x"), defaultModified, defaultModified);
  const { status } = await ftpull(["-r", server.url("/d/")], { cwd });
  expectAfterLogin(server, ...toListing, ...together("x"), ...fetched("x"));
  expect([status, filesIn(join(cwd, "d"))]).toEqual([0, { x: text }]);
});

it("files with checksums are asked for their sizes with the others, and fetched if they differ", async () => {
  const sums = Object.entries(content).map(([name, text]) => `${sha256(text)}  ${name}\n`);
  const list = await folderWith({ sums: sums.join("") });
  const words = ["--checksums", join(list, "sums")];
  const { server } = await fetchAgain({}, { c: "9999" }, words);
  expectAfterLogin(server, ...toListing, ...all, ...fetched("c"));
});

it("a link isn't asked about with the others: its listed size is its own", async () => {
  const given = { files: { "d/x": "1", y: "12345" }, links: { "d/l": "/y" }, features };
  const { server, cwd } = await fetchTree(given);
  const before = server.commands.length;
  const { status } = await ftpull(["-r", server.url("/d/")], { cwd });
  const further = server.commands.slice(before);
  const asked = further.filter((command) => /^(SIZE|MDTM)/.test(command));
  expect(asked).toEqual(factsOf("x", "l"));
  expect(further).not.toContain("RETR l");
  expect(status).toBe(0);
});

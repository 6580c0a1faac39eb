/** The folder name.ftpull beside a document that isn't whole: whose it is, and which names are free. */
import * as fs from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { Gate, transfer } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { at, cwd, names, ownDirectory } from "../support/own-directory.ts";
import { leavePart } from "../support/part.ts";
import { run as runAsProcess, startProgram } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";

const size = 3 * 1024 * 1024;
const whole = generatedOctets(3, 0, size);
const modified = new Date("2020-01-02T03:04:05Z");
const files = { x: { size, seed: 3, modified }, small: { content: "small\n", modified } };

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer({ files });
});

ownDirectory();

const isWhole = (name: string) => fs.readFileSync(at(name)).equals(whole);

const reserved = "names that end in .ftpull are for documents that aren't whole";
const temporary = "names that begin with .ftpull- are the program's";

describe("no document gets a name of that kind:", () => {
  test.each([
    ["x.ftpull", reserved],
    ["X.FtPull", reserved],
    [`${"a".repeat(300)}.ftpull`, reserved],
    [".ftpull-mirror", temporary],
    [".FTPULL-0123456789abcdef", temporary],
  ])("%s of a URL", async (name, because) => {
    const server = await startServer({ files: { [name]: "x" } });
    const { status, stderr } = await run(["-q", server.url(`/${name}`)], { cwd });
    expect(stderr).toContain(`.${name.split(".")[1]}": ${because}\nhint: -O gives`);
    expect(status).toBe(7);
    expect(server.connections).toEqual([]);
    expect(await run(["-q", "-O", "y", server.url(`/${name}`)], { cwd })).toMatchObject({
      status: 0,
    });
    expect(names()).toEqual(["y"]);
  });

  test("that of a tree, nor of a directory on the way to it", async () => {
    const server = await startServer({ files: { "a.ftpull/d/x": "x" } });
    const urls = ["/a.ftpull/", "/a.ftpull/d/"].map((path) => server.url(path));
    const { status, stderr } = await run(["-q", "-r", "-x", ...urls], { cwd });
    expect(stderr.match(/cannot save "a\.ftpull": names/g)).toHaveLength(2);
    expect([status, names()]).toEqual([7, []]);
  });

  test("one in a tree: the others arrive", async () => {
    const listed = {
      "d/x": "x",
      "d/y.ftpull": "y",
      "d/Z.FTPULL/data": "z",
      "d/x.ftpull/data": "!",
      "d/.ftpull-0123456789abcdef": "!",
    };
    const server = await startServer({ files: listed });
    const { status, stderr } = await run(["-q", "-r", server.url("/d/")], { cwd });
    expect(stderr.match(/: cannot save "[^"]*": names/g)).toHaveLength(4);
    expect(status).toBe(7);
    expect(fs.readdirSync(at("d"))).toEqual(["x"]);
  });

  test("that of -O", async () => {
    expect(await run(["-q", "-O", "x.ftpull", server.url("/x")], { cwd })).toMatchObject({
      status: 3,
      stderr: `ftpull: cannot write "x.ftpull": ${reserved}\nhint: choose another name\n`,
    });
    expect(server.connections).toEqual([]);
  });

  test("that a long name would be cut to", async () => {
    const long = `${"a".repeat(233)}.ftpull-${"b".repeat(20)}`;
    const server = await startServer({ files: { [long]: "x" } });
    expect(await run(["-q", server.url(`/${long}`)], { cwd })).toMatchObject({ status: 0 });
    expect(names()).toEqual([`${"a".repeat(233)}.ftpul`]);
  });
});

describe("runs of one name at once", () => {
  test("-f: the second one names the first", async () => {
    const gate = new Gate();
    server.on("RETR#1", transfer({ pause: { after: 400_000, until: gate.opened } }));
    const first = await startProgram(["-qf", server.url("/x")], { cwd });
    await expect.poll(() => fs.existsSync(at("x.ftpull/data"))).toBe(true);
    expect(names()).toEqual(["x.ftpull"]);
    expect(await run(["-qf", server.url("/x")], { cwd })).toMatchObject({
      status: 3,
      stderr: `ftpull: ${server.url("/x")}: cannot write "x": process ${first.child.pid} is writing it\n`,
    });
    const numbered = `ftpull: ${server.url("/x")}: saved as "x.1"\n`;
    const second = await run(["-q", server.url("/x")], { cwd });
    expect(second).toMatchObject({ status: 0, stderr: numbered });
    gate.open();
    expect(await first.finished).toMatchObject({ status: 0, stderr: "" });
    expect(names()).toEqual(["x", "x.1"]);
    expect(names().every(isWhole)).toBe(true);
  });

  test.each(["/x", "/small"])("four of %s: each gets a name, and nothing stays", async (path) => {
    const runs = Array.from({ length: 4 }, () => runAsProcess(["-q", server.url(path)], { cwd }));
    const name = path.slice(1);
    const results = await Promise.all(runs);
    expect(results.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
    const notes = ["", ...[1, 2, 3].map((number) => `saved as "${name}.${number}"\n`)];
    const said = results.map(({ stderr }) => stderr.replace(/^ftpull: \S+: /, ""));
    expect(said.toSorted()).toEqual(notes);
    expect(names()).toEqual([name, ...[1, 2, 3].map((number) => `${name}.${number}`)]);
    const expected = path === "/x" ? whole : Buffer.from("small\n");
    expect(names().every((one) => fs.readFileSync(at(one)).equals(expected))).toBe(true);
  });

  test("the line at the end has the name that a file got, once another program has taken its own", async () => {
    const gate = new Gate();
    server.on("RETR x", transfer({ pause: { after: 400_000, until: gate.opened } }));
    const running = run(["-nv", server.url("/x")], { cwd });
    await expect.poll(() => fs.existsSync(at("x.ftpull/data"))).toBe(true);
    fs.writeFileSync(at("x"), "mine");
    gate.open();
    const { stderr } = await running;
    expect(stderr).toMatch(/^x\.1: 3\.0 MiB from .*\nftpull: the name "x" was taken: .*\n$/);
    expect([isWhole("x.1"), names()]).toEqual([true, ["x", "x.1"]]);
  });

  test("four go on with what a killed one left: one does, the others tell of it", async () => {
    const gate = new Gate();
    server.on("RETR#1", transfer({ pause: { after: 400_000, until: gate.opened } }));
    const first = await startProgram(["-q", server.url("/x")], { cwd });
    const data = at("x.ftpull/data");
    await expect.poll(() => fs.existsSync(data) && fs.statSync(data).size).toBe(400_000);
    first.child.kill("SIGKILL");
    await first.finished;
    gate.open();
    const goOn = ["-qc", server.url("/x")];
    const runs = Array.from({ length: 4 }, () => runAsProcess(goOn, { cwd }));
    const results = await Promise.all(runs);
    expect(server.commands).toContain("REST 395904");
    expect(results.filter(({ status }) => status === 0).length).toBeGreaterThan(0);
    for (const { status, stderr } of results)
      if (status !== 0) expect(stderr).toMatch(/cannot write "x": process \d+ is writing it\n$/);
    expect(isWhole("x")).toBe(true);
    expect(names()).toEqual(["x"]);
  });
});

test("a run without -c says that it drops what an earlier one has left; -c and -f of text don't", async () => {
  const words = "beginning at 0 without -c: 5 octets of an earlier run are dropped";
  const url = server.url("/x");
  const again = async (word: string, state: { size?: number; modified?: Date }) => {
    leavePart(at("x"), whole.subarray(0, 5), { url, ...state });
    const { status, stderr } = await run([word, url], { cwd });
    expect(status).toBe(0);
    return stderr.includes(words);
  };
  expect(await again("-f", { size, modified })).toBe(true);
  expect(await again("-f", {})).toBe(false);
  fs.rmSync(at("x"));
  expect(await again("-c", { size, modified })).toBe(false);
  expect(await again("-c", { size: size + 1, modified })).toBe(false);
});

test("what a killed run left of several documents in one file goes with the next run", async () => {
  const gate = new Gate();
  server.on("RETR x", transfer({ pause: { after: 400_000, until: gate.opened } }));
  const args = ["-q", "-O", "all", server.url("/small"), server.url("/x")];
  const program = await startProgram(args, { cwd });
  const data = at("all.ftpull/data");
  await expect.poll(() => fs.existsSync(data) && fs.statSync(data).size).toBe(400_006);
  program.child.kill("SIGKILL");
  await program.finished;
  gate.open();
  expect(await run(args, { cwd })).toMatchObject({ status: 0, stderr: "" });
  expect(names()).toEqual(["all"]);
  expect(fs.readFileSync(at("all")).equals(Buffer.concat([Buffer.from("small\n"), whole]))).toBe(
    true,
  );
});

test.each([
  ["its own name", [], "-c -q -t 1"],
  ["-O", ["-O", "y"], "-c -q -t 1 -O y"],
])("a document whose tries are used up says how to go on: %s", async (_claim, words, again) => {
  const server = await startServer({ files, on: { RETR: transfer({ first: 400_000 }) } });
  const url = server.url("/x");
  const { stderr } = await run(["-q", "-t", "1", ...words, url], { cwd });
  expect(stderr).toContain(
    `hint: the folder "${words[1] ?? "x"}.ftpull" has the 400000 octets that arrived: go on with: ftpull ${again} ${url}\n`,
  );
  server.on("RETR", transfer({}));
  const command = [...again.split(" "), url];
  expect(await run(command, { cwd })).toMatchObject({ status: 0, stderr: "" });
  expect(server.commands).toContain("REST 395904");
  expect(names()).toEqual([words[1] ?? "x"]);
});

describe("beside a whole file nothing stays:", () => {
  test("the beginning of a file that a further try shows to be unchanged", async () => {
    await run(["-qN", server.url("/x")], { cwd });
    fs.utimesSync(at("x"), modified, new Date("2019-01-01T00:00:00Z"));
    server.on("RETR#1", transfer({ first: size / 2, end: "reset", completion: "426 cut" }));
    server.on("MDTM#2", "213 20190101000000");
    const { status } = await run(["-qN", server.url("/x")], { cwd });
    expect(status).toBe(0);
    expect(server.commands.filter((command) => command === "RETR x")).toHaveLength(2);
    expect(names()).toEqual(["x"]);
  });

  test.each([["-N"], ["-r"]])("what a killed run began, if %s leaves the file", async (option) => {
    await run(["-q", server.url("/x")], { cwd });
    fs.mkdirSync(at("x.ftpull"));
    fs.writeFileSync(at("x.ftpull/owner-4194303-1-0-nowhere"), "");
    fs.writeFileSync(at("x.ftpull/data"), "octets");
    const old = new Date("2020-01-01T00:00:00Z");
    for (const name of ["x.ftpull/data", "x.ftpull"]) fs.utimesSync(at(name), old, old);
    const result = await run(["-q", option, server.url("/x")], { cwd });
    expect(result).toMatchObject({ status: 0, stderr: "" });
    expect(names()).toEqual(["x"]);
  });
});

test("a user's own name.ftpull.ftpull stays", async () => {
  fs.mkdirSync(at("x.ftpull.ftpull"));
  fs.writeFileSync(at("x.ftpull.ftpull/user"), "mine");
  fs.writeFileSync(at("small.ftpull.ftpull"), "mine");
  const urls = ["/x", "/small"].map((path) => server.url(path));
  expect(await run(["-q", ...urls], { cwd })).toMatchObject({ status: 0, stderr: "" });
  expect(names()).toEqual(["small", "small.ftpull.ftpull", "x", "x.ftpull.ftpull"]);
  expect(fs.readFileSync(at("x.ftpull.ftpull/user"), "latin1")).toBe("mine");
  expect(fs.readFileSync(at("small.ftpull.ftpull"), "latin1")).toBe("mine");
});

describe("--no-clobber, where a run was killed beside a file that is whole:", () => {
  const state = { url: "ftp://h/x", size, modified };
  const leave = { link: () => fs.linkSync(at("x"), at("x.ftpull/data")), nothing: () => undefined };

  test.each([
    ["between its two names", leave.link, []],
    ["after the first was removed", leave.nothing, []],
    ["in a tree", leave.link, ["-r"]],
  ])("%s, the folder is removed", async (_claim, how, words) => {
    fs.writeFileSync(at("x"), whole);
    leavePart(at("x"), "", state);
    fs.rmSync(at("x.ftpull/data"));
    how();
    const { status, stderr } = await run(["-nc", ...words, server.url("/x")], { cwd });
    expect(stderr).not.toContain("x.ftpull");
    expect([status, names()]).toEqual([0, ["x"]]);
    expect(isWhole("x")).toBe(true);
  });

  test.each([[[]], [["-r"]]])("octets to be resumed stay, and are named: %j", async (words) => {
    fs.writeFileSync(at("x"), "old");
    leavePart(at("x"), whole.subarray(0, 100_000), state);
    const { status, stderr } = await run(["-nc", ...words, server.url("/x")], { cwd });
    expect(stderr).toContain(
      '"x" is there already, and "x.ftpull" with octets of another run: skipped',
    );
    expect([status, names()]).toEqual([0, ["x", "x.ftpull"]]);
  });
});

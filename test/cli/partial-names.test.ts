/** Which name a partial file gets, and what is left alone because it isn't this program's. */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { Gate, transfer } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { run, startProgram } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const size = 3 * 1024 * 1024;
const whole = generatedOctets(3, 0, size);
const files = {
  x: { size, seed: 3, modified: new Date("2020-01-02T03:04:05Z") },
  "x.part": "the document x.part\n",
  "x.part.json": "the document x.part.json\n",
  "x.1": "the document x.1\n",
  small: "small\n",
};

let cwd: string;
beforeEach(async () => {
  cwd = await temporaryDirectory();
});

const at = (name: string) => join(cwd, name);
const names = () => fs.readdirSync(cwd).toSorted();
const text = (name: string) => fs.readFileSync(at(name), "latin1");
const expectWhole = (name: string) =>
  expect(fs.readFileSync(at(name)).equals(whole), name).toBe(true);

/** A note that this program could have written. */
const note = JSON.stringify({ url: "ftp://h/y", size: 9, modified: null, segments: null });

/** What belongs to another program or to a person, by its name. */
const foreign: [claim: string, make: () => void, names: string[]][] = [
  ["a partial file", () => fs.writeFileSync(at("x.part"), "theirs"), ["x.part"]],
  ["an empty one", () => fs.writeFileSync(at("x.part"), ""), ["x.part"]],
  [
    "two of them",
    () => ["x.part", "x.1.part"].forEach((name) => fs.writeFileSync(at(name), "theirs")),
    ["x.1.part", "x.part"],
  ],
  [
    "one with a JSON file",
    () => {
      fs.writeFileSync(at("x.part"), "theirs");
      fs.writeFileSync(at("x.part.json"), '{"url":"https://h/x","chunks":[]}');
    },
    ["x.part", "x.part.json"],
  ],
  ["a JSON file alone", () => fs.writeFileSync(at("x.part.json"), "{}"), ["x.part.json"]],
  ["a directory", () => fs.mkdirSync(at("x.part")), ["x.part"]],
  ["a directory named as the note", () => fs.mkdirSync(at("x.part.json")), ["x.part.json"]],
  [
    "a FIFO named as the note",
    () => void execFileSync("mkfifo", [at("x.part.json")]),
    ["x.part.json"],
  ],
  [
    "a link with a note of ours",
    () => {
      fs.symlinkSync("elsewhere", at("x.part"));
      fs.writeFileSync(at("elsewhere"), "theirs");
      fs.writeFileSync(at("x.part.json"), note);
    },
    ["elsewhere", "x.part", "x.part.json"],
  ],
];

/** Every file that is no FIFO, with what it holds. */
function snapshot(): Record<string, string> {
  const regular = names().filter((name) => fs.statSync(at(name)).isFile() && name !== "x");
  return Object.fromEntries(regular.map((name) => [name, text(name)]));
}

describe("left alone, since no note of ours is beside it:", () => {
  test.each(foreign)("%s", async (_claim, make, theirs) => {
    const server = await startServer({ files });
    make();
    const before = snapshot();
    for (const option of [[], ["-f"], ["-c"], ["-N"], ["-O", "x"], ["-s", "2"]]) {
      fs.rmSync(at("x"), { force: true });
      const result = await run(["-q", ...option, server.url("/x")], { cwd });
      expect(result, option.join(" ")).toMatchObject({ status: 0, stderr: "" });
      expectWhole("x");
      expect(names(), option.join(" ")).toEqual([...theirs, "x"].toSorted());
      expect(snapshot()).toEqual(before);
    }
  });

  test.each(foreign)("%s, by a small document that breaks off", async (_claim, make, theirs) => {
    const server = await startServer({ files: { x: "a small document" } });
    server.on("RETR", transfer({ first: 5 }));
    make();
    const before = snapshot();
    const args = ["-q", "-t", "1", server.url("/x")];
    expect((await run(args, { cwd })).status).not.toBe(0);
    expect(names()).toEqual(expect.arrayContaining(theirs));
    expect(names().filter((name) => name.endsWith(".lock"))).toEqual([]);
    expect(snapshot()).toMatchObject(before);
    expect(fs.readdirSync(cwd)).not.toContain("x");
  });

  test.each([
    ["a file", () => fs.writeFileSync(at("x.part.temp"), "theirs")],
    ["a directory", () => fs.mkdirSync(at("x.part.temp"))],
  ])("%s that has the name of a note while it is written", async (_claim, make) => {
    const server = await startServer({ files });
    make();
    const before = snapshot();
    const result = await run(["-q", server.url("/x")], { cwd });
    expect(result).toMatchObject({ status: 0, stderr: "" });
    expectWhole("x");
    expect(names()).toEqual(["x", "x.part.temp"]);
    expect(snapshot()).toEqual(before);
  });

  test("a partial file, and -c goes on with the one under the other name", async () => {
    const server = await startServer({ files });
    fs.writeFileSync(at("x.part"), "theirs");
    server.on("RETR#1", transfer({ first: 400_000 }));
    const { stderr } = await run(["-q", "-t", "1", server.url("/x")], { cwd });
    expect(stderr).toContain(`go on with: ftpull -c ${server.url("/x")}\n`);
    expect(names()).toEqual(["x.1.part", "x.1.part.json", "x.part"]);
    const result = await run(["-qc", server.url("/x")], { cwd });
    expect(result).toMatchObject({ status: 0, stderr: "" });
    expect(server.commands).toContain("REST 395904");
    expectWhole("x");
    expect(names()).toEqual(["x", "x.part"]);
    expect(text("x.part")).toBe("theirs");
  });

  test("a partial file that goes, and -c goes on with the one under the other name", async () => {
    const server = await startServer({ files });
    fs.writeFileSync(at("x.part"), "theirs");
    server.on("RETR#1", transfer({ first: 400_000 }));
    await run(["-q", "-t", "1", server.url("/x")], { cwd });
    fs.rmSync(at("x.part"));
    const result = await run(["-qc", server.url("/x")], { cwd });
    expect(result).toMatchObject({ status: 0, stderr: "" });
    expect(server.commands).toContain("REST 395904");
    expectWhole("x");
    expect(names()).toEqual(["x"]);
  });

  test("a partial file, and what is kept of another document that has the number", async () => {
    const server = await startServer({ files: { ...files, "y/x": files.x } });
    fs.writeFileSync(at("x"), "here");
    server.on("RETR#1", transfer({ first: 400_000 }));
    await run(["-q", "-t", "1", server.url("/x")], { cwd });
    expect(names()).toEqual(["x", "x.1.part", "x.1.part.json"]);
    fs.writeFileSync(at("x.part"), "theirs");
    const before = snapshot();
    const result = await run(["-qf", server.url("/y/x")], { cwd });
    expect(result).toMatchObject({ status: 0, stderr: "" });
    expectWhole("x");
    expect(snapshot()).toEqual(before);
  });

  test("a partial file, and -c goes on with what another program wrote in place", async () => {
    const server = await startServer({ files });
    fs.writeFileSync(at("x.part"), "theirs");
    fs.writeFileSync(at("x"), whole.subarray(0, 400_000));
    const result = await run(["-qc", server.url("/x")], { cwd });
    expect(result).toMatchObject({ status: 0, stderr: "" });
    expect(server.commands).toContain("REST 395904");
    expectWhole("x");
    expect(text("x.part")).toBe("theirs");
  });

  test("a partial file that came to be while the server was asked", async () => {
    const server = await startServer({ files });
    const gate = new Gate();
    server.on("RETR", transfer({ pause: { after: 0, until: gate.opened } }));
    const program = await startProgram(["-q", server.url("/x")], { cwd });
    await expect.poll(() => server.dataConnections).toBe(1);
    fs.writeFileSync(at("x.part"), "theirs");
    gate.open();
    expect(await program.finished).toMatchObject({ status: 0, stderr: "" });
    expect(text("x.part")).toBe("theirs");
    expect(names()).toEqual(["x", "x.part"]);
  });
});

test("with a partial file of another program -f still lets one run at a time write the name", async () => {
  const server = await startServer({ files });
  fs.writeFileSync(at("x.part"), "theirs");
  const gate = new Gate();
  server.on("RETR#1", transfer({ pause: { after: 400_000, until: gate.opened } }));
  const first = await startProgram(["-qf", server.url("/x")], { cwd });
  await expect.poll(() => fs.existsSync(at("x.1.part"))).toBe(true);
  expect(await run(["-qf", server.url("/x")], { cwd })).toMatchObject({
    status: 3,
    stderr: `ftpull: ${server.url("/x")}: cannot write "x": process ${first.child.pid} is writing it\n`,
  });
  expect(await run(["-q", server.url("/x")], { cwd })).toMatchObject({ status: 0, stderr: "" });
  gate.open();
  expect(await first.finished).toMatchObject({ status: 0, stderr: "" });
  expectWhole("x");
  expectWhole("x.2"); // x.1.part is the first run's
  expect(names()).toEqual(["x", "x.2", "x.part"]);
});

describe("documents named as another one's partial file, or as its note,", () => {
  const orders = [
    ["/x", "/x.1", "/x.part", "/x.part.json"],
    ["/x.part.json", "/x.part", "/x.1", "/x"],
  ];
  const options = [[], ["-f"], ["-N"], ["-c"]];
  const cases = orders.flatMap((paths) => options.map((option) => ({ paths, option })));

  test.each(cases)("arrive whole beside it: $paths $option", async ({ paths, option }) => {
    const server = await startServer({ files });
    const gate = new Gate();
    server.on("RETR x", transfer({ pause: { after: 400_000, until: gate.opened } }));
    const urls = paths.map((path) => server.url(path));
    const program = await startProgram(["-q", "-j", "4", ...option, ...urls], { cwd });
    await expect.poll(() => names()).toContain("x.2.part");
    await expect
      .poll(() => ["x.1", "x.part", "x.part.json"].every((name) => names().includes(name)))
      .toBe(true);
    gate.open();
    expect(await program.finished).toMatchObject({ status: 0, stderr: "" });
    expectWhole("x");
    expect(snapshot()).toEqual({
      "x.1": files["x.1"],
      "x.part": files["x.part"],
      "x.part.json": files["x.part.json"],
    });
    expect(names()).toEqual(["x", "x.1", "x.part", "x.part.json"]);
  });

  test("stay when they replaced what an earlier run had left of it", async () => {
    const server = await startServer({ files });
    server.on("RETR#1", transfer({ first: 400_000 }));
    await run(["-q", "-t", "1", server.url("/x")], { cwd });
    expect(names()).toEqual(["x.part", "x.part.json"]);
    await run(["-qf", server.url("/x.part")], { cwd });
    expect(names()).toEqual(["x.part"]);
    const result = await run(["-qc", server.url("/x")], { cwd });
    expect(result).toMatchObject({ status: 0, stderr: "" });
    expectWhole("x");
    expect(text("x.part")).toBe(files["x.part"]);
  });

  test("don't replace what another run is writing", async () => {
    const server = await startServer({ files });
    const gate = new Gate();
    server.on("RETR x", transfer({ pause: { after: 400_000, until: gate.opened } }));
    const first = await startProgram(["-q", server.url("/x")], { cwd });
    await expect.poll(() => fs.existsSync(at("x.part"))).toBe(true);
    const url = server.url("/x.part");
    expect(await run(["-qf", url], { cwd })).toMatchObject({
      status: 3,
      stderr: `ftpull: ${url}: cannot write "x.part": process ${first.child.pid} is writing it\n`,
    });
    gate.open();
    expect(await first.finished).toMatchObject({ status: 0, stderr: "" });
    expectWhole("x");
    expect(names()).toEqual(["x"]);
  });
});

test("what a killed run left of several documents in one file is this program's own", async () => {
  const server = await startServer({ files });
  const gate = new Gate();
  server.on("RETR x", transfer({ pause: { after: 400_000, until: gate.opened } }));
  const args = ["-q", "-O", "all", server.url("/small"), server.url("/x")];
  const program = await startProgram(args, { cwd });
  await expect
    .poll(() => fs.existsSync(at("all.part")) && fs.statSync(at("all.part")).size)
    .toBe(400_006);
  program.child.kill("SIGKILL");
  await program.finished;
  gate.open();
  expect(await run(args, { cwd })).toMatchObject({ status: 0, stderr: "" });
  expect(names()).toEqual(["all"]);
  expect(fs.readFileSync(at("all")).equals(Buffer.concat([Buffer.from("small\n"), whole]))).toBe(
    true,
  );
});

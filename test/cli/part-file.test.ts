/** Partial files, and the names that are the program's own. */
import * as fs from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { Gate, transfer } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { at, cwd, names, octetsOf, ownDirectory } from "../support/own-directory.ts";
import { leavePart } from "../support/part.ts";
import { startProgram } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";

const size = 3 * 1024 * 1024;
const whole = generatedOctets(3, 0, size);
const modified = new Date("2020-01-02T03:04:05Z");
const files = {
  x: { content: { size, seed: 3 }, modified },
  small: { content: "small\n", modified },
};

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer({ files });
});

ownDirectory();

const isWhole = (name: string) => octetsOf(name).equals(whole);

const reserved = "names that end in .ftpull are for partial files";
const temporary = "names that begin with .ftpull- are the program's";

describe("no file of a server gets a name of that kind:", () => {
  test.each([
    ["x.ftpull", reserved],
    ["x.ftpull.JSON", reserved],
    [".FTPULL-0123456789abcdef", temporary],
  ])("%s of a URL", async (name, because) => {
    const server = await startServer({ files: { [name]: "x" } });
    const { status, stderr } = await run(["-q", server.url(`/${name}`)], { cwd });
    expect(stderr).toContain(`": ${because}\n`);
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
    const listed = ["x", "y.ftpull", "Z.FTPULL/data", "x.ftpull.json", ".ftpull-0123456789abcdef"];
    const all = Object.fromEntries(listed.map((name) => [`d/${name}`, "!"]));
    const server = await startServer({ files: all });
    const { status, stderr } = await run(["-q", "-r", server.url("/d/")], { cwd });
    expect(stderr.match(/: cannot save "[^"]*": names/g)?.length).toBeGreaterThanOrEqual(4);
    expect(status).toBe(7);
    expect(fs.readdirSync(at("d"))).toEqual(["x"]);
  });

  test("that of -O", async () => {
    expect(await run(["-q", "-O", "x.ftpull", server.url("/x")], { cwd })).toMatchObject({
      status: 3,
      stderr: `ftpull: cannot write "x.ftpull": ${reserved}\n`,
    });
    expect(server.connections).toEqual([]);
  });
});

/** Runs the program until 400,000 bytes have come, and kills it. */
async function killed(...args: string[]): Promise<void> {
  const gate = new Gate();
  server.on("RETR x", transfer({ pause: { after: 400_000, until: gate.opened } }));
  const program = await startProgram(args, { cwd });
  const part = () => names().find((name) => name.endsWith(".ftpull"));
  const stored = () => fs.statSync(at(part() ?? "x"), { throwIfNoEntry: false })?.size ?? 0;
  await expect.poll(stored).toBeGreaterThanOrEqual(400_000);
  program.child.kill("SIGKILL");
  await program.finished;
  gate.open();
}

describe("what a killed run left", () => {
  test.each([[[]], [["-N"]], [["-O", "x"]], [["-c"]]])(
    "is gone on with by the same command: %j",
    async (words) => {
      await killed("-q", ...words, server.url("/x"));
      const { status, stderr } = await run(["-q", ...words, server.url("/x")], { cwd });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(server.commands).toContain("REST 395904");
      expect([isWhole("x"), names()]).toEqual([true, ["x"]]);
    },
  );

  test("of several URLs in one file goes with the next run", async () => {
    const args = ["-q", "-O", "all", server.url("/small"), server.url("/x")];
    await killed(...args);
    expect(await run(args, { cwd })).toMatchObject({ status: 0, stderr: "" });
    expect(names()).toEqual(["all"]);
    expect(octetsOf("all").equals(Buffer.concat([Buffer.from("small\n"), whole]))).toBe(true);
  });
});

describe("what a killed run left of a file that is here", () => {
  const leaveWhole = (url = server.url("/x")): void => {
    fs.writeFileSync(at("x"), whole);
    fs.utimesSync(at("x"), modified, modified);
    leavePart(at("x"), "", { url, size, modified });
  };

  test.each(["-N", "-c", "-r"])("goes with the run that finds it: %s", async (option) => {
    leaveWhole();
    expect((await run(["-q", option, server.url("/x")], { cwd })).status).toBe(0);
    expect([names(), server.sent("RETR")]).toEqual([["x"], []]);
  });

  test("stays if it is of another URL", async () => {
    leaveWhole("ftp://h/y");
    expect((await run(["-q", "-N", server.url("/x")], { cwd })).status).toBe(0);
    expect(names()).toEqual(["x", "x.ftpull", "x.ftpull.json"]);
  });

  test("goes with the file when that has become small", async () => {
    leavePart(at("small"), whole.subarray(0, 200_000), {
      url: server.url("/small"),
      size,
      modified,
    });
    expect((await run(["-q", "-N", server.url("/small")], { cwd })).status).toBe(0);
    expect(names()).toEqual(["small"]);
  });
});

test("a partial file is dropped only when other data has come", async () => {
  leavePart(at("x"), whole.subarray(0, 200_000), { url: server.url("/x"), size, modified });
  for (const [refused, reply] of [
    ["SIZE", "550 Later"],
    ["RETR", "550 Later"],
  ] as const) {
    server.on(refused, reply);
    server.on("RETR", "550 Later");
    for (const option of ["-N", "-f"]) {
      await run(["-q", "-t", "1", option, server.url("/x")], { cwd });
      expect(fs.statSync(at("x.ftpull")).size).toBe(200_000);
    }
  }
});

test("a user's own files beside it stay", async () => {
  fs.mkdirSync(at("x.ftpull.ftpull"));
  fs.writeFileSync(at("small.ftpull.ftpull"), "mine");
  const urls = ["/x", "/small"].map((path) => server.url(path));
  expect(await run(["-q", ...urls], { cwd })).toMatchObject({ status: 0, stderr: "" });
  expect(names()).toEqual(["small", "small.ftpull.ftpull", "x", "x.ftpull.ftpull"]);
});

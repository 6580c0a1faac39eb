/** A kill before any step that changes a file: no name holds half a file, no file is lost, and the next run ends well. */
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Gate, proceed, transfer } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { localFiles } from "../support/local-tree.ts";
import { leavePart } from "../support/part.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { statesOf } from "./support/kept-states.ts";

const modified = new Date("2020-01-02T03:04:05Z");
const old = Buffer.from("old");
const sizes = { small: 600, large: 200_000, segmented: 2.5 * 1024 * 1024 };

interface Case {
  readonly args?: readonly string[];
  readonly size?: keyof typeof sizes;
  /** Octets of "x" before the run; all are of the file where it is gone on with. */
  readonly before?: "old" | "beginning";
  /** A partial file before the run: of this URL, or of another one. */
  readonly partial?: "own" | "other";
}

const cases: [claim: string, Case][] = [
  ["a small file", { size: "small" }],
  ["a small file that -f replaces", { size: "small", args: ["-f"], before: "old" }],
  ["a small file that -c goes on with", { size: "small", args: ["-c"], before: "beginning" }],
  ["a large file", {}],
  ["a large file that -f replaces", { args: ["-f"], before: "old" }],
  ["a large file that -c goes on with", { args: ["-c"], before: "beginning" }],
  ["a partial file", { partial: "own" }],
  ["a partial file that -f drops", { args: ["-f"], partial: "own", before: "old" }],
  [
    "a partial file beside what -c goes on with",
    { args: ["-c"], partial: "own", before: "beginning" },
  ],
  ["a partial file of another URL", { args: ["-N"], partial: "other" }],
  ["segments", { size: "segmented", args: ["-s", "2"] }],
];

describe("killed before any step, and run again", () => {
  test.each(cases)("%s", async (_claim, { args = [], size = "large", before, partial }) => {
    const length = sizes[size];
    const whole = generatedOctets(9, 0, length);
    const half = whole.subarray(0, length / 2);
    const server = await startServer({
      files: { x: { content: { size: length, seed: 9 }, modified } },
    });
    // The second block is here before the first one is whole.
    const gate = new Gate();
    const waiting = transfer({ pause: { after: 65_536, until: gate.opened } });
    if (size === "segmented") server.on("RETR#1", waiting);
    server.on("RETR#2", [proceed, () => gate.open()]);
    const first = await temporaryDirectory();
    const here = before === "old" ? old : half;
    const url = server.url("/x");
    if (before !== undefined) writeFileSync(join(first, "x"), here);
    if (before === "old") utimesSync(join(first, "x"), 0, 0);
    const version = { url: partial === "own" ? url : `${url}.other`, size: length, modified };
    if (partial !== undefined)
      leavePart(join(first, "x"), whole.subarray(0, length * 0.7), version);
    for (const [step, cwd] of (await statesOf(["-q", ...args, url], first)).entries()) {
      const allowed = before === undefined ? [whole, undefined] : [whole, here];
      const found = read(cwd);
      expect(
        allowed.some((one) => isSame(one, found)),
        `x at step ${step}`,
      ).toBe(true);
      const isThere = before === undefined && found !== undefined;
      const { status, stderr } = await run(["-q", ...args, url], { cwd });
      expect(status, `step ${step}: ${stderr}`).toBe(0);
      expect(isSame(whole, read(cwd)), `x behind step ${step}`).toBe(true);
      const isNumbered = isThere && (args.length === 0 || args[0] === "-s");
      const names = namesIn(cwd, isSame(whole, found), isNumbered);
      expect(names, `step ${step}`).toEqual(isNumbered ? ["x", "x.1"] : ["x"]);
    }
  });
});

test("a tree that is killed before any step: the next run brings the rest, and nothing twice", async () => {
  const sizes = { "d/0/f0": 0, "d/1/f1": 37, "d/2/f2": 200_000 };
  const contents = Object.entries(sizes).map(([path, size], seed) => {
    return [path, generatedOctets(1 + seed, 0, size)] as const;
  });
  const files = contents.map(([path, content]) => [path, { content, modified }] as const);
  const server = await startServer({ files: Object.fromEntries(files) });
  const args = ["-r", "-q", server.url("/d/")];
  /** The files that are here; each is whole. */
  const here = (cwd: string, when: string): string[] => {
    const found = contents.filter(([path]) => existsSync(join(cwd, path)));
    for (const [path, content] of found)
      expect(readFileSync(join(cwd, path)).equals(content), `${path} ${when}`).toBe(true);
    return found.map(([path]) => path);
  };
  for (const [step, cwd] of (await statesOf(args, await temporaryDirectory())).entries()) {
    const before = here(cwd, `at step ${step}`);
    const whole = before.filter((path) => +statSync(join(cwd, path)).mtime === +modified);
    const first = server.sent("RETR").length;
    expect(await run(args, { cwd })).toMatchObject({ status: 0, stderr: "" });
    expect(here(cwd, `behind step ${step}`)).toEqual(Object.keys(sizes));
    const retrieved = server.sent("RETR").slice(first);
    expect(whole.filter((path) => retrieved.includes(`RETR ${path.slice(4)}`))).toEqual([]);
    // A kill around the moment in which a file gets its name leaves its private name, or its state.
    const isLeft = (path: string): boolean =>
      /\.ftpull-[0-9a-f]{16}$/.test(path) || whole.some((one) => path === `${one}.ftpull.json`);
    const paths = Object.keys(localFiles(cwd)).filter((path) => !isLeft(path));
    expect(paths.toSorted(), `step ${step}`).toEqual(Object.keys(sizes));
  }
});

function read(cwd: string): Buffer | undefined {
  return existsSync(join(cwd, "x")) ? readFileSync(join(cwd, "x")) : undefined;
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other);
}

/**
 * Names without what a kill can leave: a small private file, and, once the file is whole, its second name, and its
 * state beside which the next run takes another number.
 */
function namesIn(cwd: string, wasWhole: boolean, isNumbered: boolean): string[] {
  return readdirSync(cwd).filter((name) => {
    if (isNumbered && wasWhole && name.endsWith(".ftpull.json")) return false;
    const isPrivate = /^\.ftpull-[0-9a-f]{16}$/.test(name);
    return !isPrivate || (!wasWhole && statSync(join(cwd, name)).size > 65_536);
  });
}

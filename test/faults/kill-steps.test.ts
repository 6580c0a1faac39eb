import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { thisMachine } from "../../src/files/part/process-start.ts";
import { generatedOctets } from "../support/generated.ts";
import { isLong } from "../support/long.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const size = 200_000;
const whole = generatedOctets(9, 0, size);
const half = whole.subarray(0, size / 2);
const old = Buffer.from("old");
const stale = Buffer.from(JSON.stringify({ pid: 1, start: "before", machine: thisMachine() }));
const modified = "2020-01-02T03:04:05.000Z";
const note = (url: string) => JSON.stringify({ url, size, modified, segments: null });

type Files = Readonly<Record<string, Buffer>>;

interface Case {
  readonly args?: readonly string[];
  /** What the directory holds before. */
  readonly before?: (url: string) => Files;
  /** The name that the document gets; default "x". */
  readonly name?: string;
  /** What is left of that: it belongs to another program. */
  readonly theirs?: string;
}

const cases: [claim: string, Case][] = [
  ["a new file", {}],
  ["a file that is replaced", { args: ["-f"], before: () => ({ x: old }) }],
  ["a file beside another", { before: () => ({ x: old }), name: "x.1" }],
  [
    "a new file where an old partial one is",
    { before: (url) => ({ "x.part": old, "x.part.json": Buffer.from(note(`${url}.old`)) }) },
  ],
  [
    "a new file where another program's partial one is",
    { before: () => ({ "x.part": old }), theirs: "x.part" },
  ],
  ["a new file where a killed run's lock is", { before: () => ({ "x.part.lock": stale }) }],
  [
    "a partial file that is continued",
    { args: ["-c"], before: (url) => ({ "x.part": half, "x.part.json": Buffer.from(note(url)) }) },
  ],
  ["a plain file that is continued", { args: ["-c"], before: () => ({ x: half }) }],
];

/** A sample takes every fourth step, each case another one first. */
const stride = isLong ? 1 : 4;

describe("killed before each step that changes a file, and gone on with by -c", () => {
  test.each(cases)(
    "%s",
    { timeout: 600_000 },
    async (claim, { args = [], before, name = "x", theirs }) => {
      const server = await startServer({ files: { x: { size, seed: 9 } } });
      const url = server.url("/x");
      const files = before?.(url) ?? {};
      const first = 1 + (cases.findIndex(([other]) => other === claim) % stride);
      for (let step = first, more = true; more; step += stride) {
        const cwd = await directoryOf(files);
        more = await killed(step, ["-q", ...args, url], cwd);
        expectOldOrNew(cwd, files, name, step);
        const result = await run(["-qc", ...(name === "x" ? [] : ["-O", name]), url], { cwd });
        expect(result, `step ${step}`).toMatchObject({ status: 0, stderr: "" });
        expect(readFileSync(join(cwd, name)).equals(whole), `step ${step}`).toBe(true);
        expect(readdirSync(cwd), `step ${step}`).toEqual([...new Set(["x", theirs ?? name])]);
        if (theirs !== undefined) expect(readFileSync(join(cwd, theirs)).equals(old)).toBe(true);
      }
    },
  );
});

async function directoryOf(files: Files): Promise<string> {
  const directory = await temporaryDirectory();
  for (const [name, octets] of Object.entries(files)) writeFileSync(join(directory, name), octets);
  return directory;
}

const hook = fileURLToPath(new URL("support/die-at.cjs", import.meta.url));

/** Runs the program and kills it at that step; false when it has fewer. */
async function killed(step: number, args: readonly string[], cwd: string): Promise<boolean> {
  const env = { NODE_OPTIONS: `--require ${hook}`, DIE_AT: String(step) };
  const { signal, status, stderr } = await run(args, { cwd, env });
  if (signal === null) expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return signal !== null;
}

/** No name ever holds a part of the document that wasn't there before. */
function expectOldOrNew(cwd: string, files: Files, name: string, step: number): void {
  for (const each of new Set(["x", name])) {
    const path = join(cwd, each);
    const found = existsSync(path) ? readFileSync(path) : undefined;
    const allowed = [files[each], whole].some((octets) => found && octets?.equals(found));
    const isMissing = found === undefined && files[each] !== old;
    expect(allowed || isMissing, `${each} at step ${step}`).toBe(true);
  }
}

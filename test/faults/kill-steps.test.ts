import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Gap } from "../../src/files/gaps.ts";
import { noOwner, ownerName, thisProcess } from "../../src/files/part/owner.ts";
import { generatedOctets } from "../support/generated.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { statesOf } from "./support/kept-states.ts";

const size = 200_000;
const whole = generatedOctets(9, 0, size);
const half = whole.subarray(0, size / 2);
const old = Buffer.from("old");
const gone = ownerName({ ...thisProcess(), pid: 1, start: "1" });
const modified = "2020-01-02T03:04:05.000Z";
const none = Buffer.alloc(0);
const partial = (url: string, owner: string, data = half, missing: Gap[] | null = null): Files => ({
  "x.ftpull/data": data,
  "x.ftpull/state.json": Buffer.from(JSON.stringify({ url, size, modified, missing })),
  [`x.ftpull/${owner}`]: none,
});

const gap: Gap = [size / 4, size / 2];
/** With octets behind a gap. */
const pieces = Buffer.from(whole).fill(0, ...gap);

type Files = Readonly<Record<string, Buffer>>;

interface Case {
  readonly args?: readonly string[];
  readonly before?: (url: string) => Files;
  /** The name that the document gets; default "x". */
  readonly name?: string;
  readonly length?: number;
}

const cases: [claim: string, Case][] = [
  ["a new file", {}],
  ["a file that is replaced", { args: ["-f"], before: () => ({ x: old }) }],
  ["a file beside another", { before: () => ({ x: old }), name: "x.1" }],
  [
    "a new file where another document's octets are",
    { before: (url) => partial(`${url}.old`, noOwner) },
  ],
  ["a new file where a killed run's octets are", { before: (url) => partial(url, gone) }],
  ["a document that is continued", { args: ["-c"], before: (url) => partial(url, noOwner) }],
  ["one that a killed run left", { args: ["-c"], before: (url) => partial(url, gone) }],
  [
    "pieces that are continued",
    { args: ["-c"], before: (url) => partial(url, gone, pieces, [gap]) },
  ],
  ["a plain file that is continued", { args: ["-c"], before: () => ({ x: half }) }],
  ["a small file", { length: 600 }],
  ["a small file that is replaced", { args: ["-f"], before: () => ({ x: old }), length: 600 }],
];

describe("killed before each step that changes a file, and gone on with by -c", () => {
  test.each(cases)("%s", async (_claim, { args = [], before, name = "x", length = size }) => {
    const server = await startServer({ files: { x: { size: length, seed: 9 } } });
    const whole = generatedOctets(9, 0, length);
    const url = server.url("/x");
    const files = before?.(url) ?? {};
    const states = await statesOf(["-q", ...args, url], await directoryOf(files));
    for (const [step, cwd] of states.entries()) {
      expectOldOrNew(cwd, files, name, whole, step);
      const words = [...(name === "x" ? [] : ["-O", name]), url];
      // Without octets of the killed run, -c would build on the old file, and refuses it.
      const isRefused = name === "x" && isOld(cwd) && !hasOctets(cwd);
      if (isRefused) expect((await run(["-qc", ...words], { cwd })).status, `step ${step}`).toBe(9);
      if (isRefused) expect(isOld(cwd), `step ${step}`).toBe(true);
      const result = await run([isRefused ? "-qf" : "-qc", ...words], { cwd });
      expect(result, `step ${step}`).toMatchObject({ status: 0, stderr: "" });
      expect(readFileSync(join(cwd, name)).equals(whole), `step ${step}`).toBe(true);
      expect(readdirSync(cwd), `step ${step}`).toEqual([...new Set(["x", name])]);
    }
  });
});

function isOld(cwd: string): boolean {
  const path = join(cwd, "x");
  return existsSync(path) && readFileSync(path).equals(old);
}

function hasOctets(cwd: string): boolean {
  const path = join(cwd, "x.ftpull/data");
  return existsSync(path) && statSync(path).size > 0;
}

async function directoryOf(files: Files): Promise<string> {
  const directory = await temporaryDirectory();
  for (const [name, octets] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), octets);
  }
  return directory;
}

/** No name ever holds a part of the document that wasn't there before. */
function expectOldOrNew(
  cwd: string,
  files: Files,
  name: string,
  whole: Buffer,
  step: number,
): void {
  for (const each of new Set(["x", name])) {
    const path = join(cwd, each);
    const found = existsSync(path) ? readFileSync(path) : undefined;
    const allowed = [files[each], whole].some((octets) => found && octets?.equals(found));
    const isMissing = found === undefined && files[each] !== old;
    expect(allowed || isMissing, `${each} at step ${step}`).toBe(true);
  }
}

/** A partial file that is no longer the one that was written: nothing of it gets the name. */
import * as fs from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { Gate, proceed, reset, transfer, until } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import type { RunResult } from "../support/run.ts";
import { runInRealTime as run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const size = 4 * 1024 * 1024;
const pausedAt = 400_000;
const whole = generatedOctets(3, 0, size);
const files = { x: { size, seed: 3 }, y: { size: 200_000, seed: 4 } };

let cwd: string;
let part: string;
/** Opened when the harm is done. */
let gate: Gate;
beforeEach(async () => {
  gate = new Gate();
  cwd = await temporaryDirectory();
  part = join(cwd, "x.ftpull/data");
});

const theirs = "another program's";
const replace = (): void => {
  fs.writeFileSync(join(cwd, "new"), theirs);
  fs.renameSync(join(cwd, "new"), part);
};

interface Harm {
  readonly harm: () => void;
  readonly words: string;
  readonly left: readonly string[];
}

const removed = "it was removed or moved away: no such file or directory";
const changed = "another program changed it: expected ";
const harms: [claim: string, Harm][] = [
  ["was removed", { harm: () => fs.rmSync(part), words: removed, left: [] }],
  ["was replaced", { harm: replace, words: "another file was put in its place", left: [] }],
  ["was emptied", { harm: () => fs.truncateSync(part), words: changed, left: [] }],
  ["was cut", { harm: () => fs.truncateSync(part, pausedAt - 1), words: changed, left: [] }],
];

/** Holds a transfer up until the harm is done. */
const paused = (): Action => transfer({ pause: { after: pausedAt, until: gate.opened } });

/** Sends all octets, and confirms that once the harm is done. */
const unconfirmed = (): Action =>
  transfer({ completion: [until(gate.opened), "226 Transfer complete"] });

/** Fetches x, the last of the paths, with this harm done to its file when that had so many octets. */
async function harmed(
  on: Record<string, Action>,
  harm: () => void,
  octets: number,
  { args = [], paths = ["/x"] }: { args?: string[]; paths?: string[] } = {},
): Promise<RunResult> {
  const server = await startServer({ files, on });
  const urls = paths.map((path) => server.url(path));
  const running = run(["-q", ...args, ...urls], { cwd });
  await expect
    .poll(() => fs.existsSync(part) && fs.statSync(part).size)
    .toBeGreaterThanOrEqual(octets);
  harm();
  gate.open();
  const result = await running;
  return { ...result, stderr: result.stderr.replaceAll(server.url("/x"), "URL") };
}

function expectNothing({ status, stderr }: RunResult, { words, left }: Harm): void {
  const [first, ...others] = stderr.trimEnd().split("\n");
  expect(first).toContain(`ftpull: URL: cannot write "x.ftpull/data": ${words}`);
  expect(others.join("\n")).not.toContain("kept");
  expect(status).toBe(3);
  expect(fs.readdirSync(cwd)).toEqual(left);
}

function expectNothingOrWhole({ status, stderr }: RunResult): void {
  expect(fs.readdirSync(cwd)).toEqual(status === 0 ? ["x"] : []);
  if (status !== 0)
    expect(stderr).toContain('cannot read "x.ftpull/data": no such file or directory\n');
  else expect(fs.readFileSync(join(cwd, "x")).equals(whole)).toBe(true);
}

describe("a partial file that is in the making", () => {
  test.each(harms)("and that %s gets no name", async (_claim, given) => {
    expectNothing(await harmed({ RETR: paused() }, given.harm, pausedAt), given);
  });

  test.each(harms.slice(0, 2))(
    "over two connections and that %s gets none",
    async (_, { harm }) => {
      const octets = size / 2 + pausedAt - 5000;
      expectNothingOrWhole(await harmed({ RETR: paused() }, harm, octets, { args: ["-s", "2"] }));
    },
  );

  test.each(harms)("of -O with one document whole and that %s gets none", async (_claim, given) => {
    const words = { args: ["-O", "x"], paths: ["/y", "/x"] };
    const octets = 200_000 + pausedAt;
    const { status, stderr } = await harmed({ "RETR x": paused() }, given.harm, octets, words);
    expect(stderr).toContain(given.words);
    expect(status).toBe(3);
    expect(fs.readdirSync(cwd)).toEqual(given.left);
  });
});

describe("a partial file that has all octets, but whose transfer isn't confirmed yet,", () => {
  const longer = { harm: () => fs.appendFileSync(part, "more"), words: changed, left: [] };

  test.each<[claim: string, Harm]>([...harms, ["has become longer", longer]])(
    "and that %s gets no name",
    async (_claim, given) => {
      expectNothing(await harmed({ RETR: unconfirmed() }, given.harm, size), given);
    },
  );
});

test.each(harms)("one that %s between two tries isn't built on", async (_claim, { harm }) => {
  const on = {
    "RETR#1": transfer({ first: pausedAt, completion: reset }),
    "USER#2": [until(gate.opened), proceed],
  };
  expectNothingOrWhole(await harmed(on, harm, pausedAt, { args: ["--waitretry=0"] }));
});

test("a file of that size and content put in its place isn't taken for it", async () => {
  const harm = (): void => {
    fs.rmSync(part);
    fs.writeFileSync(part, whole);
  };
  expect(await harmed({ RETR: unconfirmed() }, harm, size)).toMatchObject({ status: 3 });
  expect(fs.readdirSync(cwd)).toEqual([]);
});

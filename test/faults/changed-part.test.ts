/** A partial file that is no longer the one that was written: nothing of it gets the name. */
import * as fs from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
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
const modified = new Date("2020-01-02T03:04:05Z");
const files = { x: { content: { size, seed: 3 }, modified } };

let cwd: string;
let part: string;
/** Opened when the harm is done. */
let gate: Gate;
beforeEach(async () => {
  gate = new Gate();
  cwd = await temporaryDirectory();
  part = join(cwd, "x.ftpull");
});

const replace = (): void => {
  fs.writeFileSync(join(cwd, "new"), "another program's");
  fs.renameSync(join(cwd, "new"), part);
};

const harms: [claim: string, harm: () => void][] = [
  ["was removed", () => fs.rmSync(part)],
  ["was replaced", replace],
  ["was emptied", () => fs.truncateSync(part)],
  ["was cut", () => fs.truncateSync(part, pausedAt - 1)],
  ["lost its state", () => fs.rmSync(`${part}.json`)],
];

/** Fetches x, with this harm done to its file when that had so many bytes. */
async function harmed(
  on: Record<string, Action>,
  harm: () => void,
  octets: number,
  ...args: string[]
): Promise<RunResult> {
  const server = await startServer({ files, on });
  const running = run(["-q", ...args, server.url("/x")], { cwd });
  await expect
    .poll(() => fs.existsSync(part) && fs.statSync(part).size)
    .toBeGreaterThanOrEqual(octets);
  harm();
  gate.open();
  return running;
}

/** What was cut without the knowledge of the program may be written behind: the length tells. */
function expectNothing({ status, stderr }: RunResult): void {
  expect(stderr).toMatch(/cannot (?:write|read) "x.ftpull": /);
  expect(status).toBe(3);
  const names = fs.readdirSync(cwd);
  expect(names.filter((name) => !name.startsWith("x.ftpull"))).toEqual([]);
  // Nothing of it may be resumed.
  if (names.includes("x.ftpull.json")) expect.unreachable();
}

/** Sends all bytes, and confirms that once the harm is done. */
const unconfirmed = (): Action =>
  transfer({ completion: [until(gate.opened), "226 Transfer complete"] });

test.each<[claim: string, harm: () => void]>([
  ...harms,
  ["has become longer", () => fs.appendFileSync(part, "more")],
  [
    "was replaced by one of that size and content",
    () => (fs.rmSync(part), fs.writeFileSync(part, whole)),
  ],
])(
  "a partial file that has all bytes, but no confirmation, and that %s gets no name",
  async (_claim, harm) => {
    expectNothing(await harmed({ RETR: unconfirmed() }, harm, size));
  },
);

test.each(harms)("one that %s between two tries isn't built on", async (_claim, harm) => {
  const on = {
    "RETR#1": transfer({ first: pausedAt, completion: reset }),
    "USER#2": [until(gate.opened), proceed],
  };
  const { status } = await harmed(on, harm, pausedAt, "--waitretry=0");
  if (status === 0) expect(fs.readFileSync(join(cwd, "x")).equals(whole)).toBe(true);
  expect(fs.existsSync(join(cwd, "x"))).toBe(status === 0);
});

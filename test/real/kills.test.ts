/** kill -9 at random times of a download from a real server, and -c: nothing is lost or mixed up. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { Random } from "../faults/support/random.ts";
import { campaign } from "../support/campaign.ts";
import { isLong } from "../support/long.ts";
import { startProgram } from "../support/run.ts";
import { runInRealTime as run } from "../support/run-here.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { describeEachServer } from "./support/each-server.ts";
import { largeFile, sha256 } from "./support/tree.ts";

const name = largeFile.pathname;
const whole = sha256(largeFile.content());
const old = "the old document\n";

const pace = ["-q", "--limit-rate", "40M"];

describeEachServer(
  "killed at random times, and gone on with by -c",
  (server, kind) => {
    test("the document is whole in the end", { timeout: 7_200_000 }, async () => {
      const url = server().url(`/${name}`);
      const cwd = await temporaryDirectory();
      const duration = await durationOf(url, cwd);
      const kills = { title: `kills, ${kind}`, sample: 4, full: 100, width: 1, budgetMs: 40_000 };
      await campaign(kills, (seed) => killTwice(url, cwd, duration, seed));
    });
  },
  { kinds: isLong ? ["vsftpd", "pure-ftpd"] : ["vsftpd"] },
);

async function durationOf(url: string, cwd: string): Promise<number> {
  const began = performance.now();
  expect(await run([...pace, url], { cwd })).toMatchObject({ status: 0, stderr: "" });
  rmSync(join(cwd, name));
  return performance.now() - began;
}

async function killTwice(url: string, cwd: string, duration: number, seed: number) {
  const random = new Random(seed);
  const replaces = random.chance(0.5);
  const path = join(cwd, name);
  if (replaces) writeFileSync(path, old);
  const first = random.below(duration);
  await killedAfter(first, [...(replaces ? ["-f"] : []), url], cwd);
  const before = [replaces ? old : undefined, whole];
  expect(document(path), `killed after ${first} ms`).toBeOneOf(before);
  const second = random.below(duration);
  await killedAfter(second, ["-c", url], cwd);
  const when = `killed after ${first} and ${second} ms`;
  expect(document(path), when).toBeOneOf(before);
  // Without octets of a killed run, -c would build on the old document, and refuses it.
  const data = statSync(join(cwd, `${name}.ftpull/data`), { throwIfNoEntry: false });
  const isRefused = document(path) === old && !data?.size;
  if (isRefused) expect((await run(["-qc", url], { cwd })).status, when).toBe(9);
  if (isRefused) expect(document(path), when).toBe(old);
  const last = await run([isRefused ? "-qf" : "-qc", url], { cwd });
  expect(last, when).toMatchObject({ status: 0, stderr: "" });
  expect(document(path), when).toBe(whole);
  expect(readdirSync(cwd), when).toEqual([name]);
  rmSync(path);
}

/** Runs the program, and kills it after so many milliseconds. */
async function killedAfter(moment: number, args: readonly string[], cwd: string) {
  const program = await startProgram([...pace, ...args], { cwd });
  await delay(moment);
  program.child.kill("SIGKILL");
  await program.finished;
}

/** The old document as it is, any other as its checksum. */
function document(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const octets = readFileSync(path);
  return octets.length < 100 ? octets.toString("latin1") : sha256(octets);
}

/** kill -9 at random times of a download from a real server, and the same command: nothing is lost or mixed up. */
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
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
const old = Buffer.from("the old file\n");

const pace = ["-q", "--limit-rate", "40M"];

describeEachServer(
  "killed at random times, and run again",
  (server, kind) => {
    test("the file is whole in the end", { timeout: 7_200_000 }, async () => {
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
  const path = join(cwd, name);
  const option = random.pick(["-N", "-f", "-c"]);
  const begins = option === "-c" && random.chance(0.5);
  const before = begins ? largeFile.content().subarray(0, 100_000) : old;
  const replaces = option !== "-c" || begins;
  if (replaces) writeFileSync(path, before);
  if (!begins && replaces) utimesSync(path, 0, 0);
  const allowed = [replaces ? shown(before) : undefined, whole];
  for (const moment of [random.below(duration), random.below(duration)]) {
    await killedAfter(moment, [option, url], cwd);
    expect(document(path), `killed after ${moment} ms`).toBeOneOf(allowed);
  }
  const last = await run(["-q", option, url], { cwd });
  expect(last).toMatchObject({ status: 0, stderr: "" });
  expect(document(path)).toBe(whole);
  const left = readdirSync(cwd).filter((one) => !/^\.ftpull-|\.ftpull\.json$/.test(one));
  expect(left).toEqual([name]);
  for (const one of readdirSync(cwd)) rmSync(join(cwd, one));
}

/** Runs the program, and kills it after so many milliseconds. */
async function killedAfter(moment: number, args: readonly string[], cwd: string) {
  const program = await startProgram([...pace, ...args], { cwd });
  await delay(moment);
  program.child.kill("SIGKILL");
  await program.finished;
}

function document(path: string): string | undefined {
  return existsSync(path) ? shown(readFileSync(path)) : undefined;
}

/** A short content as it is, any other as its checksum. */
function shown(octets: Buffer | string): string {
  return octets.length < 100 ? octets.toString("latin1") : sha256(Buffer.from(octets));
}

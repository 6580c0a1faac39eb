/** A file that is replaced on a real server while segments of it arrive: the one or the other is saved. */
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { generatedOctets } from "../support/generated.ts";
import { replacementOf } from "../support/replacement.ts";
import { startProgram } from "../support/run.ts";
import { describeEachServer } from "./support/each-server.ts";

const size = 9 * 2 ** 20;
const first = generatedOctets(1, 0, size);
const second = replacementOf(first);
const overlap = 4096;

const root = mkdtempSync(join(tmpdir(), "ftpull-"));
chmodSync(root, 0o755);
afterAll(() => rmSync(root, { recursive: true, force: true }));

describeEachServer(
  "a file that is replaced during -s",
  (server) => {
    test("is fetched anew", async () => {
      put(first, 1);
      // Of three pieces two are begun; the third is another connection's, and later shared by both.
      const options = ["-s", "3", "--limit-rate", "6M", "--tries", "1"];
      const program = await startProgram([...options, server().url("/x.bin")]);
      const { child, cwd } = program;
      const hasEnded = (): boolean => child.exitCode !== null;
      while (!hasBegunTwice(join(cwd, "x.bin.ftpull")) && !hasEnded()) await delay(10);
      child.kill("SIGSTOP");
      put(second, 2);
      child.kill("SIGCONT");
      const { status, stderr } = await program.finished;
      expect(status, stderr).toBe(0);
      // On a machine that stood still for seconds the first file had arrived before it was replaced.
      const isNoticed = stderr.includes("the file has changed on the server; beginning again");
      const whole = isNoticed ? second : first;
      expect(readFileSync(join(cwd, "x.bin")).equals(whole), stderr).toBe(true);
      expect(readdirSync(cwd)).toEqual(["x.bin"]);
    });
  },
  { kinds: ["vsftpd"], options: { root, config: ["max_per_ip=2"] } },
);

/** Puts a file in the place of the one that is there: who has that open goes on with it. */
function put(octets: Buffer, seconds: number): void {
  const fresh = join(root, "fresh");
  writeFileSync(fresh, octets, { mode: 0o644 });
  utimesSync(fresh, seconds, seconds);
  renameSync(fresh, join(root, "x.bin"));
}

function hasBegunTwice(part: string): boolean {
  const stats = statSync(part, { throwIfNoEntry: false });
  if (stats === undefined || stats.size <= size / 3 + overlap) return false;
  const start = readFileSync(part).subarray(0, overlap);
  return start.equals(first.subarray(0, overlap));
}

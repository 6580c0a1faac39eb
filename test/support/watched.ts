/**
 * Runs the program for tests of its memory. The program's output is read late, and only its lines are
 * counted. `heapMB` limits V8's heap: the amount of garbage would depend on the machine.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { watchMemory } from "./memory.ts";
import { launcher, node } from "./run.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const lateMs = 300;

export async function watched(args: readonly string[], heapMB?: number) {
  const cwd = await temporaryDirectory();
  const limit = heapMB === undefined ? {} : { NODE_OPTIONS: `--max-old-space-size=${heapMB}` };
  const env = { PATH: process.env["PATH"], HOME: cwd, FTPULL_NO_CACHE: "1", ...limit };
  const child = spawn(node, [launcher, ...args], { cwd, env });
  const memory = watchMemory(child.pid ?? 0);
  let lines = 0;
  child.stderr.resume();
  child.stdout.once("data", () => {
    child.stdout.pause();
    setTimeout(() => child.stdout.resume(), lateMs);
  });
  child.stdout.on("data", (chunk: Buffer) => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
  });
  const [status] = (await once(child, "close")) as [number | null];
  return { status, lines, peakMB: memory.peakMB() };
}

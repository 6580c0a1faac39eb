/** Runs programs in turn and measures them: A B A B, so that a busy minute meets them all. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { watchMemory } from "../support/memory.ts";
import type { Scene } from "./scenes.ts";

/** A command line; it runs in an empty directory of its own. */
export type Program = readonly [file: string, ...args: string[]];

export interface Figures {
  /** Milliseconds. */
  readonly wall: number;
  /** User and system time in milliseconds, in steps of 10. */
  readonly cpu: number;
  /** The most memory that was resident, in MB; 0 where the run was too short to look. */
  readonly memory: number;
}

/** The medians of so many runs of each program, each of which writes so many MiB, under the programs' names. */
export async function medians(
  programs: ReadonlyMap<string, Program>,
  rounds: number,
  directory: string,
  { writesMiB = 0, before = {} }: Pick<Scene, "writesMiB" | "before">,
): Promise<ReadonlyMap<string, Figures>> {
  const runs = new Map([...programs.keys()].map((name) => [name, [] as Figures[]]));
  for (let round = 0; round < rounds; round++)
    for (const [name, program] of programs) {
      warm(directory, writesMiB);
      runs.get(name)?.push(await measure(program, directory, before[name]));
    }
  return new Map([...runs].map(([name, figures]) => [name, median(figures)]));
}

/**
 * Memory that a virtual machine has given back costs far more than other at the first touch, and
 * which program gets it is chance: none does, when all of it was in use just now.
 */
function warm(directory: string, mebibytes: number): void {
  const file = join(directory, "warm");
  const piece = Buffer.alloc(1024 * 1024, 1);
  for (let written = 0; written < mebibytes; written++) writeFileSync(file, piece, { flag: "a" });
  rmSync(file, { force: true });
}

async function measure(
  [file, ...args]: Program,
  directory: string,
  before: Program | undefined,
): Promise<Figures> {
  const cwd = mkdtempSync(join(directory, "run-"));
  const env = {
    PATH: process.env["PATH"],
    HOME: cwd,
    XDG_CACHE_HOME: resolve(".cache"),
    LC_ALL: "C.UTF-8",
  };
  if (before !== undefined) execFileSync(before[0], before.slice(1), { cwd, env });
  const cpuBefore = childrenCpuMs();
  const begun = performance.now();
  const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const memory = watchMemory(child.pid ?? 0);
  let complaints = "";
  child.stdout.resume();
  child.stderr.on("data", (chunk: Buffer) => (complaints += chunk.toString()));
  const [status] = (await once(child, "close")) as [number | null];
  const wall = performance.now() - begun;
  const figures = { wall, cpu: childrenCpuMs() - cpuBefore, memory: Math.round(memory.peakMB()) };
  rmSync(cwd, { recursive: true });
  if (status !== 0) throw new Error(`${file} ${args.join(" ")}: status ${status}\n${complaints}`);
  return figures;
}

/** The CPU time of this process's children that have ended: proc(5), cutime and cstime. */
function childrenCpuMs(): number {
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

function median(runs: readonly Figures[]): Figures {
  const middle = (of: (run: Figures) => number): number =>
    runs.map(of).sort((one, other) => one - other)[Math.floor(runs.length / 2)] ?? NaN;
  return {
    wall: middle((run) => run.wall),
    cpu: middle((run) => run.cpu),
    memory: middle((run) => run.memory),
  };
}

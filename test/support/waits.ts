/** A clock of its own for the program under test, so that waiting takes no time or a known one. */
import type { RunOptions, RunResult } from "./run.ts";
import { run, waits } from "./run-here.ts";

const NODE_OPTIONS = waits;

/** The environment in which the program's waits take so many times as long as they should. */
export function waitsTimes(factor: number): Record<string, string> {
  return { NODE_OPTIONS, WAITS: String(factor) };
}

/** The environment in which waits take no time, and the program's clock counts them alone. */
export const countedWaits: Record<string, string> = { ...waitsTimes(0), CLOCK: "waits" };

/** The environment in which the program gives up, and ends, only after a minute and more. */
export const patientTimers: Record<string, string> = { NODE_OPTIONS, TIMERS: "60" };

/** The environment in which the program waits longer than a second for a reply that may not come. */
export const patientReplies: Record<string, string> = { NODE_OPTIONS, GRACE: "5" };

/** Runs the program to its end; its tries follow each other at once. */
export function runWithoutWaits(
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  return run(args, { ...options, env: { ...waitsTimes(0), ...options.env } });
}

import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { localTree } from "../support/local-tree.ts";
import { isLong } from "../support/long.ts";
import { type RunResult, startProgram } from "../support/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { inPool } from "./support/pool.ts";
import { Random } from "./support/random.ts";
import { StormTree } from "./support/storm-tree.ts";

/** STORM_SEED=n repeats one run. */
const only = process.env["STORM_SEED"];
const first = Number(only ?? 1);
const trees = only === undefined ? (isLong ? 300 : 8) : 1;

/** Commands with faults; the last one has none. */
const mostCommands = 6;

const longestMs = 600_000;

const claim = "-r, until its status is 0, brings the whole tree, whatever befalls it";

test(`${claim}: ${trees} trees`, { timeout: longestMs + trees * 30_000 }, async () => {
  const seeds = Array.from({ length: trees }, (_, index) => first + index);
  const results = await inPool(seeds, 6, storm);
  const failures = results.filter((result) => result !== undefined);
  const failed = seeds.filter((_, index) => results[index] !== undefined).join(" ");
  expect(failures.slice(0, 3).join("\n\n"), `failed: ${failed}`).toBe("");
});

/** Resolves with what was wrong with a run. */
async function storm(seed: number): Promise<string | undefined> {
  const random = new Random(seed);
  const tree = await StormTree.start(random);
  const cwd = await temporaryDirectory();
  const jobs = ["-j", random.pick(["1", "3", "5"])];
  const args = ["-r", "--progress", "none", ...jobs, tree.server.url("/t/")];
  const said: string[] = [];
  try {
    for (let number = 1, status = NaN; status !== 0; number++) {
      const isLast = number > mostCommands;
      tree.rage(isLast ? 0 : 1 + random.below(12));
      const program = await startProgram(isLast ? args : ["-t", "2", "-T", "3", ...args], {
        cwd,
        timeoutMs: longestMs,
      });
      const isKilled = !isLast && random.chance(0.4);
      const signal = random.pick(["SIGINT", "SIGKILL"] as const);
      if (isKilled) tree.atRetrieval(1 + random.below(20), () => program.child.kill(signal));
      const result = await program.finished;
      said.push(`ftpull ${args.join(" ")}`, result.stderr, `status ${result.status}`);
      check(result, tree, isLast);
      status = result.status ?? NaN;
    }
    return undefined;
  } catch (error) {
    const report = [`STORM_SEED=${seed}`, ...said, String(error), tree.server.transcript()];
    return report.join("\n");
  } finally {
    await tree.server.close().catch(() => undefined); // that a client left is no mistake of a script
  }
}

function check({ status, signal, stderr, cwd }: RunResult, tree: StormTree, isLast: boolean): void {
  const statuses = [0, 4, 6, 7, 8, 9, "SIGINT", "SIGKILL"];
  expect(isLast ? [0] : statuses).toContain(signal ?? status);
  expect(stderr).not.toMatch(/^ +at |\bWarning\b|\w+Error\b|\(node:|undefined|NaN|(?!\n)\p{Cc}/mu);
  const here = readdirSync(cwd).length === 0 ? {} : localTree(cwd);
  const named = Object.entries(here).filter(([path]) => path in tree.expected);
  for (const [path, octets] of named)
    expect(octets === tree.expected[path], `${path} is whole`).toBe(true);
  if (status !== 0) return;
  expect(Object.keys(here).toSorted()).toEqual(Object.keys(tree.expected).toSorted());
}

import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { campaign } from "../support/campaign.ts";
import { localTree } from "../support/local-tree.ts";
import { type RunResult, startProgram } from "../support/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { Random } from "./support/random.ts";
import { StormTree } from "./support/storm-tree.ts";

/** Commands with faults; the last one has none. */
const mostCommands = 6;

const longestMs = 600_000;

const storms = {
  title: "storms of trees: -r, until its status is 0, brings the whole tree, whatever befalls it",
  sample: 5,
  full: 300,
  width: 6,
  budgetMs: 100_000,
};

test(storms.title, { timeout: 7_200_000 }, () => campaign(storms, storm));

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
    const report = [...said, String(error), tree.server.transcript()];
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
  for (const [path, octets] of Object.entries(here).filter(([path]) => tree.paths.includes(path)))
    expect(tree.isWhole(path, octets), `${path} is whole`).toBe(true);
  if (status !== 0) return;
  // A kill while a small file is given its name leaves the private one, which nothing points to.
  const found = Object.keys(here).filter((path) => !/(^|\/)\.ftpull-[0-9a-f]{16}$/.test(path));
  const others = found.filter((path) => !tree.paths.includes(path));
  expect(others, "names that the server hasn't").toEqual([]);
  expect(found.toSorted()).toEqual(tree.paths.toSorted());
}

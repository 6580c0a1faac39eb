import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { campaign } from "../support/campaign.ts";
import { localTree } from "../support/local-tree.ts";
import { leaveMark } from "../support/mirror-mark.ts";
import { leavePart } from "../support/part.ts";
import { type RunResult, startProgram } from "../support/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { Random } from "./support/random.ts";
import { StormTree } from "./support/storm-tree.ts";

/** Commands with faults; the last ones have none. */
const mostCommands = 6;

const storms = {
  title:
    "storms of trees: -r --delete removes what the server lacks, and nothing else, whatever befalls it",
  sample: 5,
  full: 300,
  width: 6,
  budgetMs: 90_000,
};

test(storms.title, { timeout: 7_200_000 }, () => campaign(storms, storm));

/** Files that the server never had, and what isn't the tree's. */
const strange = ["t/old", "t/a/old", "t/was/deep/x"];
const outside = { "outside/": "", "outside/mine": "x", "u/": "", "u/mine": "x" };

async function folder(url: string): Promise<string> {
  const cwd = await temporaryDirectory();
  for (const path of [...strange, "outside/mine", "u/mine"]) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), "x");
  }
  symlinkSync("../outside", join(cwd, "t/away"));
  leavePart(join(cwd, "t/was/part"), "x", { url: "ftp://h/part" });
  leaveMark(join(cwd, "t"), url);
  return cwd;
}

/** Paths in the folder, without the program's own. */
function pathsIn(cwd: string): string[] {
  const paths = readdirSync(cwd).length === 0 ? [] : Object.keys(localTree(cwd));
  return paths.filter((path) => !path.includes(".ftpull"));
}

/** Resolves with what was wrong with a run. */
async function storm(seed: number): Promise<string | undefined> {
  const random = new Random(seed);
  const tree = await StormTree.start(random);
  const cwd = await folder(tree.server.url("/t/"));
  const jobs = ["-j", random.pick(["1", "3", "5"])];
  const args = ["-r", "--delete", "--progress", "none", ...jobs, tree.server.url("/t/")];
  const said: string[] = [];
  try {
    for (let number = 1, calm = 0; calm < 2; number++) {
      const isCalm = number > mostCommands || calm > 0;
      tree.rage(isCalm ? 0 : 1 + random.below(8));
      const before = pathsIn(cwd);
      const program = await startProgram(isCalm ? args : ["-t", "2", "-T", "3", ...args], {
        cwd,
        timeoutMs: 600_000,
      });
      const left: string[] = [];
      const signal = random.pick(["SIGINT", "SIGKILL"] as const);
      const event = isCalm ? "none" : random.pick(["kill", "change", "none"]);
      tree.atRetrieval(1 + random.below(20), (root) => {
        if (event === "kill") program.child.kill(signal);
        if (event !== "change") return;
        left.push(tree.remove(root));
        tree.add(root, cwd);
      });
      const result = await program.finished;
      said.push(`ftpull ${args.join(" ")}`, result.stderr, `status ${result.status}`);
      check(result, tree, before, left);
      if (isCalm) expect(result.status).toBe(0);
      calm = result.status === 0 ? calm + 1 : 0;
    }
    return undefined;
  } catch (error) {
    return [...said, String(error), tree.server.transcript()].join("\n");
  } finally {
    await tree.server.close().catch(() => undefined); // that a client left is no mistake of a script
  }
}

/** `left` are files that left the server during the run. */
function check(
  { status, stderr, cwd }: RunResult,
  tree: StormTree,
  before: readonly string[],
  left: readonly string[],
): void {
  const paths = new Set(tree.paths);
  const here = pathsIn(cwd);
  const lost = before.filter((path) => !here.includes(path));
  expect(lost.filter((path) => paths.has(path))).toEqual([]);
  expect(localTree(cwd)).toMatchObject(outside);
  const mayDelete = status === null || (status === 0 && !stderr.includes("nothing was deleted"));
  if (!mayDelete) expect(lost).toEqual([]);
  if (status !== 0) return;
  const strangers = here.filter((path) => !paths.has(path) && !(path in outside));
  if (mayDelete) expect(strangers.filter((path) => !left.includes(path))).toEqual([]);
  expect([...paths].filter((path) => !here.includes(path))).toEqual([]);
}

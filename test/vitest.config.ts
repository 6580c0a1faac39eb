import { mkdirSync } from "node:fs";
import { availableParallelism, homedir } from "node:os";
import { join, resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const results = process.env["TEST_RESULTS"];

/** A home without the user's own files, such as ~/.netrc; npm's cache stays where it is. */
const home = resolve(".cache/home");
mkdirSync(home, { recursive: true });
const { npm_config_cache = join(homedir(), ".npm") } = process.env;

/** Tests that take longest begin first, so that none of them runs alone at the end. */
const longest = [
  "documents/costs",
  "storm-others",
  "storm",
  "cli/terminal",
  "matrix",
  "trees-links",
  "kill-steps",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      longest.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
    const sorted = await super.sort(files);
    const first = sorted.filter((file) => rank(file) >= 0);
    const others = sorted.filter((file) => rank(file) < 0);
    return [...first.toSorted((one, other) => rank(one) - rank(other)), ...others];
  }
}

export default defineConfig({
  test: {
    root: ".",
    env: { HOME: home, TZ: "UTC", npm_config_cache },
    include: ["test/**/*.test.ts"],
    // What these need of the system's packages is installed by `npm run test:servers`.
    exclude: ["test/{servers,real,system}/**"],
    // They only matter where something hangs: no test may depend on a quiet machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 200_000, interval: 20 } },
    // A process for each file would take a third of all the time.
    isolate: false,
    // Tests mostly wait, for servers and for time to pass.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    reporters: results === undefined ? ["default"] : ["default", "json"],
    ...(results === undefined ? {} : { outputFile: { json: results } }),
  },
});

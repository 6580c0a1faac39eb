import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Where a machine wants to read what became of the tests; .ci/run does. */
const results = process.env["TEST_RESULTS"];

export default defineConfig({
  test: {
    root: ".",
    include: ["test/**/*.test.ts"],
    testTimeout: 20_000,
    // Tests mostly wait, for servers and for time to pass.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: results === undefined ? ["default"] : ["default", "json"],
    ...(results === undefined ? {} : { outputFile: { json: results } }),
  },
});

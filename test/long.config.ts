/**
 * What takes long: the campaigns in full, and the suites that run the built program, with every
 * version of Node that people have. The present Node runs the tests themselves.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

const { include: _all, ...common } = base.test ?? {};

const campaigns = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((path) => join("test", path))
  .filter((path) => path.endsWith(".test.ts"))
  .filter((path) => /support\/(?:long|campaign)\.ts/.test(readFileSync(path, "utf8")));

/** Tests of all that depends on Node: the dialogue, TLS, files and the start. */
const withEachNode = ["test/{conformance,start}/**/*.test.ts", "test/real/{tls,trees}.test.ts"];

function nodeBinary(major: number): string {
  const name = `node-${process.platform}-${process.arch}`;
  return resolve(`.cache/nodes/${major}/node_modules/${name}/bin/node`);
}

/** Nodes to test with: absent without a network, which is a failure where CI=true. */
const majors = [22, 24, 26].filter((major) => process.env["CI"] || existsSync(nodeBinary(major)));

export default defineConfig({
  test: {
    ...common,
    // As there: it only matters where something hangs.
    testTimeout: 7_200_000,
    // The projects differ by their environment, which modules keep.
    isolate: true,
    // A campaign starts many programs of its own.
    maxWorkers: availableParallelism(),
    projects: [
      { extends: true, test: { name: "campaigns", include: campaigns, env: { LONG: "1" } } },
      ...majors.map((major) => ({
        extends: true as const,
        test: {
          name: `node ${major}`,
          include: withEachNode,
          env: { TEST_NODE: nodeBinary(major) },
        },
      })),
    ],
  },
});

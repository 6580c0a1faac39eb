/** Several runs of one tree at once: each file arrives, by whichever run, and nothing else stays. */
import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { localFiles } from "../support/local-tree.ts";
import { isLong } from "../support/long.ts";
import { at, cwd, names, ownDirectory } from "../support/own-directory.ts";
import { run, startProgram } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";

const count = 250;
const paths = Array.from({ length: count }, (_, index) => `d/file-${index}`);
const files = Object.fromEntries(paths.map((path) => [path, `content of ${path}\n`]));

ownDirectory();

const rounds = Array.from({ length: isLong ? 20 : 2 }, (_, round) => round);

describe.each([2, 3])("%i runs of a new tree of small files", (runs) => {
  test.each(rounds)("bring it, and end with 0: round %i", async () => {
    const server = await startServer({ files });
    const args = ["-q", "-r", server.url("/d/")];
    const results = await Promise.all(Array.from({ length: runs }, () => run(args, { cwd })));
    for (const result of results) expect(result).toMatchObject({ status: 0, stderr: "" });
    expect(localFiles(cwd)).toEqual(files);
  });
});

test("what a run leaves that is killed among others goes with the next one", async () => {
  const server = await startServer({ files });
  const args = ["-q", "-r", server.url("/d/")];
  const killed = await startProgram(args, { cwd });
  const other = run(args, { cwd });
  await expect.poll(() => existsSync(at("d")) && readdirSync(at("d")).length).toBeGreaterThan(20);
  killed.child.kill("SIGKILL");
  await killed.finished;
  expect(await other).toMatchObject({ status: 0, stderr: "" });
  expect(await run(args, { cwd })).toMatchObject({ status: 0, stderr: "" });
  expect(names()).toEqual(["d"]);
  expect(localFiles(cwd)).toEqual(files);
});

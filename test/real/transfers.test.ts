/** The built program's other ways to fetch from the real servers: resumed, and one command at a time. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runInRealTime as run } from "../support/run-here.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { describeEachServer } from "./support/each-server.ts";
import { deepFile, largeFile, sha256 } from "./support/tree.ts";

const { pathname: name, content } = largeFile;

describeEachServer("ways of transfer", (server) => {
  test("-c resumes a file by its size", async () => {
    const cwd = await temporaryDirectory();
    const path = join(cwd, name);
    writeFileSync(path, content().subarray(0, 12_000_001));
    const result = await run(["-v", "-c", server().url(`/${name}`)], { cwd });
    expect(result.status).toBe(0);
    expect(result.stderr).toMatch(/> REST [1-9]/);
    expect(sha256(readFileSync(path))).toBe(sha256(content()));
  });

  test("-s 3 fetches one file in pieces", async () => {
    // Slow enough for all connections to be there before the first of them has fetched everything.
    const options = ["-v", "-s", "3", "--limit-rate", "10M"];
    const result = await run([...options, server().url(`/${name}`)]);
    expect(result.status).toBe(0);
    expect(result.stderr).toMatch(/> REST [1-9]/);
    expect(result.stderr).not.toMatch(/a connection less/);
    const octets = readFileSync(join(result.cwd, name));
    expect(sha256(octets)).toBe(sha256(content()));
  });

  test("--no-host and --no-pipelining come to the same", async () => {
    const options = ["--no-host", "--no-pipelining", "-O", "-"];
    const result = await run([...options, server().url(`/${deepFile.pathname}`)]);
    expect(result).toMatchObject({ status: 0, stdout: deepFile.content().toString() });
  });
});

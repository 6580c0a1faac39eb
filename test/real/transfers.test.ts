/** The built program's other ways to fetch from the real servers: resumed, and one command at a time. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../support/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { describeEachServer } from "./support/each-server.ts";
import { deepFile, sha256, sizedFiles, type TreeFile } from "./support/tree.ts";

const hundredMebibytes = sizedFiles.find((file) => file.pathname === "100m.bin") as TreeFile;

describeEachServer("ways of transfer", (server) => {
  test("-c resumes a file by its size", async () => {
    const cwd = await temporaryDirectory();
    const path = join(cwd, "100m.bin");
    writeFileSync(path, hundredMebibytes.content().subarray(0, 60_000_001));
    const result = await run(["-v", "-c", server().url("/100m.bin")], { cwd });
    expect(result.status).toBe(0);
    expect(result.stderr).toMatch(/> REST [1-9]/);
    expect(sha256(readFileSync(path))).toBe(sha256(hundredMebibytes.content()));
  });

  test("-s 3 fetches one file in three pieces", async () => {
    const result = await run(["-v", "-s", "3", server().url("/100m.bin")]);
    expect(result.status).toBe(0);
    const third = (100 * 1024 * 1024) / 3;
    for (const border of [Math.floor(third), Math.floor(2 * third)])
      expect(result.stderr).toContain(`> REST ${border - 4096}\n`);
    expect(result.stderr).not.toMatch(/a connection less/);
    const octets = readFileSync(join(result.cwd, "100m.bin"));
    expect(sha256(octets)).toBe(sha256(hundredMebibytes.content()));
  });

  test("--no-host and --no-pipelining come to the same", async () => {
    const options = ["--no-host", "--no-pipelining", "-O", "-"];
    const result = await run([...options, server().url(`/${deepFile.pathname}`)]);
    expect(result).toMatchObject({ status: 0, stdout: deepFile.content().toString() });
  });
});

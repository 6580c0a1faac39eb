/** The launcher: what it does without the bundle. */
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { launcher, node } from "../support/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test.skipIf(!existsSync("/dev/full"))("help and version that cannot be written fail", async () => {
  for (const word of ["--help", "--version"]) {
    const words = ["-c", `exec "$0" "$@" >/dev/full`, node, launcher, word];
    await expect(promisify(execFile)("sh", words)).rejects.toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^ftpull: cannot write standard output: .*no space left/),
    });
  }
});

test("a checkout that was not built says how it is built", async () => {
  const copy = await temporaryDirectory();
  for (const name of ["bin", "package.json"])
    cpSync(new URL(`../../${name}`, import.meta.url), join(copy, name), { recursive: true });
  const failure = promisify(execFile)(node, [join(copy, "bin/ftpull.js"), "-h"]);
  await expect(failure).rejects.toMatchObject({
    code: 1,
    stderr:
      `ftpull: cannot read the program: ENOENT: no such file or directory, open '${copy}/dist/ftpull.cjs'\n` +
      "hint: in a checkout, make the program with: npm ci && npm run build\n",
  });
});

test("--manual prints the text, also if the program is started by a link", async () => {
  const link = join(await temporaryDirectory(), "ftpull");
  symlinkSync(launcher, link);
  expect(execFileSync(link, ["--manual"]).toString()).toBe(readFileSync("man/ftpull.txt", "utf8"));
});

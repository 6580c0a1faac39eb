import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { launcher } from "../support/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test("--manual prints the text, also if the program is started by a link", async () => {
  const link = join(await temporaryDirectory(), "ftpull");
  symlinkSync(launcher, link);
  expect(execFileSync(link, ["--manual"]).toString()).toBe(readFileSync("man/ftpull.txt", "utf8"));
});

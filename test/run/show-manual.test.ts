/** --manual, with man(1) and without. */
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder-with.ts";
import { launcher } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { hasTerminals, withTerminal } from "../support/terminal.ts";

const text = readFileSync("man/ftpull.txt", "utf8");

test("into a pipe the program prints the text, also started by a link", async () => {
  expect(await run(["--manual"])).toMatchObject({ status: 0, stdout: text, stderr: "" });
  const link = join(await temporaryDirectory(), "ftpull");
  symlinkSync(launcher, link);
  expect(execFileSync(link, ["--manual"]).toString()).toBe(text);
});

async function onTerminal(man: string | undefined): Promise<{ output: string; status: number }> {
  const folder = await folderWith({ "bin/": "" });
  symlinkSync(process.execPath, join(folder, "bin/node"));
  if (man !== undefined) {
    writeFileSync(join(folder, "bin/man"), `#!/bin/sh\n${man}\n`);
    chmodSync(join(folder, "bin/man"), 0o755);
  }
  const run = await withTerminal(`PATH='${folder}/bin' node '${launcher}' --manual`, []);
  return { ...run, output: run.output.replaceAll("\r\n", "\n") };
}

test.skipIf(!hasTerminals())("on a terminal man(1) shows the page itself", async () => {
  const shown = await onTerminal('echo "shows $1"');
  expect(shown).toEqual({
    output: expect.stringMatching(/^shows \/.*\/man\/ftpull\.1\n$/),
    status: 0,
  });
});

test.skipIf(!hasTerminals())("where man(1) is missing or fails, the text comes", async () => {
  expect(await onTerminal(undefined)).toEqual({ output: text, status: 0 });
  expect(await onTerminal("exit 1")).toEqual({ output: text, status: 0 });
});

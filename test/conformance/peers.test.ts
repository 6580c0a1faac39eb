/** Dialogues of curl's and wget's test suites, each with its outcome here. */
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { filesIn, ftpull } from "./support/client.ts";
import { dialogues, type Files } from "./support/peers-dialogues.ts";

test.each(dialogues)("$source: $claim", async (dialogue) => {
  const server = await startServer(dialogue.server);
  const cwd = await temporaryDirectory();
  const home = await temporaryDirectory();
  fill(cwd, dialogue.here);
  writeFileSync(join(home, ".netrc"), dialogue.netrc);
  const args = dialogue.words.map((word) => filledIn(word, server.port));
  const result = await ftpull(["-nv", ...args], { cwd, env: { HOME: home } });
  expect(result.status, result.stderr).toBe(dialogue.status);
  expect(result.stderr).toContain(dialogue.says);
  expect(result.stdout.slice(0, dialogue.stdout.length)).toBe(dialogue.stdout);
  expect(wholeFilesIn(cwd)).toEqual(dialogue.files);
});

/** A URL with the server's address; another word with its blanks. */
function filledIn(word: string, port: number): string {
  return word.startsWith("ftp:")
    ? word.replace("HOST", `127.0.0.1:${port}`)
    : word.replace(/%(0D|0A|20)/g, (octet) => decodeURIComponent(octet));
}

function fill(folder: string, files: Files): void {
  for (const [name, file] of Object.entries(files)) {
    const { content, modified } =
      typeof file === "string" ? { content: file, modified: new Date() } : file;
    writeFileSync(join(folder, name), content);
    utimesSync(join(folder, name), modified, modified);
  }
}

/** The files of a folder without the mark of a tree and what a broken transfer has left for a later run. */
function wholeFilesIn(cwd: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filesIn(cwd)).filter(([path]) => !/\.ftpull(?:\/|-mirror$|$)/.test(path)),
  );
}

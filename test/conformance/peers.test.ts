/** Dialogues of curl's and wget's test suites, each with its outcome here. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { filesIn, ftpull } from "./support/client.ts";
import { content, dialogues, type PeerDialogue } from "./support/peers-dialogues.ts";

test.each(dialogues)("$source: $claim", async (dialogue) => {
  const { words = "ftp://HOST/x", tries = 1, status = 0, says = "", stdout } = dialogue;
  const server = await startServer({ files: { x: content }, features: false, ...dialogue.server });
  const cwd = await temporaryDirectory();
  const home = await temporaryDirectory();
  fill(cwd, dialogue.before ?? {});
  writeFileSync(join(home, ".netrc"), dialogue.netrc ?? "");
  const args = words.split(" ").map((word) => filledIn(word, server.port));
  const result = await ftpull(["-nv", ...args], { cwd, tries, env: { HOME: home } });
  expect(result.status, result.stderr).toBe(status);
  expect(result.stderr).toContain(says);
  if (stdout !== undefined) expect(result.stdout.slice(0, stdout.length)).toBe(stdout);
  expect(wholeFilesIn(cwd)).toEqual(expectedFiles(dialogue));
});

/** A URL with the server's address; another word with its blanks. */
function filledIn(word: string, port: number): string {
  return word.startsWith("ftp:")
    ? word.replace("HOST", `127.0.0.1:${port}`)
    : word.replace(/%(0D|0A|20)/g, (octet) => decodeURIComponent(octet));
}

/** Writes files; a date before a content is the file's. */
function fill(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const [, date, written = text] = /^(\d{4}-\d\d-\d\d) (.*)$/s.exec(text) ?? [];
    writeFileSync(join(folder, name), written);
    if (date !== undefined) utimesSync(join(folder, name), new Date(date), new Date(date));
  }
}

/** The files of a folder without the mark of a tree and what a broken transfer has left for a later run. */
function wholeFilesIn(cwd: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filesIn(cwd)).filter(([path]) => !/\.ftpull(?:\/|-mirror$|$)/.test(path)),
  );
}

function expectedFiles({ status = 0, files, before = {}, stdout }: PeerDialogue): object {
  if (files !== undefined) return files;
  return status === 0 && stdout === undefined ? { x: content } : before;
}

/** Memory for large trees: it grows with a directory's entries that are wanted, not with the tree. */
import { expect, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { isLong } from "../support/long.ts";
import type { Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { watched } from "../support/watched.ts";

const facts = "size=4096;modify=20260301123000;UNIX.mode=0644;UNIX.owner=1000;";
const count = isLong ? 1000 : 150;

/** Octets in MB, of which an empty run of the program takes 45 to 60. */
const [directoriesMB, leftOutMB, filesMB] = isLong ? [150, 200, 240] : [130, 100, 130];

function lines(type: string, name: string, most: number): string {
  const one = (_: unknown, index: number): string => `type=${type};${facts} ${name}-${index}\r\n`;
  return Array.from({ length: most }, one).join("");
}

test(`${count} directories of 1000 files under --spider take no more than ${directoriesMB} MB`, async () => {
  const top = transfer({ content: lines("dir", "d", count) });
  const below = transfer({ content: lines("file", "file", 1000) });
  const list: Step = (exchange) =>
    (exchange.session.workingDirectory === "/" ? top : below)(exchange);
  const server = await startServer({ on: { MLSD: list, CWD: changeDirectory } });
  const result = await watched(["-q", "--spider", "-r", server.url("/")]);
  expect(result).toMatchObject({ status: 0, lines: count * 1001 });
  expect(result.peakMB).toBeLessThanOrEqual(directoriesMB);
});

test.each([
  ["-A leaves out", "-A", ".none"],
  ["--older-than leaves out", "--older-than", "2020-01-01"],
])(
  `${count},000 files of a directory that %s take ${leftOutMB} MB at most`,
  async (_claim, ...rule) => {
    const listing = transfer({ content: lines("file", "file", count * 1000) });
    const server = await startServer({ directories: ["d"], on: { MLSD: listing } });
    const result = await watched(["-q", "-r", ...rule, server.url("/d/")]);
    expect(result).toMatchObject({ status: 0, lines: 0 });
    expect(result.peakMB).toBeLessThanOrEqual(leftOutMB);
  },
);

test(`${count},000 files of one directory under --spider take no more than ${filesMB} MB`, async () => {
  const listing = transfer({ content: lines("file", "file", count * 1000) });
  const server = await startServer({ directories: ["d"], on: { MLSD: listing } });
  const result = await watched(["-q", "--spider", "-r", server.url("/d/")]);
  expect(result).toMatchObject({ status: 0, lines: count * 1000 });
  expect(result.peakMB).toBeLessThanOrEqual(filesMB);
});

/** Lets the client into any directory. */
function changeDirectory({ argument, session }: Parameters<Step>[0]): Promise<void> {
  session.workingDirectory = argument.startsWith("/") ? argument : `/${argument}`;
  return session.reply("250 Directory changed");
}

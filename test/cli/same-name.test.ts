/** Several URLs with one local name: whatever -j says, no document passes for another one. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder-with.ts";
import { type RunResult } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";

const large = (letter: string, octets: number): string => letter.repeat(octets);
const older = new Date("2020-01-01T00:00:00Z");
const newer = new Date("2021-01-01T00:00:00Z");

const contents = ({ cwd }: RunResult): Record<string, string> =>
  Object.fromEntries(
    readdirSync(cwd)
      .filter((name) => !name.includes(".ftpull"))
      .map((name) => [name, readFileSync(join(cwd, name), "utf8").slice(0, 20)]),
  );

const octets = 200_000;
const files = {
  "a/x": { content: large("a", octets), modified: older },
  "b/x": { content: large("b", octets + 1), modified: newer },
  "c/y": "c",
};

test.each([
  ["-f", 12],
  ["-f", 200_000],
  ["-c", 200_000],
  ["-N", 200_000],
  ["-nc", 200_000],
])(
  "with %s: the second of %d bytes fails, and the first one's file stays",
  async (option, size) => {
    const first = { content: large("a", size), modified: older };
    const second = { content: large("b", size + 1), modified: newer };
    const server = await startServer({ files: { ...files, "a/x": first, "b/x": second } });
    const urls = ["/a/x", "/b/x", "/c/y", "/a/x"].map((path) => server.url(path));
    const result = await run(["-q", option, ...urls]);
    const words = `cannot write "x": this run has it for ${urls[0]}`;
    expect(result.stderr).toBe(`ftpull: ${urls[1]}: ${words}\n`);
    expect(result.status).toBe(3);
    expect(contents(result)).toEqual({ x: first.content.slice(0, 20), y: "c" });
  },
);

test.each(["-f", "-nc"])("with %s and several jobs one of them fails", async (option) => {
  const server = await startServer({ files });
  const urls = ["/a/x", "/b/x", "/c/y"].map((path) => server.url(path));
  const cwd = await folderWith(option === "-nc" ? {} : { x: "old" });
  const result = await run(["-q", option, "-j", "3", ...urls], { cwd });
  expect(result.stderr.trimEnd().split("\n")[0]).toContain('/x: cannot write "x": ');
  expect(result.status).toBe(3);
  expect(contents(result)).toEqual({ x: expect.stringMatching(/^(a+|b+)$/) as string, y: "c" });
});

test("with -nc, the first fails: the second arrives", async () => {
  const server = await startServer({ files, on: { "CWD a": "550 no", "RETR a/x": "550 no" } });
  const result = await run(["-q", "-nc", server.url("/a/x"), server.url("/b/x")]);
  expect(result.status).toBe(8);
  expect(contents(result)).toEqual({ x: large("b", octets + 1).slice(0, 20) });
});

test("with -nc the second fails where the first one's file was there before", async () => {
  const server = await startServer({ files });
  const urls = ["/a/x", "/b/x"].map((path) => server.url(path));
  const cwd = await folderWith({ x: "mine" });
  const result = await run(["-nc", ...urls], { cwd });
  expect(result.stderr).toContain('"x" is there already: skipped\n');
  expect(result.stderr).toContain(`this run has it for ${urls[0]}\n`);
  expect([result.status, contents(result)]).toEqual([3, { x: "mine" }]);
});

test("with several jobs they have numbers where neither replaces", async () => {
  const server = await startServer({ files });
  const result = await run(["-q", "-j", "3", server.url("/a/x"), server.url("/b/x")]);
  expect(result.stderr).toMatch(/^ftpull: ftp:\/\/\S+\/[ab]\/x: saved as "x.1"\n/);
  expect(result.status).toBe(0);
  const letters = Object.values(contents(result)).map((text) => text.slice(0, 1));
  expect(letters.toSorted()).toEqual(["a", "b"]);
});

/** Several URLs with one local name: whatever -j says, no document passes for another one. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
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

describe.each([
  ["small", 12],
  ["large", 200_000],
])("two %s documents of one name", (_, octets) => {
  const files = {
    "a/x": { content: large("a", octets), modified: older },
    "b/x": { content: large("b", octets + 1), modified: newer },
    "c/y": "c",
  };

  test.each(["-f", "-c", "-N", "-nc"])(
    "with %s: the second fails, and the file of the first stays",
    async (option) => {
      const server = await startServer({ files });
      const urls = ["/a/x", "/b/x", "/c/y", "/a/x"].map((path) => server.url(path));
      const result = await run(["-q", option, ...urls]);
      expect(result.stderr).toBe(
        `ftpull: ${urls[1]}: cannot write "x": this run has it for ${urls[0]}\n`,
      );
      expect(result.status).toBe(3);
      expect(contents(result)).toEqual({ x: large("a", octets).slice(0, 20), y: "c" });
    },
  );

  test.each(["-f", "-N", "-nc"])("with %s and several jobs one of them fails", async (option) => {
    const server = await startServer({ files });
    const urls = ["/a/x", "/b/x", "/c/y"].map((path) => server.url(path));
    const cwd = await folderWith(option === "-nc" ? {} : { x: "old" });
    const result = await run(["-q", option, "-j", "3", ...urls], { cwd });
    expect(result.stderr.trimEnd().split("\n")[0]).toContain('/x: cannot write "x": ');
    expect(result.status).toBe(3);
    expect(contents(result)).toEqual({ x: expect.stringMatching(/^(a+|b+)$/) as string, y: "c" });
  });

  test.each(["-c", "-nc"])("with %s, the first fails: the second arrives", async (option) => {
    const server = await startServer({ files, on: { "CWD a": "550 no", "RETR a/x": "550 no" } });
    const urls = ["/a/x", "/b/x"].map((path) => server.url(path));
    const result = await run(["-q", option, ...urls]);
    expect(result.status).toBe(8);
    expect(contents(result)).toEqual({ x: large("b", octets + 1).slice(0, 20) });
  });

  test("with --no-clobber the second fails where the first one's file was there before", async () => {
    const server = await startServer({ files });
    const urls = ["/a/x", "/b/x"].map((path) => server.url(path));
    const cwd = await folderWith({ x: "mine" });
    const result = await run(["--no-clobber", ...urls], { cwd });
    expect(result.stderr).toContain('"x" is there already: skipped\n');
    expect(result.stderr).toContain(`this run has it for ${urls[0]}\n`);
    expect([result.status, contents(result)]).toEqual([3, { x: "mine" }]);
  });

  test.each(["1", "3"])("with -j %s have a number where neither replaces", async (jobs) => {
    const server = await startServer({ files });
    const result = await run(["-q", "-j", jobs, server.url("/a/x"), server.url("/b/x")]);
    expect(result.stderr).toMatch(/^ftpull: ftp:\/\/\S+\/[ab]\/x: saved as "x.1"\n/);
    expect(result.status).toBe(0);
    const both = contents(result);
    expect(Object.keys(both).toSorted()).toEqual(["x", "x.1"]);
    const letters = Object.values(both).map((text) => text.slice(0, 1));
    expect(letters.toSorted()).toEqual(["a", "b"]);
  });
});

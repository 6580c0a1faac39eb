/** The last lines of a run with several documents. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const files = { x: "0123456789", y: "01234", "pub/z": "z" };
const total = /^ftpull: total: .*$/m;
const slowly = "--limit-rate=1";

async function stderrOf(words: readonly string[], cwd?: string): Promise<string> {
  const options = cwd === undefined ? {} : { cwd };
  return (await run(["--progress", "none", "-t", "1", ...words], options)).stderr;
}

test("several documents end with a total: files, octets, time, rate", async () => {
  const server = await startServer({ files });
  const stderr = await stderrOf([slowly, server.url("/x"), server.url("/y")]);
  expect(stderr).toBe("ftpull: total: 2 files, 15 B in 15s (1 B/s)\n");
});

test.each([
  ["one document", ["/x"]],
  ["listings", ["/pub/", "/pub/"]],
  ["one document beside listings", ["/pub/", "/x", "/pub/"]],
])("%s: no total", async (_claim, paths) => {
  const server = await startServer({ files });
  expect(await stderrOf(paths.map((path) => server.url(path)))).toBe("");
});

test("-q leaves the total out, and the failures are not repeated", async () => {
  const server = await startServer({ files });
  const urls = Array.from({ length: 8 }, (_, index) => server.url(`/none${index}`));
  const stderr = await stderrOf(["-q", ...urls]);
  expect(stderr.match(/^ftpull: /gm)).toHaveLength(8);
  expect(stderr).not.toContain("total");
});

test("it has what was skipped, what failed, and of a resumed file what this run brought", async () => {
  const server = await startServer({ files });
  const cwd = await temporaryDirectory();
  writeFileSync(join(cwd, "x"), "0123456");
  writeFileSync(join(cwd, "y"), "here");
  const resumed = await stderrOf([slowly, "-c", server.url("/x"), server.url("/none")], cwd);
  expect(resumed).toMatch(/total: 1 file, 3 B in \d+s \(.* B\/s\), 1 failed\n$/);
  const skipped = await stderrOf([slowly, "-nc", server.url("/y"), server.url("/pub/z")], cwd);
  expect(skipped).toMatch(/total: 1 file, 1 B in 1s \(1 B\/s\), 1 skipped\n$/);
});

test("of many documents the failures stand once more before the total", async () => {
  const on = { "RETR y": transfer({ first: 2, completion: "550 read error" }) };
  const server = await startServer({ files, on });
  const secret = server.url("/none", { user: "anonymous", password: "secret" });
  const others = ["/x", "/y", "/x", "/x"].map((path) => server.url(path));
  const stdin = [secret, "http://h/", ...others];
  const result = await run(["--progress", "none", "-t", "1", "-i", "-"], {
    stdin: stdin.join("\n"),
  });
  const lines = result.stderr.trimEnd().split("\n");
  const at = lines.indexOf("ftpull: 3 of 6 documents failed:");
  const again = lines.slice(at + 1, -1);
  expect(again).toHaveLength(3);
  // Each of them is a line that was there before.
  for (const line of again) expect(lines.slice(0, at)).toContain(line);
  expect(lines.at(-1)).toMatch(total);
  expect(result.stderr).not.toContain("secret");
});

describe("a tree has a total, whatever the number of its files:", () => {
  test.each([
    ["one file", ["-r"], "/pub/", "1 file, 1 B"],
    ["a pattern for one file", [], "/pub/*", "1 file, 1 B"],
    ["the file that the URL names", ["-r"], "/pub/z", "1 file, 1 B"],
    ["no file", ["-r"], "/empty/", "0 files, 0 B"],
  ])("%s", async (_claim, words, path, begin) => {
    const server = await startServer({ files, directories: ["empty"] });
    const cwd = await temporaryDirectory();
    const stderr = await stderrOf([...words, server.url(path)], cwd);
    expect(stderr).toMatch(new RegExp(`^ftpull: total: ${begin} in [^\n]+\n$`));
    if (begin !== "1 file, 1 B" || words.length === 0) return;
    const again = await stderrOf([...words, server.url(path)], cwd);
    expect(again).toMatch(/^ftpull: total: 0 files, 0 B in [^\n]+, 1 skipped\n$/);
  });

  test("a refused directory is one failure", async () => {
    const server = await startServer({ files });
    const stderr = await stderrOf(["-r", server.url("/none/")]);
    expect(stderr).toMatch(/^ftpull: total: 0 files, 0 B in [^\n]+, 1 failed\n$/m);
  });
});

/** The last lines of a run with several documents. */
import { describe, expect, test } from "vitest";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const files = { x: "0123456789", y: "01234", "pub/z": "z" };

async function stderrOf(words: readonly string[], cwd?: string): Promise<string> {
  const options = cwd === undefined ? {} : { cwd };
  return (await run(["--progress", "none", "-t", "1", ...words], options)).stderr;
}

test("-q leaves the total out, and the failures are not repeated", async () => {
  const server = await startServer({ files });
  const urls = Array.from({ length: 8 }, (_, index) => server.url(`/none${index}`));
  const stderr = await stderrOf(["-q", ...urls]);
  expect(stderr.match(/^ftpull: /gm)).toHaveLength(8);
  expect(stderr).not.toContain("total");
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
    expect(again).toMatch(/^ftpull: total: 0 files, 0 B in [^\n]+, 1 unchanged\n$/);
  });

  test("a refused directory is one failure", async () => {
    const server = await startServer({ files });
    const stderr = await stderrOf(["-r", server.url("/none/")]);
    expect(stderr).toMatch(/^ftpull: total: 0 files, 0 B in [^\n]+, 1 failed\n$/m);
  });
});

/** The last line of a run with several files, or with a tree. */
import { expect, test } from "vitest";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";

const files = { x: "0123456789", y: "01234", "pub/z": "z" };

test("-q leaves the total out, and the failures are not repeated", async () => {
  const server = await startServer({ files });
  const urls = Array.from({ length: 8 }, (_, index) => server.url(`/none${index}`));
  const { stderr } = await run(["-q", "-t1", ...urls]);
  expect(stderr.match(/^ftpull: /gm)).toHaveLength(8);
  expect(stderr).not.toContain("total");
});

test.each([
  ["one file", ["-r"], "/pub/", "1 file, 1 B in [^,]+"],
  ["a pattern for one file", [], "/pub/*", "1 file, 1 B in [^,]+"],
  ["the file that the URL names", ["-r"], "/pub/z", "1 file, 1 B in [^,]+"],
  ["no file", ["-r"], "/empty/", "0 files, 0 B in [^,]+"],
  ["a refused directory", ["-r"], "/none/", "0 files, 0 B in [^,]+, 1 failed"],
])("a tree has a total, whatever the number of its files: %s", async (...row) => {
  const [, words, path, total] = row;
  const server = await startServer({ files, directories: ["empty"] });
  const { stderr } = await run(["--progress=none", ...words, server.url(path)]);
  expect(stderr).toMatch(new RegExp(`^ftpull: total: ${total}\n$`, "m"));
});

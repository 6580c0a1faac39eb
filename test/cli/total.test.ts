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

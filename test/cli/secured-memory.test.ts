/** What TLS costs in memory, with each Node: the program uses what Node doesn't document. */
import { expect, test } from "vitest";
import { startSecured, trusting } from "../tls/support/secured.ts";
import { watched } from "../support/watched.ts";

/** A buffer for each record would take 97 MB; later Nodes take more by themselves. */
const most = process.env["TEST_NODE"] === undefined ? 85 : 100;

test(`a file of 100 MB over TLS takes no more than ${most} MB of memory`, async () => {
  const server = await startSecured({}, { files: { x: { size: 100_000_000, seed: 1 } } });
  const url = server.url("/x", { scheme: "ftpes" });
  const { status, peakMB } = await watched(["-q", ...(await trusting()), url]);
  expect(status).toBe(0);
  expect(peakMB).toBeLessThanOrEqual(most);
});

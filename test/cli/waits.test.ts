/** The waits that options set: between tries. */
import { expect, test } from "vitest";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { waitsTimes } from "../support/waits.ts";

const env = waitsTimes(0);

test.each([
  ["--waitretry=1", "-t4"],
  ["--waitretry", "1", "--tries=inf"],
])("%s %s", async (...words) => {
  const server = await startServer({
    files: { x: "text" },
    on: { "RETR#1": "450 busy", "RETR#2": "450 busy", "RETR#3": "450 busy" },
  });
  const { status, stderr } = await run([...words, "-O-", server.url("/x")], { env });
  expect(status).toBe(0);
  const waits = [...stderr.matchAll(/trying again in (\S+) s/g)].map(([, wait]) => Number(wait));
  expect(waits).toHaveLength(3);
  expect(Math.max(...waits)).toBeLessThanOrEqual(1);
});

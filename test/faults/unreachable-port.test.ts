import { expect, test } from "vitest";
import { refuseData, reset } from "../support/actions.ts";
import { closedPort } from "../support/data-channel.ts";
import { deafPort } from "../support/deaf-port.ts";
import { run } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";

test("P4 where the port that EPSV named can't be reached, the next try asks PASV", async () => {
  const server = await startServer({ files: { x: "text" }, on: { EPSV: refuseData } });
  const result = await run(["-t", "2", "-O", "-", server.url("/x")]);
  expect(result).toMatchObject({ status: 0, stdout: "text" });
  expect(server.commands.filter((line) => /^(EPSV|PASV)$/.test(line))).toEqual(["EPSV", "PASV"]);
});

/** The URL of each line that says "cannot connect", and whether that is tried again. */
const failures = (stderr: string): [url: string | undefined, again: boolean][] =>
  stderr
    .split("\n")
    .filter((line) => line.includes("cannot connect"))
    .map((line) => [line.split(": ")[1], /trying again/.test(line)]);

test.each(["1", "4"])("with -j %s a port that refuses isn't tried again", async (jobs) => {
  const port = await closedPort("127.0.0.1");
  const urls = ["v", "w", "x", "y", "z"].map((name) => `ftp://127.0.0.1:${port}/${name}`);
  const { status, stderr } = await run(["-t", "2", "-j", jobs, ...urls]);
  expect(status).toBe(4);
  expect(failures(stderr).toSorted()).toEqual(urls.map((url) => [url, false]));
  expect(stderr.match(/: connection refused$/gm)).toHaveLength(urls.length);
});

test("a port that refuses is tried again where the server had answered before", async () => {
  const server = await startServer({ files: { x: "text" } });
  server.on("RETR", [reset, () => void server.close()]);
  const { status, stderr } = await run(["-t", "3", server.url("/x")]);
  expect(status).toBe(4);
  expect(failures(stderr)).toEqual([
    [server.url("/x"), true],
    [server.url("/x"), false],
  ]);
});

// Waiting for each would take eighty seconds with one job.
test.each([
  ["1", 1],
  ["4", 4],
])(
  "with -j %s a server that doesn't answer is waited for by the first documents only",
  async (jobs, first) => {
    const port = await deafPort();
    const urls = Array.from({ length: 80 }, (_, index) => `ftp://127.0.0.1:${port}/${index}`);
    const options = { timeoutMs: 50_000 };
    const { status, stderr } = await run(["-t", "2", "-T", "1", "-j", jobs, ...urls], options);
    expect(status).toBe(4);
    expect(stderr.match(/: no answer for 1 s$/gm)).toHaveLength(urls.length);
    const again = failures(stderr).flatMap(([url, isAgain]) => (isAgain ? [url] : []));
    expect(again.toSorted()).toEqual(urls.slice(0, first));
  },
  60_000,
);

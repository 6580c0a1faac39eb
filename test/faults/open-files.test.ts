/** A process that may have few files and connections open does fewer documents at once, and loses none. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { generatedOctets } from "../support/generated.ts";
import { launcher } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

interface Outcome {
  readonly status: number;
  readonly stderr: string;
  readonly cwd: string;
}

/** What Node has open before it runs a program; the folder that is read is among them. */
async function openFiles(): Promise<number> {
  const count = 'process.stdout.write(String(require("fs").readdirSync("/proc/self/fd").length))';
  return Number((await promisify(execFile)(process.execPath, ["-e", count])).stdout) - 1;
}

/** Runs the program where it may open so many files more. */
async function runWith(files: number, ...args: string[]): Promise<Outcome> {
  const cwd = await temporaryDirectory();
  const limited = `ulimit -n ${(await openFiles()) + files}; exec "$0" "$@"`;
  const env = { PATH: process.env["PATH"], HOME: cwd, FTPULL_NO_CACHE: "1" };
  return new Promise((resolve) => {
    const words = ["-c", limited, process.execPath, launcher, "--progress", "none", ...args];
    execFile("sh", words, { cwd, env }, (error, _stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), stderr, cwd }),
    );
  });
}

const sourceOf = (size: number, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, seed) => [`f${seed}`, { size, seed }]));

/** Runs it for all of these files, and expects them to be whole and nothing beside them. */
async function fetchAll(
  files: ReturnType<typeof sourceOf>,
  urls: readonly string[],
  room: number,
  ...options: string[]
): Promise<string> {
  const { status, stderr, cwd } = await runWith(room, ...options, ...urls);
  expect(status, stderr).toBe(0);
  expect(readdirSync(cwd).toSorted()).toEqual(Object.keys(files).toSorted());
  for (const [name, { size, seed }] of Object.entries(files)) {
    expect(readFileSync(join(cwd, name)).equals(generatedOctets(seed, 0, size)), name).toBe(true);
  }
  return stderr;
}

// It is the names below /proc that tell how many there are.
describe.skipIf(process.platform !== "linux")("where only a few files may be open", () => {
  test.each([4, 7, 10, 16])("room for %d and -j 8: every document arrives", async (room) => {
    const files = sourceOf(200_000, 16);
    const server = await startServer({ files });
    const urls = Object.keys(files).map((name) => server.url(`/${name}`));
    const stderr = await fetchAll(files, urls, room, "-t", "1", "-j", "8");
    expect(stderr).toMatch(/too many open files(?:; \d+ documents? at once from now on)?\n/);
    expect(stderr).not.toMatch(/trying again|no such host/);
  });

  // libuv drops a connection for which no descriptor is free without telling the program: that
  // costs the document a try.
  test.each([4, 8])("room for %d, -j 8 and --active: every document arrives", async (room) => {
    const files = sourceOf(200_000, 16);
    const server = await startServer({ files });
    const urls = Object.keys(files).map((name) => server.url(`/${name}`));
    const words = ["-t", "5", "-T", "10", "-j", "8", "--active"];
    const stderr = await fetchAll(files, urls, room, ...words);
    expect(stderr).toMatch(/too many open files(?:; \d+ documents? at once from now on)?\n/);
    expect(stderr).not.toContain("no such host");
  });

  test("pieces of a file come over one connection in the end", async () => {
    const files = sourceOf(5_000_000, 2);
    const server = await startServer({ files });
    const urls = Object.keys(files).map((name) => server.url(`/${name}`));
    await fetchAll(files, urls, 4, "-j", "2", "-s", "4");
  });

  test("servers that have names are found, and idle sessions make room", async () => {
    const files = sourceOf(100_000, 12);
    const servers = await Promise.all(Object.keys(files).map(() => startServer({ files })));
    const urls = Object.keys(files).map(
      (name, index) => `ftp://localhost:${servers[index]?.port}/${name}`,
    );
    for (const jobs of ["1", "6"]) await fetchAll(files, urls, 5, "-t", "1", "-j", jobs);
  });

  test("a document that is alone and has no room fails, with the system's words", async () => {
    const server = await startServer({ files: { x: "x" } });
    const result = await runWith(0, "-q", server.url("/x"));
    expect(result.status).toBe(4);
    expect(result.stderr).toContain("too many open files");
    expect(readdirSync(result.cwd)).toEqual([]);
  });
});

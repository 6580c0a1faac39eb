/** A process that may have few files and connections open says so, and what to do. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { launcher } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

interface Outcome {
  readonly status: number;
  readonly stderr: string;
}

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
    const words = ["-c", limited, process.execPath, launcher, ...args];
    execFile("sh", words, { cwd, env }, (error, _stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), stderr }),
    );
  });
}

const hint = "hint: fetch fewer files at once with -j, or raise ulimit -n\n";

// It is the names below /proc that tell how many there are.
test.skipIf(process.platform !== "linux").each([
  [0, 2],
  [8, 12],
])("with room for %d files, %d documents with -j 500 fail with a hint", async (room, documents) => {
  const names = Array.from({ length: documents }, (_, index) => `f${index}`);
  const files = Object.fromEntries(names.map((name) => [name, { size: 200_000, seed: 1 }]));
  const server = await startServer({ files });
  const urls = names.map((name) => server.url(`/${name}`));
  const { status, stderr } = await runWith(room, "-q", "-t", "1", "-j", "500", ...urls);
  expect([3, 4]).toContain(status);
  expect(stderr).toContain("too many open files\n");
  expect(stderr).toContain(hint);
  expect(stderr).not.toContain("no such host");
});

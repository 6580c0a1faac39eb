/** FIFOs, devices and files without measure where a small file is expected. */
import { execFile } from "node:child_process";
import { constants, openSync } from "node:fs";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { startProgram } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const text = "0123456789\n".repeat(10_000);

let cwd: string;
let server: ScriptedServer;
beforeEach(async () => {
  cwd = await temporaryDirectory();
  server = await startServer({ files: { x: text }, users: { jane: { password: "secret" } } });
});

const start = promisify(execFile);

async function fifo(path: string): Promise<void> {
  await start("mkfifo", [path]);
}

async function sparse(path: string): Promise<void> {
  await writeFile(path, "");
  await truncate(path, 3 * 2 ** 30);
}

const notRegular = "it is not a regular file";
const tooLarge = (most: number): string => `it has more than ${most} bytes`;

describe.skipIf(process.platform === "win32")("nothing is waited for or read without end", () => {
  const plants: [string, (path: string) => Promise<void>, string][] = [
    ["a FIFO", fifo, notRegular],
    ["a file of 3 GiB", sparse, tooLarge(1_048_576)],
    ["one token of 2 MiB", (path) => writeFile(path, "a".repeat(2 ** 21)), tooLarge(1_048_576)],
  ];

  test.each(plants)("--netrc-file is %s: an error", async (_what, plant, reason) => {
    await plant(join(cwd, "n"));
    const { status, stderr } = await run(["-q", "--netrc-file", "n", server.url("/x")], { cwd });
    expect(stderr).toMatch(new RegExp(`^ftpull: cannot read "n": ${reason}\n$`));
    expect(status).toBe(3);
  });

  test.each([
    ["--password-file", `"/dev/zero": ${tooLarge(2 ** 24)}`],
    ["--input-file", `"/dev/zero": ${tooLarge(2 ** 28)}`],
  ])("%s /dev/zero is an error", async (option, message) => {
    const url = server.url("/x", { user: "jane" });
    const { status, stderr } = await run(["-q", option, "/dev/zero", url], { cwd });
    expect(stderr).toContain(`cannot read ${message}\n`);
    expect(status).toBe(3);
  });
});

describe.skipIf(process.platform === "win32")("--password-file may be a FIFO", () => {
  const login = (...words: string[]): string[] => [
    "-q",
    ...words,
    server.url("/x", { user: "jane" }),
  ];

  test.each(["secret\\n", "secret"])("that is written to later: %j", async (written) => {
    await fifo(join(cwd, "p"));
    const program = await startProgram(login("--password-file", "p"), { cwd });
    // Opening it waits until the program has opened it.
    await start("sh", ["-c", `printf '${written}' >p`], { cwd });
    expect(await program.finished).toMatchObject({ status: 0, stderr: "" });
    expect(server.commands).toContain("PASS secret");
  });
});

test.runIf(process.platform === "linux").each(["--password-file", "--input-file"])(
  "the first Ctrl-C ends the wait for a FIFO: %s",
  async (option) => {
    await fifo(join(cwd, "p"));
    const url = server.url("/x", { user: "jane" });
    const program = await startProgram(["--certificate", "/dev/null", option, "p", url], { cwd });
    // Opening it fails until the program reads it.
    const open = (): number => openSync(join(cwd, "p"), constants.O_WRONLY | constants.O_NONBLOCK);
    await expect.poll(open).toBeGreaterThan(0);
    program.child.kill("SIGINT");
    expect(await program.finished).toMatchObject({ signal: "SIGINT" });
  },
);

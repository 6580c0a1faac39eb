import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { caches, launcher } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { hasTerminals, withTerminal } from "../support/terminal.ts";

const files = { x: { size: 300_000, seed: 5 } };
const halfWay = transfer({ pause: { after: 150_000, until: new Promise<void>(() => {}) } });

test.skipIf(!hasTerminals())(
  "Ctrl-C at a question, where it is a key for the program alone, ends the loop of a script, too",
  async () => {
    const server = await startServer({ users: { u: { password: "p" } } });
    const cwd = await temporaryDirectory();
    const program = `${process.execPath} ${launcher} ${server.url("/x", { user: "u" })}`;
    const loop = `bash -c 'while true; do ${program}; echo again; done'; echo "status $?"`;
    const command = `cd ${cwd}; export HOME=${cwd}; trap : INT; ${loop}`;
    const steps = [{ expect: "Password for u" }, { expect: ": ", send: "\x03" }];
    const { output } = await withTerminal(command, steps);
    expect(output).toMatch(/: interrupted\r\nstatus 130\r\n$/);
  },
);

/** Runs the program on a terminal that goes away once it shows a text; prints the status, or the signal below 0. */
const hangUp = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execvp(sys.argv[2], sys.argv[2:])
output = b""
while sys.argv[1].encode() not in output: output += os.read(terminal, 65536)
os.close(terminal)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

describe.skipIf(!hasTerminals())("a terminal that hangs up ends the program by SIGHUP", () => {
  async function statusAfter(text: string, cwd: string, url: string): Promise<number> {
    const argv = ["-c", hangUp, text, process.execPath, launcher, url];
    const { stdout } = await promisify(execFile)("python3", argv, {
      cwd,
      env: { PATH: process.env["PATH"], HOME: cwd, XDG_CACHE_HOME: caches },
      timeout: 200_000,
    });
    return Number(stdout);
  }

  test("in a transfer, and what arrived is kept", async () => {
    const server = await startServer({ files, on: { RETR: halfWay } });
    const cwd = await temporaryDirectory();
    expect(await statusAfter("50%", cwd, server.url("/x"))).toBe(-1);
    expect(readdirSync(cwd).toSorted()).toEqual(["x.ftpull"]);
    await expect.poll(() => server.commands.at(-1)).toBe("QUIT");
  });

  test("at a question", async () => {
    const server = await startServer({ users: { u: { password: "p" } } });
    const cwd = await temporaryDirectory();
    expect(await statusAfter("Password for u", cwd, server.url("/x", { user: "u" }))).toBe(-1);
  });
});

import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { caches, launcher } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { hasTerminals, type Step, withTerminal } from "../support/terminal.ts";

const files = { x: { size: 300_000, seed: 5 } };
const halfWay = transfer({ pause: { after: 150_000, until: new Promise<void>(() => {}) } });

/** Runs the program, and `stty` before and after it. */
async function onTerminal(cwd: string, args: string, ...steps: Step[]) {
  const program = `HOME=${cwd} XDG_CACHE_HOME=${caches} ${process.execPath} ${launcher} ${args}`;
  const command = `cd ${cwd}; stty -a; trap : INT; ${program}; echo "status $?"; stty -a`;
  const { output } = await withTerminal(command, steps);
  const [, before, shown = "", status, after] =
    /^(speed[^]*?-extproc)([^]*)status (\d+)\r\n(speed[^]*?-extproc)/.exec(output) ?? [];
  expect(after, output).toBe(before);
  expect(after).toMatch(/ icanon .* echo /s);
  // Neither cursor nor wrapping may stay switched off.
  expect(shown.lastIndexOf("\x1b[?25l")).toBeLessThanOrEqual(shown.lastIndexOf("\x1b[?25h"));
  expect(shown.lastIndexOf("\x1b[?7l")).toBeLessThanOrEqual(shown.lastIndexOf("\x1b[?7h"));
  return { status: Number(status), shown };
}

describe.skipIf(!hasTerminals())("Ctrl-C on a terminal", () => {
  test("while a bar is shown: it goes, and the next line is the message's", async () => {
    const server = await startServer({ files, on: { RETR: halfWay } });
    const cwd = await temporaryDirectory();
    const steps = [{ expect: "50%", send: "\x03" }];
    const { status, shown } = await onTerminal(cwd, server.url("/x"), ...steps);
    expect(status).toBe(130);
    const hint = `"x.ftpull" has the 150000 octets that arrived: go on with: ftpull -c ${server.url("/x")}`;
    expect(shown).toContain(
      `\r\x1b[?7hftpull: received SIGINT: ending; a second one ends the program at once\r\n` +
        `ftpull: ${server.url("/x")}: interrupted; ${hint}`,
    );
    expect(readdirSync(cwd).toSorted()).toEqual(["x.ftpull"]);
  });

  test("at a question for the password", async () => {
    const server = await startServer({ users: { u: { password: "p" } } });
    const url = server.url("/x", { user: "u" });
    const steps = [
      { expect: "Password for u", send: "se" },
      { expect: ": ", send: "\x03" },
    ];
    const { status, shown } = await onTerminal(await temporaryDirectory(), url, ...steps);
    expect(status).toBe(130);
    const soon = "ftpull: received SIGINT: ending; a second one ends the program at once\r\n";
    expect(shown).toContain(`${soon}ftpull: ${url}: interrupted`);
    expect(server.commands.at(-1)).toBe("QUIT");
  });

  test("at a question, while another document is on its way: both end", async () => {
    const server = await startServer({ files, users: { u: { password: "p" } } });
    server.on("RETR", halfWay);
    const cwd = await temporaryDirectory();
    const urls = `-j2 ${server.url("/x")} ${server.url("/y", { user: "u" })}`;
    const steps = [{ expect: "Password for u" }, { expect: ": ", send: "\x03" }];
    const { status, shown } = await onTerminal(cwd, urls, ...steps);
    expect(status).toBe(130);
    expect(shown.match(/: interrupted/g)).toHaveLength(2);
  });

  test("at a question, where it is a key for the program alone: it ends the loop of a script, too", async () => {
    const server = await startServer({ users: { u: { password: "p" } } });
    const cwd = await temporaryDirectory();
    const program = `${process.execPath} ${launcher} ${server.url("/x", { user: "u" })}`;
    const loop = `bash -c 'while true; do ${program}; echo again; done'; echo "status $?"`;
    const command = `cd ${cwd}; export HOME=${cwd}; trap : INT; ${loop}`;
    const steps = [{ expect: "Password for u" }, { expect: ": ", send: "\x03" }];
    const { output } = await withTerminal(command, steps);
    expect(output).toMatch(/: interrupted\r\nstatus 130\r\n$/);
  });
});

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
    expect(server.commands.at(-1)).toBe("QUIT");
  });

  test("at a question", async () => {
    const server = await startServer({ users: { u: { password: "p" } } });
    const cwd = await temporaryDirectory();
    expect(await statusAfter("Password for u", cwd, server.url("/x", { user: "u" }))).toBe(-1);
  });
});

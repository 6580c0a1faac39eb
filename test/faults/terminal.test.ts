import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
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
    expect(output).toMatch(/: interrupted by SIGINT\r\nstatus 130\r\n$/);
  },
);

describe.skipIf(!hasTerminals())("a terminal that hangs up ends the program by SIGHUP", () => {
  /** An inner shell outlives the terminal, as the outer one does not, and notes the program's status. */
  async function statusAfter(text: string, cwd: string, url: string): Promise<string> {
    const settings = `HOME=${cwd} XDG_CACHE_HOME=${caches}`;
    const program = `${settings} ${process.execPath} ${launcher} ${url}`;
    const noted = `cd ${cwd}; trap : HUP; ${program}; echo $? >status; mv status ended`;
    await withTerminal(`sh -c '${noted}'; true`, [{ expect: text, hangsUp: true }]);
    await expect.poll(() => readdirSync(cwd)).toContain("ended");
    const status = readFileSync(join(cwd, "ended"), "utf8").trim();
    rmSync(join(cwd, "ended"));
    return status;
  }

  test("in a transfer, and what arrived is kept", async () => {
    const server = await startServer({ files, on: { RETR: halfWay } });
    const cwd = await temporaryDirectory();
    expect(await statusAfter("50%", cwd, server.url("/x"))).toBe("129");
    expect(readdirSync(cwd).toSorted()).toEqual(["x.ftpull", "x.ftpull.json"]);
    await expect.poll(() => server.commands.at(-1)).toBe("QUIT");
  });

  test("at a question", async () => {
    const server = await startServer({ users: { u: { password: "p" } } });
    const cwd = await temporaryDirectory();
    expect(await statusAfter("Password for u", cwd, server.url("/x", { user: "u" }))).toBe("129");
  });
});

/** A process that is stopped for longer than -T (Ctrl-Z, a laptop's sleep): what has arrived counts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { transfer } from "../support/actions.ts";
import { type RunningProgram, startProgram } from "../support/run.ts";
import type { Action } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";

const hook = fileURLToPath(new URL("support/asleep.cjs", import.meta.url));

/** The program's time for that passes at once when it is stopped for longer than half a second. */
const stopMs = 700;

async function whileStopped({ child }: RunningProgram, act: () => Promise<void>): Promise<void> {
  child.kill("SIGSTOP");
  const state = (): string | undefined =>
    /\) (\w)/.exec(readFileSync(`/proc/${child.pid}/stat`, "latin1"))?.[1];
  await expect.poll(state).toBe("T");
  await act();
  await delay(stopMs);
  child.kill("SIGCONT");
}

it.skipIf(process.platform !== "linux").each<[what: string, command: string, path: string]>([
  ["the reply to a command", "SIZE", "/x"],
  ["the data", "RETR", "/x"],
  ["a listing", "MLSD", "/"],
])("%s that arrives meanwhile isn't late", async (_what, command, path) => {
  let program: RunningProgram | undefined;
  const stopped: Action = async (exchange) => {
    if (program !== undefined) await whileStopped(program, async () => exchange.proceed());
  };
  const server = await startServer({ files: { x: "text" }, on: { [command]: stopped } });
  program = await startProgram(["-q", "-t1", "-T300", server.url(path)], {
    env: { NODE_OPTIONS: `--require=${hook}` },
  });
  const { status, stderr, stdout, cwd } = await program.finished;
  expect([status, stderr]).toEqual([0, ""]);
  expect(path === "/" ? stdout : readFileSync(join(cwd, "x"), "utf8")).toMatch(/^(?:x\n|text)$/);
});

it("a transfer whose data arrives meanwhile, and its last reply later, isn't given up", async () => {
  let program: RunningProgram | undefined;
  const completion: Action = async (exchange) => {
    if (program !== undefined)
      await whileStopped(program, () => exchange.session.reply("226 done"));
  };
  const server = await startServer({
    files: { x: "text" },
    on: { RETR: transfer({ completion }), SIZE: "502 no" },
  });
  program = await startProgram(["-q", "-t1", "-T300", server.url("/x")], {
    env: { NODE_OPTIONS: `--require=${hook}` },
  });
  const { status, stderr } = await program.finished;
  expect([status, stderr]).toEqual([0, ""]);
});

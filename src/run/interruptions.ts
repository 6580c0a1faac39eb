/**
 * Signals: the first one ends the run in order, the second one at once. Finally the process ends
 * itself by the signal: a shell then ends its loop.
 */
import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { Interrupted } from "../errors.ts";
import { ifPossible } from "../files/file-error.ts";
import type { Messages } from "../terminal/messages.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Milliseconds for an orderly end. A slow name server could delay it for long. */
const patienceMs = 3000;

/** Milliseconds for the last output: a stopped reader of it would keep the process alive. */
const lastOutputMs = 200;

/** Milliseconds in which the same signal comes again: from timeout(1), or a terminal and its shell that hang up. */
const echoMs = 100;

export function interruptions(messages: Messages): AbortSignal {
  const controller = new AbortController();
  const isUnderNohup = startedByNohup();
  // Every session and every wait adds a listener; Node 20 warns if there are more than ten.
  setMaxListeners(0, controller.signal);
  const interrupt = (name: (typeof signals)[number]): void => {
    if (controller.signal.aborted) return;
    if (name === "SIGHUP" && isUnderNohup) return;
    const interrupted = new Interrupted(name);
    messages.close();
    controller.abort(interrupted);
    const endAtNext = (): void => signals.forEach((each) => process.off(each, interrupt));
    setTimeout(endAtNext, echoMs).unref();
    endWithin(patienceMs, interrupted);
  };
  for (const name of signals) process.on(name, interrupt);
  return controller.signal;
}

/**
 * True if nohup started the program, or the script that runs it. Node resets inherited signal dispositions; most shells
 * set the command's name in the environment, and SigIgn (proc(5); bit 0 is signal 1) shows the parent's. Asked at the
 * start: timeout(1) ignores the signal that it has sent.
 */
function startedByNohup(): boolean {
  if (basename(process.env["_"] ?? "") === "nohup") return true;
  const status = `/proc/${process.ppid}/status`;
  const parent = ifPossible(() => readFileSync(status, "latin1")) ?? "";
  return /^SigIgn:\s*[0-9a-f]*[13579bdf]$/m.test(parent);
}

/** Ends the process by the signal when all output is written. Returns the status for where a signal ends no process. */
export function endSoon(interrupted: Interrupted): number {
  endWithin(lastOutputMs, interrupted);
  return interrupted.status;
}

function endWithin(milliseconds: number, { signal, status }: Interrupted): void {
  setTimeout(() => process.exit(status), milliseconds).unref();
  process.once("exit", () => endBy(signal));
}

/** Returns where a signal ends no process: on Windows, and in a container's first process. */
function endBy(signal: Interrupted["signal"]): void {
  if (process.platform === "win32") return;
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

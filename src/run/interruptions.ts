/** The signals that end a run: first in order, with what arrived kept; then at once. */
import { setMaxListeners } from "node:events";
import { closeSync } from "node:fs";
import { basename } from "node:path";
import { isatty } from "node:tty";
import { Interrupted } from "../errors.ts";
import { readText } from "../files/part/process-start.ts";
import type { Messages } from "../terminal/messages.ts";

const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** How long an orderly end may take: a QUIT waits for a second, files are synced. */
const patienceMs = 3000;

/** What remains to be written when all is in order gets so long. */
const lastWordsMs = 200;

/** timeout(1), and a terminal that hangs up together with its shell, send a signal twice. */
const echoMs = 100;

/**
 * A signal that the first SIGINT, SIGTERM or SIGHUP aborts with Interrupted, the terminal
 * restored. Whichever comes next has its usual effect, and so has time.
 */
export function interruptions(messages: Messages): AbortSignal {
  const controller = new AbortController();
  // Every session and every wait of a run listens: of more than ten Node 20 warns as of a leak.
  setMaxListeners(0, controller.signal);
  const forget = (): void => {
    for (const name of names) process.removeListener(name, interrupt);
  };
  const interrupt = (name: (typeof names)[number]): void => {
    if (controller.signal.aborted || (name === "SIGHUP" && outlivesHangups())) return;
    const interrupted = new Interrupted(name);
    messages.close();
    controller.abort(interrupted);
    setTimeout(forget, echoMs).unref();
    endWithin(patienceMs, interrupted);
  };
  for (const name of names) process.on(name, interrupt);
  outliveTerminal();
  return controller.signal;
}

/**
 * Whether nohup, or a shell that has it from there, wants SIGHUP ignored. Node takes back what a
 * program inherits of that; left are the name of the command in the environment, as most shells
 * give it, and what Linux tells of the parent (proc(5), SigIgn: bit 0 is signal 1).
 */
function outlivesHangups(): boolean {
  if (basename(process.env["_"] ?? "") === "nohup") return true;
  const parent = readText(`/proc/${process.ppid}/status`) ?? "";
  return /^SigIgn:\s*[0-9a-f]*[13579bdf]$/m.test(parent);
}

/** At its end Node restores the terminals that it began with, and aborts where one has hung up. */
function outliveTerminal(): void {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.once("exit", () => {
    for (const fd of terminals) if (!isatty(fd)) closeSync(fd);
  });
}

/** The exit status of an interrupted run of which nothing more is wanted. */
export function endSoon(interrupted: Interrupted): number {
  endWithin(lastWordsMs, interrupted);
  return interrupted.status;
}

/** A reader of standard output that has stopped, or a name server, would hold the program. */
function endWithin(milliseconds: number, { status }: Interrupted): void {
  setTimeout(() => process.exit(status), milliseconds).unref();
}

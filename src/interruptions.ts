/**
 * The signals that end a run: first in order, with what arrived kept; then at once.
 */
import { Interrupted } from "./errors.ts";
import type { Messages } from "./terminal/messages.ts";

/** How long an orderly end may take: a QUIT waits for a second, files are synced. */
const patienceMs = 3000;

/**
 * A signal that the first SIGINT, SIGTERM or SIGHUP aborts with Interrupted, the terminal
 * restored. A second one has its usual effect, and so has time.
 */
export function interruptions(messages: Messages): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(name, () => {
      messages.close();
      controller.abort(new Interrupted(name));
      // A reader of standard output that has stopped would hold the program for ever.
      setTimeout(() => process.kill(process.pid, name), patienceMs).unref();
    });
  }
  return controller.signal;
}

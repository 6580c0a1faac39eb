/** What a run comes to: each result is shown, counted, and changes the exit status. */
import { clockMs } from "../clock.ts";
import type { Report } from "../documents/result.ts";
import { Interrupted, mergeStatuses } from "../errors.ts";
import type { Messages } from "../terminal/messages.ts";
import { jsonResult } from "./json-result.ts";
import { print } from "./print.ts";
import { Tally } from "./tally.ts";

export class Outcome {
  status = 0;
  /** Resolves when the result's line is written. @throws what `print` throws, from then on */
  readonly report: Report;
  readonly #messages: Messages;
  readonly #tally: Tally;
  readonly #begun = clockMs();
  #printed: Promise<void> = Promise.resolve();

  /** `json` prints each result on standard output. */
  constructor(messages: Messages, { json = false, verify = false } = {}) {
    this.#messages = messages;
    this.#tally = new Tally(verify);
    this.report = (result) => {
      // That a document was interrupted has been said with what remains of it.
      if (!(result.error instanceof Interrupted)) messages.result(result);
      this.#tally.add(result);
      this.status = mergeStatuses(this.status, result.exit);
      if (json) this.#print(jsonResult(result));
      return this.#printed;
    };
  }

  /** Waits for the readers of standard error and output, where much is unread. */
  async caughtUp(): Promise<void> {
    await this.#printed;
    await this.#messages.caughtUp();
  }

  /**
   * Ends the run: says what it came to. `whyEmpty` is said if there was no document;
   * a tree (`isTree`, or one that has begun) has a total whatever the number of its files.
   */
  async conclude(isTree: boolean, whyEmpty?: string): Promise<void> {
    await this.#printed;
    const seconds = (clockMs() - this.#begun) / 1000;
    const isExplained = whyEmpty !== undefined && this.#tally.isEmpty;
    const least = isTree || this.#messages.hasTree ? 0 : undefined;
    const lines = isExplained ? [whyEmpty] : this.#tally.lines(seconds, least);
    for (const line of lines) this.#messages.info(line);
  }

  #print(line: string): void {
    this.#printed = this.#printed.then(() => print(line));
    this.#printed.catch(() => undefined); // the next caller that waits gets the error
  }
}

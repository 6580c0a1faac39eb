/** The outcome of a run: shows and counts each result, and computes the exit status. */
import { clockMs } from "../clock.ts";
import type { Report, Result } from "../documents/result.ts";
import { Interrupted, mergeStatuses } from "../errors.ts";
import { stdoutLabel } from "../files/output/document-output.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import { jsonResult } from "./json-result.ts";
import { print } from "./print.ts";
import { Tally } from "./tally.ts";

export class Outcome {
  status = 0;
  /** Resolves when the result's line is written. @throws an error of `print`, from then on */
  readonly report: Report;
  readonly #messages: Messages;
  readonly #tally = new Tally();
  readonly #begun = clockMs();
  #printed: Promise<void> = Promise.resolve();

  constructor(messages: Messages, json = false) {
    this.#messages = messages;
    this.report = (result) => {
      // Another message has reported the interruption, with the remaining octets.
      if (!(result.error instanceof Interrupted)) messages.result(result);
      if (isListingInFile(result))
        messages.info(`${result.url}: the listing was written to "${result.file}"`);
      this.#tally.add(result);
      this.status = mergeStatuses(this.status, result.exit);
      if (json) this.#print(jsonResult(result));
      return this.#printed;
    };
  }

  async caughtUp(): Promise<void> {
    await this.#printed;
    await this.#messages.caughtUp();
  }

  /** Shows the total, always for a tree (-r, or one that has begun); without any file, `whyEmpty`. */
  async conclude({ recursive, spider, verify }: Settings, whyEmpty?: string): Promise<void> {
    await this.#printed;
    const { count } = this.#tally;
    const hasTotal = count > 1 || (recursive && !spider) || this.#messages.hasTree;
    if (count === 0 && whyEmpty !== undefined) this.#messages.info(whyEmpty);
    else if (hasTotal)
      for (const line of this.#tally.lines((clockMs() - this.#begun) / 1000, verify))
        this.#messages.info(line);
  }

  #print(line: string): void {
    this.#printed = this.#printed.then(() => print(line));
    this.#printed.catch(() => undefined); // the next caller of `caughtUp` gets the error
  }
}

/** True for a listing in the file of -O: a script may have wanted a file, with a URL that lacks its name. */
function isListingInFile({ status, resumed, link, file }: Result): boolean {
  const isListing = status === "done" && resumed === undefined && link === undefined;
  return isListing && file !== undefined && file !== stdoutLabel;
}

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
import { UnusedOutput } from "./unused-output.ts";

/**
 * Why a run has fetched nothing. `isUsual` is true if runs are expected to find nothing now and then, as with
 * an age: -q doesn't show the text.
 */
export interface Emptiness {
  readonly text: string;
  readonly isUsual: boolean;
}

export class Outcome {
  status = 0;
  /** Resolves when the result's line of --json is written. @throws an error of `print`, from then on */
  readonly report: Report = (result) => {
    this.#show(result);
    this.#tally.add(result);
    this.#unusedOutput.add(result);
    this.status = mergeStatuses(this.status, result.exit);
    if (this.#hasJson) this.#print(jsonResult(result));
    return this.#printed;
  };
  readonly #messages: Messages;
  readonly #hasJson: boolean;
  readonly #tally = new Tally();
  readonly #unusedOutput = new UnusedOutput();
  readonly #begun = clockMs();
  #printed: Promise<void> = Promise.resolve();

  constructor(messages: Messages, { json }: Pick<Settings, "json">) {
    this.#messages = messages;
    this.#hasJson = json;
  }

  async caughtUp(): Promise<void> {
    await this.#printed;
    await this.#messages.caughtUp();
  }

  async conclude(settings: Settings, whyEmpty?: Emptiness): Promise<void> {
    const { recursive, spider, verify } = settings;
    await this.#printed;
    this.#unusedOutput.say(settings, this.#messages);
    const { count } = this.#tally;
    if (count === 0 && whyEmpty !== undefined) return this.#sayEmpty(whyEmpty);
    const isTree = (recursive && !spider) || this.#messages.hasTree;
    if (count <= 1 && !isTree) return;
    const seconds = (clockMs() - this.#begun) / 1000;
    for (const line of this.#tally.lines(seconds, verify)) this.#messages.info(line);
  }

  #show(result: Result): void {
    // Another message has reported the interruption, with the remaining octets.
    if (!(result.error instanceof Interrupted)) this.#messages.result(result);
    if (isListingInFile(result))
      this.#messages.info(`${result.url}: the listing was written to "${result.file}"`);
  }

  #sayEmpty({ text, isUsual }: Emptiness): void {
    if (isUsual) this.#messages.info(text);
    else this.#messages.infoAlways(text);
  }

  #print(line: string): void {
    this.#printed = this.#printed.then(() => print(line));
    this.#printed.catch(() => undefined); // The next caller of `caughtUp` gets the error.
  }
}

/** True for a listing in the file of -O: a script may have wanted a file, with a URL that lacks its name. */
function isListingInFile({ status, resumed, link, file }: Result): boolean {
  const isListing = status === "done" && resumed === undefined && link === undefined;
  return isListing && file !== undefined && file !== stdoutLabel;
}

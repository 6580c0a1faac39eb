/** The outcome of a run: shows and counts each result, and computes the exit status. */
import { clockMs } from "../clock.ts";
import type { Report, Result } from "../documents/result.ts";
import { hintAtTrees } from "../documents/tree/selection.ts";
import { Interrupted, mergeStatuses } from "../errors.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import { jsonResult } from "./json-result.ts";
import { print } from "./print.ts";
import { Tally } from "./tally.ts";

export class Outcome {
  status = 0;
  /** Resolves when the result's line of --json is written. @throws an error of `print`, from then on */
  readonly report: Report = (result) => {
    this.#show(result);
    this.#tally.add(result);
    this.status = mergeStatuses(this.status, result.exit);
    if (this.#settings.json) this.#print(jsonResult(result));
    return this.#printed;
  };
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #tally = new Tally();
  readonly #begun = clockMs();
  #printed: Promise<void> = Promise.resolve();

  constructor(messages: Messages, settings: Settings) {
    this.#messages = messages;
    this.#settings = settings;
  }

  async conclude(): Promise<void> {
    const { recursive, spider, verify } = this.#settings;
    await this.#printed;
    const isTree = (recursive && !spider) || this.#messages.hasTree;
    if (this.#tally.count <= 1 && !isTree) return;
    const seconds = (clockMs() - this.#begun) / 1000;
    this.#messages.info(this.#tally.total(seconds, verify));
  }

  #show(result: Result): void {
    // Another message has reported the interruption, with the remaining octets.
    if (!(result.error instanceof Interrupted)) this.#messages.result(result);
    if (isListing(result) && isForFiles(this.#settings))
      this.#messages.infoAlways(`${result.url} is a directory, and was only listed`, hintAtTrees);
  }

  #print(line: string): void {
    this.#printed = this.#printed.then(() => print(line));
    this.#printed.catch(() => undefined); // The next caller of `report` gets the error.
  }
}

function isListing({ status, file, resumed, link }: Result): boolean {
  return status === "done" && file !== undefined && resumed === undefined && link === undefined;
}

/** True for options that have no effect on a listing. */
function isForFiles(settings: Settings): boolean {
  return !settings.spider && (settings.wantsFile || settings.forceDirectories);
}

/** The outcome of a run: shows and counts each result, and computes the exit status. */
import { clockMs } from "../clock.ts";
import type { Report, Result } from "../documents/result.ts";
import type { Selection } from "../documents/tree/selection.ts";
import { exitStatus, hasReason, mergeStatuses } from "../errors.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import { jsonString } from "../text/escape.ts";
import { conceal } from "../text/secrets.ts";
import { formatUtc } from "../text/units.ts";
import type { Requested } from "./jobs/requested.ts";
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
  /** The first interrupted task of which no data had come, until another one has told where it stopped. */
  #unbegun: Result | "told" | undefined;
  #printed: Promise<void> = Promise.resolve();

  constructor(messages: Messages, settings: Settings) {
    this.#messages = messages;
    this.#settings = settings;
  }

  /** Says the total; that of a tree or a pattern also for one file. */
  async conclude(selection: Selection, extent: Requested["extent"]): Promise<void> {
    const { spider, recursive, verify } = this.#settings;
    const isTree = !spider && (recursive || extent === "pattern");
    await this.#printed;
    const { count } = this.#tally;
    if (isTree && count === 0 && selection.choosesFiles) return this.#sayEmpty(selection);
    if (count <= 1 && !isTree) return;
    const seconds = (clockMs() - this.#begun - this.#messages.promptedMs) / 1000;
    for (const line of this.#tally.failureLines()) this.#messages.info(line);
    if (!spider) this.#messages.info(this.#tally.total(seconds, verify));
  }

  /** Called at the end of an interrupted run: one line is enough for all tasks of which no data had come. */
  interrupted(): void {
    if (typeof this.#unbegun === "object") this.#messages.result(this.#unbegun);
  }

  #show(result: Result): void {
    const isInterrupted = hasReason(result.error, "interrupted");
    const isAnswer = isAnsweredByStatus(this.#settings) && result.exit === exitStatus.refused;
    if (isInterrupted && result.ending === undefined) this.#unbegun ??= result;
    else if (!isAnswer) this.#messages.result(result);
    if (isInterrupted && result.ending !== undefined) this.#unbegun = "told";
  }

  /** A run that finds nothing new is usual with ages only. */
  #sayEmpty({ hasTimes }: Selection): void {
    const text = "nothing was fetched: no file meets -A, -R, --newer-than or --older-than";
    if (hasTimes) this.#messages.info(text);
    else this.#messages.warnAlways(text);
  }

  #print(line: string): void {
    this.#printed = this.#printed.then(() => print(line));
    this.#printed.catch(() => undefined); // The next caller of `report` gets the error.
  }
}

/** True for a script's question whether a file is there, which prints nothing. */
export function isAnsweredByStatus({ spider, recursive, verbosity }: Settings): boolean {
  return spider && !recursive && verbosity === "quiet";
}

/** --json: a result as one line. All keys are always present; null means unknown, or doesn't apply. */
export function jsonResult(result: Result): string {
  const { seconds, modified, verified, error } = result;
  const { checksums = [], source } = verified ?? {};
  const [strongest] = checksums;
  const members = {
    url: result.url ?? null,
    file: result.file ?? null,
    bytes: result.octets ?? null,
    seconds: seconds === undefined ? null : Math.round(seconds * 1000) / 1000,
    resumed: result.resumed ?? null,
    size: result.size ?? null,
    modified: (modified instanceof Date ? formatUtc(modified) : modified) ?? null,
    sha256: checksums.find(({ algorithm }) => algorithm === "sha256")?.value ?? null,
    status: result.status,
    reason: result.reason ?? null,
    exit: result.exit,
    error: error === undefined ? null : conceal(error.message),
    verified: strongest ? { algorithm: strongest.algorithm, source } : null,
  };
  return `${jsonString(members)}\n`;
}

/** The only file that writes to standard error: controls are escaped there, and secrets concealed. */
import type { DocumentProgress, DocumentStart, Observer } from "../documents/events.ts";
import type { TreeCount } from "../documents/tree/tree-count.ts";
import type { Result } from "../documents/result.ts";
import { type FtpullError, hasReason } from "../errors.ts";
import { hints } from "../hints.ts";
import { escapeControls } from "../text/escape.ts";
import { conceal } from "../text/secrets.ts";
import { Display, type MessageStream } from "./display.ts";
import { Progress, type ProgressStyle } from "./progress.ts";

export interface MessagesOptions {
  /** Read when there is something to write: opening it may take time. */
  readonly stream: MessageStream;
  readonly level: "quiet" | "normal" | "verbose";
  readonly progress: ProgressStyle | "none";
  readonly labelsSessions?: boolean;
  readonly decode: (octets: string) => string;
  readonly now: () => number;
}

export class Messages implements Observer {
  /** Time at prompts. */
  promptedMs = 0;
  readonly #options: MessagesOptions;
  readonly #progress: Progress | undefined;
  readonly #display: Display;
  #lastHint: string | undefined;

  constructor(options: MessagesOptions) {
    const { progress: style, now } = options;
    const print = (line: string): void => this.#print(line);
    const changed = (): void => this.#display.refresh();
    this.#options = options;
    this.#progress = style === "none" ? undefined : new Progress({ style, now, print, changed });
    this.#display = new Display(options, style === "bar" ? this.#progress : undefined);
  }

  begin(document: DocumentStart): DocumentProgress {
    return this.#progress?.begin(document) ?? { advance: () => undefined, end: () => undefined };
  }

  tree(count: TreeCount): void {
    this.#progress?.tree(count);
  }

  warning(text: string): void {
    if (this.#options.level !== "quiet") this.warnAlways(text);
  }

  warnAlways(text: string): void {
    this.#print(`ftpull: warning: ${text}`);
  }

  info(text: string): void {
    if (this.#options.level !== "quiet") this.#print(`ftpull: ${text}`);
  }

  detail(text: string): void {
    if (this.#options.level === "verbose") this.info(text);
  }

  command(line: string, session?: number): void {
    this.#dialogue(">", line, session);
  }

  reply(text: string, session?: number): void {
    for (const line of text.split("\n")) this.#dialogue("<", line, session);
  }

  result(result: Result): void {
    const { status, url, place, explanation, inTree, file, isNumbered, link } = result;
    const error = errorWithEnding(result);
    // A tree that is fetched again has thousands of unchanged files.
    const areSkippedShown = !inTree || this.#options.level === "verbose";
    if (explanation !== undefined && areSkippedShown) this.info(`${explanation}: skipped`);
    if (status === "done" && link !== undefined && this.#progress !== undefined)
      this.#print(`${file}: now a link to "${link}"`);
    if (isNumbered) {
      this.#print(`ftpull: ${url}: saved as "${file}"`);
      this.#printHint(hints.numbered);
    }
    if (error !== undefined) this.failure(place === undefined ? url : `${place}: ${url}`, error);
  }

  failure(url: string | undefined, error: FtpullError): void {
    this.#print(["ftpull", url, error.message].filter((part) => part !== undefined).join(": "));
    this.#printHint(error.hint);
  }

  prompt<T>(ask: () => Promise<T>): Promise<T> {
    const { now } = this.#options;
    return this.#display.prompt(async () => {
      const begunMs = now();
      return ask().finally(() => (this.promptedMs += now() - begunMs));
    });
  }

  /** Removes bars for good; later messages are printed. May be called twice, and by a signal handler. */
  close(): void {
    this.#progress?.close();
    this.#display.refresh();
  }

  #dialogue(direction: "<" | ">", line: string, session: number | undefined): void {
    const { labelsSessions, decode } = this.#options;
    const label = labelsSessions && session !== undefined ? session : "";
    this.#print(`${label}${direction} ${decode(conceal(line))}`);
  }

  /** Prints a hint, once for several failures of one kind in a row. */
  #printHint(hint: string | undefined): void {
    if (hint !== undefined && hint !== this.#lastHint) this.#print(`hint: ${hint}`);
    this.#lastHint = hint ?? this.#lastHint;
  }

  #print(line: string): void {
    this.#display.print(escapeControls(conceal(line)));
  }
}

/** After an interruption it is enough to say what became of the data. */
function errorWithEnding({ error, ending }: Result): FtpullError | undefined {
  if (error === undefined || ending === undefined) return error;
  const message = hasReason(error, "interrupted") ? ending : `${error.message}; ${ending}`;
  return error.with({ message });
}

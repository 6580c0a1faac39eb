/** The only file that writes to standard error: controls are escaped there, and secrets concealed. */
import type { DocumentProgress, DocumentStart, Observer } from "../documents/events.ts";
import type { TreeCount } from "../documents/tree/tree-count.ts";
import type { Result } from "../documents/result.ts";
import type { FtpullError } from "../errors.ts";
import { escapeControls } from "../text/escape.ts";
import { conceal } from "../text/secrets.ts";
import { Meter } from "./meter.ts";
import { BarProgress } from "./progress-bar.ts";
import { PlainProgress } from "./progress-plain.ts";
import type { Progress, ProgressOptions } from "./progress.ts";

export interface MessagesOptions extends ProgressOptions {
  readonly level: "quiet" | "normal" | "verbose";
  /** "final" is one line for each document, at its end. */
  readonly progress: "bar" | "plain" | "final" | "none";
  readonly labelsSessions?: boolean;
  readonly decode: (octets: string) => string;
  readonly showsStacks: boolean;
}

export class Messages implements Observer {
  hasTree = false;
  readonly #options: MessagesOptions;
  readonly #progress: Progress | undefined;
  readonly #shownAdvice = new Set<string>();
  #suspensions = 0;
  #hasNumberedFile = false;
  #waitingLines = "";
  #soon: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: MessagesOptions) {
    this.#options = options;
    this.#progress = this.#chooseProgress();
  }

  begin(document: DocumentStart): DocumentProgress {
    const meter = new Meter(document, this.#options.now);
    const running = { ...document, meter };
    this.#progress?.begun(running);
    return {
      advance: (position) => {
        meter.position = position;
      },
      end: (saved) => this.#progress?.ended(running, saved),
    };
  }

  tree(count: TreeCount): void {
    this.hasTree = true;
    this.#progress?.tree(count);
  }

  warning(text: string): void {
    if (this.#options.level !== "quiet") this.warnAlways(text);
  }

  warnAlways(text: string): void {
    this.#print(`ftpull: warning: ${text}`);
  }

  info(text: string, hint?: string): void {
    if (this.#options.level !== "quiet") this.infoAlways(text, hint);
  }

  infoAlways(text: string, hint?: string): void {
    this.#print(`ftpull: ${text}`);
    this.#printHint(hint);
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
    const { status, url, place, explanation, error, inTree, file, isNumbered, link } = result;
    const hasProgress = this.#progress !== undefined;
    // A tree that is fetched again has thousands of unchanged files.
    const areSkippedShown = !inTree || this.#options.level === "verbose";
    if (explanation !== undefined && areSkippedShown) this.info(`${explanation}: skipped`);
    if (status === "done" && link !== undefined && hasProgress)
      this.#printSoon(`${file}: now a link to "${link}"`);
    if (isNumbered && !hasProgress) this.#print(`ftpull: ${url}: saved as "${file}"`);
    if (isNumbered && file !== undefined) this.#explainNumber(file);
    if (error !== undefined) this.failure(place === undefined ? url : `${place}: ${url}`, error);
  }

  #explainNumber(file: string): void {
    const name = file.replace(/\.\d+$/, "");
    if (!this.#hasNumberedFile) this.info(`the name "${name}" was taken: ${waysWithoutNumber}`);
    this.#hasNumberedFile = true;
  }

  failure(url: string | undefined, error: FtpullError): void {
    const parts = ["ftpull", url, error.message].filter((part) => part !== undefined);
    this.#print(parts.map((part) => abridge(part)).join(": "));
    this.#printHint(error.hint);
    const stack = this.#options.showsStacks ? stackLines(error) : [];
    for (const line of stack) this.#print(line);
  }

  /** Waits for a slow reader: messages would pile up in memory. */
  async caughtUp(): Promise<void> {
    const { stream } = this.#options;
    if ((stream.writableLength ?? 0) < mostUnreadOctets) return;
    await new Promise<void>((resolve) => stream.write("", () => resolve()));
  }

  /** Clears the screen for a prompt: until `resume`, bars are away and messages wait. */
  suspend(): void {
    this.#suspensions++;
    this.#progress?.hide?.();
  }

  resume(): void {
    if (this.#suspensions > 0) this.#suspensions--;
    this.#flush();
  }

  /** Removes bars for good; later messages are printed. May be called twice, and by a signal handler. */
  close(): void {
    this.#closed = true;
    this.#progress?.close();
    this.#writeWaiting();
  }

  #chooseProgress(): Progress | undefined {
    const { progress, now } = this.#options;
    if (progress === "none") return undefined;
    const print = (line: string): void => this.#print(line);
    const printSoon = (line: string): void => this.#printSoon(line);
    if (progress === "bar") return new BarProgress(this.#options, { print, printSoon });
    return new PlainProgress({ print, now, hasOnlyEnds: progress === "final" });
  }

  #dialogue(direction: "<" | ">", line: string, session: number | undefined): void {
    const { level, labelsSessions, decode } = this.#options;
    if (level !== "verbose") return;
    const label = labelsSessions && session !== undefined ? session : "";
    this.#print(`${label}${direction} ${decode(conceal(line))}`);
  }

  /** Prints a hint once, and never cut, since a command is made to be copied. */
  #printHint(hint: string | undefined): void {
    if (hint === undefined || hint.length > mostShownCharacters) return;
    const advice = hint.replace(/: .*/s, "");
    if (this.#shownAdvice.has(advice)) return;
    if (this.#shownAdvice.size < mostShownAdvice) this.#shownAdvice.add(advice);
    this.#print(`hint: ${hint}`);
  }

  #print(line: string): void {
    this.#add(line);
    this.#flush();
  }

  #printSoon(line: string): void {
    if (this.#closed) return this.#print(line);
    this.#add(line);
    this.#soon ??= setTimeout(() => this.#flush(), soonMs).unref();
  }

  #add(line: string): void {
    this.#waitingLines += `${escapeControls(abridge(line, 3 * mostShownCharacters))}\n`;
  }

  #flush(): void {
    if (this.#closed) return this.#writeWaiting();
    if (this.#suspensions > 0) return;
    this.#progress?.hide?.();
    this.#writeWaiting();
    this.#progress?.show?.();
  }

  #writeWaiting(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    if (this.#waitingLines === "") return;
    this.#options.stream.write(this.#waitingLines);
    this.#waitingLines = "";
  }
}

const waysWithoutNumber = "-N fetches only what is newer, -f replaces, -nc keeps";

const soonMs = 100;

const mostUnreadOctets = 64 * 1024;

const mostShownAdvice = 100;

const mostShownCharacters = 2000;

/** Shows both ends of a long text: a URL may have a megabyte, and stands twice in a line. */
function abridge(whole: string, most = mostShownCharacters): string {
  const text = conceal(whole); // A cut could leave half a secret.
  const omitted = text.length - most;
  if (omitted <= 0) return text;
  return `${text.slice(0, most / 2)} [${omitted} characters] ${text.slice(-most / 2)}`;
}

/** Stacks of an error and its causes. In Node's own text of an error, quotes are escaped: no secret would be found. */
function stackLines(error: Error): string[] {
  const lines = (error.stack ?? "").split("\n");
  return error.cause instanceof Error
    ? [...lines, "caused by:", ...stackLines(error.cause)]
    : lines;
}

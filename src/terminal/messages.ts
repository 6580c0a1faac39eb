/**
 * The one place that writes to standard error: warnings, notes, the dialogue, failures, and
 * progress in the form that was asked for. Controls are escaped, and secrets concealed, here.
 */
import type { DocumentProgress, DocumentStart, Observer, TreeCount } from "../documents/events.ts";
import type { Result } from "../documents/result.ts";
import type { FtpullError } from "../errors.ts";
import { escapeControls } from "../text/escape.ts";
import { conceal } from "../text/secrets.ts";
import { Meter } from "./meter.ts";
import { BarProgress } from "./progress-bar.ts";
import { PlainProgress } from "./progress-plain.ts";
import type { MessageStream, Progress, ProgressOptions } from "./progress.ts";

export interface MessagesOptions extends ProgressOptions {
  readonly level: "quiet" | "normal" | "verbose";
  /** "final" is one line for each document, at its end. */
  readonly progress: "bar" | "plain" | "final" | "none";
  /** Whether lines of the dialogue begin with the session's number; default: they don't. */
  readonly labelsSessions?: boolean;
  /** Makes text of a command's or a reply's octets. */
  readonly decode: (octets: string) => string;
  /** Whether a failure shows its stack trace. */
  readonly debug: boolean;
}

export class Messages implements Observer {
  /** Whether a tree has begun. */
  hasTree = false;
  readonly #options: MessagesOptions;
  readonly #progress: Progress | undefined;
  /** Hints that were given, without their commands. */
  readonly #hints = new Set<string>();
  #suspensions = 0;
  #waiting = "";
  /** Runs while lines wait that needn't be shown at once. */
  #soon: NodeJS.Timeout | undefined;
  #closed = false;
  /** Where something was written to. */
  #stream: MessageStream | undefined;

  constructor(options: MessagesOptions) {
    this.#options = options;
    this.#progress = this.#chooseProgress();
  }

  begin(document: DocumentStart): DocumentProgress {
    const meter = new Meter(document, this.#options.now);
    const running = { ...document, meter };
    this.#progress?.begun(running);
    return {
      advance: (position) => void (meter.position = position),
      end: (whole, verified) => this.#progress?.ended(running, whole, verified),
    };
  }

  tree(count: TreeCount): void {
    this.hasTree = true;
    this.#progress?.tree(count);
  }

  warning(text: string): void {
    if (this.#options.level !== "quiet") this.#print(`ftpull: warning: ${abridge(text)}`);
  }

  info(text: string, hint?: string): void {
    if (this.#options.level === "quiet") return;
    this.#print(`ftpull: ${abridge(text)}`);
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

  /** Prints why a document was skipped or has failed. */
  result({ url, explanation, error, inTree }: Result): void {
    // A tree that is fetched again has thousands of files that are unchanged.
    const isShown = !inTree || this.#options.level === "verbose";
    if (explanation !== undefined && isShown) this.info(`${explanation}: skipped`);
    if (error !== undefined) this.failure(url, error);
  }

  /** Prints the one line of a failure and its hint; `url` has no password. */
  failure(url: string | undefined, error: FtpullError): void {
    const parts = ["ftpull", url, error.message].filter((part) => part !== undefined);
    this.#print(parts.map(abridge).join(": "));
    this.#printHint(error.hint);
    if (this.#options.debug) stackLines(error).forEach((line) => this.#print(line));
  }

  /** Waits for a reader that is slow, where much is unread: it would pile up in memory. */
  async caughtUp(): Promise<void> {
    const stream = this.#stream;
    if ((stream?.writableLength ?? 0) < mostUnread) return;
    await new Promise<void>((resolve) => stream?.write("", () => resolve()));
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

  /**
   * Takes bars off the screen for good and prints what waits; later messages are still printed.
   * Done when it returns, so a signal handler can call it; calling it twice is harmless.
   */
  close(): void {
    this.#closed = true;
    this.#progress?.close();
    this.#writeWaiting();
  }

  #chooseProgress(): Progress | undefined {
    const { progress, now } = this.#options;
    if (progress === "none") return undefined;
    const print = (line: string, isUrgent?: boolean) => this.#print(abridge(line), isUrgent);
    if (progress !== "bar") return new PlainProgress(print, now, progress === "final");
    return new BarProgress({ ...this.#options, print });
  }

  #dialogue(direction: "<" | ">", line: string, session: number | undefined): void {
    const { level, labelsSessions, decode } = this.#options;
    if (level !== "verbose") return;
    const label = (labelsSessions && session) || "";
    this.#print(`${label}${direction} ${decode(conceal(line))}`);
  }

  /** A command in it is made to be copied: it is shown whole, or not at all; one advice is given once. */
  #printHint(hint: string | undefined): void {
    if (hint === undefined || hint.length > mostShown) return;
    const advice = hint.replace(/: .*/s, "");
    if (this.#hints.has(advice)) return;
    if (this.#hints.size < mostHints) this.#hints.add(advice);
    this.#print(`hint: ${hint}`);
  }

  /** Prints a line. Lines that aren't urgent may come by the thousand: bars aren't drawn anew for each. */
  #print(line: string, isUrgent = true): void {
    this.#waiting += `${escapeControls(conceal(line))}\n`;
    if (this.#closed) this.#writeWaiting();
    else if (isUrgent) this.#flush();
    else this.#soon ??= setTimeout(() => this.#flush(), soonMs).unref();
  }

  /** Writes what waits above the bars, unless a prompt is shown. */
  #flush(): void {
    if (this.#closed || this.#suspensions > 0) return;
    this.#progress?.hide?.();
    this.#writeWaiting();
    this.#progress?.show?.();
  }

  #writeWaiting(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    if (this.#waiting === "") return;
    this.#stream ??= this.#options.stream;
    this.#stream.write(this.#waiting);
    this.#waiting = "";
  }
}

/** As often as bars are drawn. */
const soonMs = 100;

/** Octets of messages. */
const mostUnread = 64 * 1024;

/** Pieces of advice that are kept. */
const mostHints = 100;

/** Characters of a URL, or of what is said about it. */
const mostShown = 2000;

/** A URL may have a megabyte, and stands twice in a line: a long text is shown by its two ends. */
function abridge(whole: string): string {
  const text = conceal(whole); // the cut could leave half a secret
  const left = text.length - mostShown;
  if (left <= 0) return text;
  const [begin, end] = [text.slice(0, mostShown / 2), text.slice(-mostShown / 2)];
  return `${begin} [${left} characters] ${end}`;
}

function stackLines(error: Error): string[] {
  const lines = (error.stack ?? "").split("\n");
  return error.cause instanceof Error
    ? [...lines, "caused by:", ...stackLines(error.cause)]
    : lines;
}

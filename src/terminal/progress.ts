/** Progress as messages.ts sees it, whether drawn as bars or printed as lines. */
import type { DocumentStart, Saved } from "../documents/events.ts";
import type { TreeCount } from "../documents/tree/tree-count.ts";
import type { Meter } from "./meter.ts";

export interface Running extends DocumentStart {
  readonly meter: Meter;
}

export interface Progress {
  begun(document: Running): void;
  ended(document: Running, saved: Saved | undefined): void;
  tree(count: TreeCount): void;
  hide?(): void;
  show?(): void;
  close(): void;
}

export interface ProgressOptions {
  readonly stream: MessageStream;
  readonly now: () => number;
  readonly mayDraw?: () => boolean;
}

export interface Printer {
  print(line: string): void;
  /** Prints a line within 100 ms, together with others: there may be thousands, and bars are drawn anew each time. */
  printSoon(line: string): void;
}

export interface MessageStream {
  write(text: string, written?: () => void): unknown;
  readonly writableLength?: number;
  /** Undefined or 0 if the terminal does not report it. */
  readonly columns?: number;
  readonly rows?: number;
}

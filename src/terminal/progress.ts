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
  /** Clears the screen for other text, until `show`; lines needn't be cleared. */
  hide?(): void;
  show?(): void;
  close(): void;
}

export interface ProgressOptions {
  readonly stream: MessageStream;
  readonly now: () => number;
  readonly mayDraw?: () => boolean;
}

/** Prints a line; with bars, between `hide` and `show`. A line that isn't urgent may wait. */
export type PrintLine = (line: string, isUrgent?: boolean) => void;

export interface MessageStream {
  /** Calls `written` when the system has taken the text, or refused it. */
  write(text: string, written?: () => void): unknown;
  readonly writableLength?: number;
  /** Undefined or 0 if the terminal does not report it. */
  readonly columns?: number;
  readonly rows?: number;
}

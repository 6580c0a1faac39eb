/** What the ways to show progress have in common, so that messages need not know which one it is. */
import type { DocumentProgress, DocumentStart } from "../documents/events.ts";

/** Shows how documents come along; it writes lines only through the `print` that it is handed. */
export interface Progress {
  begin(document: DocumentStart): DocumentProgress;
  /** Takes off the screen whatever would be in the way of other text, until `show`. */
  hide(): void;
  show(): void;
  /** Ends for good, at once; may be called twice, and from a signal handler. */
  close(): void;
}

/** Where messages and progress are written: standard error, or a test's stand-in for it. */
export interface MessageStream {
  write(text: string): unknown;
  /** Undefined or 0 where the terminal doesn't tell. */
  readonly columns?: number;
  readonly rows?: number;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

/** Where a file's bytes wait until it is whole: in memory, or in a partial file. */
import type { Stats } from "node:fs";

export interface Store {
  /** Number of the bytes that arrived, if they came in order. */
  readonly octets: number;
  /** The `length` bytes before `offset`, or as many as there are. */
  tail(offset: number, length: number): Buffer;
  write(position: number, chunk: Buffer): void;
  /** Drops all but the first bytes. While others don't come in order, no later run can resume the file. */
  cut(octets: number, isInOrder: boolean): void;
  /** Moves the whole file to a private path, from where `giveName` renames it; if that fails, the bytes stay here. */
  whole(modified: Date | undefined, giveName: (path: string, file: Stats) => void): void;
  /** Ends this run's work; returns how many bytes a later run can resume. */
  keep(): number;
  remove(): void;
}

/** Counts what a tree has and how much of it is done, for progress. */
import type { TreeCount } from "../events.ts";
import type { TreeEntry } from "./tree-listing.ts";

type Counted = Pick<TreeEntry, "type" | "size">;

export class TreeCounter implements TreeCount {
  readonly url: string;
  files = 0;
  filesEnded = 0;
  octets = 0;
  octetsEnded = 0;
  /** The top is known from the start. */
  directories = 1;
  hasEnded = false;

  constructor(url: string) {
    this.url = url;
  }

  found(entry: Counted): void {
    if (entry.type === "directory") this.directories++;
    else this.files++;
    this.octets += octetsOf(entry);
  }

  /** It was fetched or listed, left out, or has failed. */
  ended(entry: Counted): void {
    if (entry.type === "directory") this.directories--;
    else this.filesEnded++;
    this.octetsEnded += octetsOf(entry);
  }
}

function octetsOf({ type, size = 0 }: Counted): number {
  return type === "file" ? size : 0;
}

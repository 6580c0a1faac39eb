/** The numbers of a tree's files and directories, for progress: they grow and fall until the tree has ended. */
import type { TreeEntry } from "./tree-listing.ts";

type Counted = Pick<TreeEntry, "type" | "size">;

export class TreeCount {
  readonly url: string;
  /** The local directory of a whole tree. */
  readonly place: string | undefined;
  files = 0;
  filesEnded = 0;
  octets = 0;
  octetsEnded = 0;
  /** Directories to be listed; at first the tree's top. */
  directories = 1;
  hasEnded = false;

  constructor(url: string, place?: string) {
    this.url = url;
    this.place = place;
  }

  found(entry: Counted): void {
    if (entry.type === "directory") this.directories++;
    else this.files++;
    this.octets += octetsOf(entry);
  }

  ended(entry: Counted): void {
    if (entry.type === "directory") this.directories--;
    else this.filesEnded++;
    this.octetsEnded += octetsOf(entry);
  }
}

function octetsOf({ type, size = 0 }: Counted): number {
  return type === "file" ? size : 0;
}

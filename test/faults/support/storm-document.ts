/**
 * A document of the storm: the server may replace it in the middle of a run, by one of the same
 * size, a later time and a few other octets in each MiB. All versions that it had are known.
 */
import { basename } from "node:path";
import { generatedOctets } from "../../support/generated.ts";
import type { FileSource } from "../../support/options.ts";
import { type DirectoryEntry, findEntry, type FileEntry } from "../../support/tree.ts";

const pieceSize = 64 * 1024;
const stride = 200_000;

export class StormDocument {
  readonly pathname: string;
  readonly size: number;
  readonly #seed: number;
  #versions = 1;

  constructor(pathname: string, size: number, seed: number) {
    this.pathname = pathname;
    this.size = size;
    this.#seed = seed;
  }

  get name(): string {
    return basename(this.pathname);
  }

  /** When the server got the version that it has now. */
  get modified(): Date {
    return new Date(Date.UTC(2020, 1, 29, 12, this.#versions - 1));
  }

  /** The first version. */
  get source(): FileSource {
    return { content: { size: this.size, seed: this.#seed }, modified: this.modified };
  }

  /** Puts another version in the tree; transfers that have begun go on with the one before. */
  replace(root: DirectoryEntry): void {
    this.#versions += 1;
    const above = findEntry(root, this.pathname.slice(0, -this.name.length));
    if (above?.kind === "directory") above.entries.set(this.name, this.#entry());
  }

  /** The first version's octets up to `end`. */
  beginning(end: number): Buffer {
    return this.#octets(0, 0, end);
  }

  isVersion(octets: Buffer): boolean {
    const versions = Array.from({ length: this.#versions }, (_, version) => version);
    return octets.length === this.size && versions.some((version) => this.#is(version, octets));
  }

  describe(octets: Buffer): string {
    const length = `${octets.length} octets of ${this.size}`;
    const places = Array.from({ length: Math.ceil(this.size / stride) }, (_, block) => {
      const [start, end] = [block * stride, Math.min((block + 1) * stride, this.size)];
      const found = octets.subarray(start, end);
      const versions = Array.from({ length: this.#versions }, (_each, version) => version);
      return versions.find((version) => found.equals(this.#octets(version, start, end))) ?? "?";
    });
    return `${length}, of the versions ${places.join(" ")}`;
  }

  #is(version: number, octets: Buffer): boolean {
    for (let at = 0; at < this.size; at += pieceSize) {
      const end = Math.min(at + pieceSize, this.size);
      if (!octets.subarray(at, end).equals(this.#octets(version, at, end))) return false;
    }
    return true;
  }

  #entry(): FileEntry {
    const version = this.#versions - 1;
    const { size, modified } = this;
    const read = (offset: number): Iterable<Buffer> => this.#pieces(version, offset);
    return { kind: "file", size, modified, read };
  }

  *#pieces(version: number, offset: number): Generator<Buffer> {
    for (let at = offset; at < this.size; at += pieceSize)
      yield this.#octets(version, at, Math.min(at + pieceSize, this.size));
  }

  #octets(version: number, start: number, end: number): Buffer {
    const octets = generatedOctets(this.#seed, start, end);
    for (let block = Math.floor(start / stride); block * stride < end; block++) {
      const at = block * stride + (((block + 1) * 7919 * this.#seed) % stride);
      if (at >= start && at < end) octets[at - start]! ^= version;
    }
    return octets;
  }
}

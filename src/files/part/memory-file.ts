/** The bytes of a small file, which wait in memory until it is whole. */
import type { Stats } from "node:fs";
import type { Version } from "../destination.ts";
import { makePrivateFile } from "../private-file.ts";

export class MemoryFile {
  readonly version: Version;
  readonly #name: string;
  #content: Buffer = Buffer.alloc(0);

  constructor(name: string, version: Version) {
    this.version = version;
    this.#name = name;
  }

  get octets(): number {
    return this.#content.length;
  }

  tail(offset: number, length: number): Buffer {
    return this.#content.subarray(Math.max(0, offset - length), offset);
  }

  write(_position: number, chunk: Buffer): void {
    this.#content = Buffer.concat([this.#content, chunk]);
  }

  cut(octets: number): void {
    this.#content = this.#content.subarray(0, octets);
  }

  whole(modified: Date | undefined, giveName: (path: string, file: Stats) => void): void {
    makePrivateFile(this.#name, this.#content, giveName, modified);
  }

  keep(): number {
    this.remove();
    return 0;
  }

  remove(): void {
    this.#content = Buffer.alloc(0);
  }
}

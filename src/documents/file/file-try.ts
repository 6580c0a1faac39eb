/** One try of a file: what has come in it, and what becomes of the bytes. */
import type { Version } from "../../files/destination.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import { beginAgain } from "../retry.ts";
import type { Tries } from "../task-tries.ts";
import type { Incoming } from "./incoming.ts";
import type { Beginning } from "./resume.ts";

interface Start {
  readonly facts: Facts;
  readonly version: Version;
  readonly beginning: Beginning;
  /** Several bring blocks, in any order. */
  readonly connections: number;
  readonly tries: Tries;
}

export class FileTry {
  readonly facts: Facts;
  readonly connections: number;
  /** Position at which the try begins: the bytes before it are stored. */
  readonly offset: number;
  readonly #file: Incoming;
  readonly #start: Start;
  /** Bytes of the file that are here. */
  octets: number;
  #isOpen = false;
  /** Bytes that came again before their first copy: compared when no block is on its way. */
  readonly #overlaps: { readonly start: number; readonly octets: Buffer }[] = [];

  constructor(file: Incoming, start: Start) {
    this.#file = file;
    this.#start = start;
    this.facts = start.facts;
    this.connections = start.connections;
    this.offset = start.beginning.offset;
    this.octets = this.offset;
  }

  get isInOrder(): boolean {
    return this.connections === 1;
  }

  /** Compares bytes that came again. @throws "begin again" if they differ */
  compare(start: number, octets: Buffer): void {
    const isStored = start + octets.length <= this.offset;
    if (isStored) this.#requireEqual(start, octets);
    else this.#overlaps.push({ start, octets: Buffer.from(octets) });
  }

  write(position: number, chunk: Buffer): void | Promise<void> {
    const opening = this.#open();
    if (opening === undefined) return this.#file.write(position, chunk);
    return opening.then(() => this.#file.write(position, chunk));
  }

  advance(octets: number): void {
    this.octets += octets;
    this.#start.tries.advance(this.octets);
  }

  /** Keeps the first bytes of blocks that came in any order. @throws "begin again" if they don't fit together */
  cut(octets: number): void {
    if (!this.#isOpen) return;
    for (const overlap of this.#overlaps) {
      const stored = Math.max(0, octets - overlap.start);
      this.#requireEqual(overlap.start, overlap.octets.subarray(0, stored));
    }
    this.#file.destination.cut?.(octets);
  }

  /** Gives the whole file its name; returns its bytes. @throws "begin again", FtpullError "file", "integrity" */
  async publish(): Promise<number> {
    await this.#open(); // An empty file, or one of which nothing was missing.
    return this.#file.publish(this.facts.modified, this.offset > 0);
  }

  /** Called once data has come: a refused transfer leaves what is stored as it is. */
  #open(): void | Promise<void> {
    if (this.#isOpen) return;
    const { facts, version, beginning, tries } = this.#start;
    const { offset, dropped } = beginning;
    const opening = this.#file.open(version, offset, this.isInOrder);
    this.#isOpen = true;
    if (dropped !== undefined) tries.say(`${dropped}; beginning again`);
    const { destination, download } = this.#file;
    const { isInTree: inTree } = download;
    const { label: target } = destination;
    tries.begin({ url: version.url, target, size: facts.size, offset, inTree });
    return opening;
  }

  #requireEqual(start: number, octets: Buffer): void {
    if (this.#file.destination.tail(start + octets.length, octets.length).equals(octets)) return;
    const inOrder = "what is here is not the beginning of the server's file";
    throw beginAgain(this.isInOrder ? inOrder : "the pieces of the file don't fit together");
  }
}

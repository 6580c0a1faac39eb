/** Writes to standard output, devices and FIFOs, where nothing can be taken back. */
import { FtpullError } from "../../errors.ts";
import type { Destination, Stored, Version } from "../destination.ts";

export type Write = (chunk: Buffer) => void | Promise<void>;

const rememberedOctets = 4096;

export class DirectOutput implements Destination {
  readonly label: string;
  readonly mustStay = false;
  readonly #open: () => Write;
  #write: Write | undefined;
  #version: Version | undefined;
  octets = 0;
  #lastOctets: Buffer = Buffer.alloc(0);

  constructor(label: string, open: () => Write) {
    this.label = label;
    this.#open = open;
  }

  get rewindable(): boolean {
    return this.octets === 0;
  }

  /** A device or FIFO is no file that could stay. */
  present(): undefined {}

  choose(): Stored | undefined {
    if (this.octets === 0) return undefined;
    return { octets: this.octets, version: this.#version };
  }

  tail(offset: number, length: number): Buffer {
    const behind = this.octets - offset;
    const end = Math.max(0, this.#lastOctets.length - behind);
    return this.#lastOctets.subarray(Math.max(0, end - length), end);
  }

  open(version: Version, offset: number): void {
    if (offset !== this.octets) {
      const words = `${this.octets} bytes are on ${this.label} already`;
      throw new FtpullError("integrity", `cannot go back to byte ${offset}: ${words}`);
    }
    this.#version = version;
  }

  writeAt(_position: number, chunk: Buffer): void | Promise<void> {
    this.octets += chunk.length;
    const octets = Buffer.concat([this.#lastOctets, chunk.subarray(-rememberedOctets)]);
    this.#lastOctets = octets.subarray(-rememberedOctets);
    this.#write ??= this.#open();
    return this.#write(chunk); // A failure here is final: it counts no bytes.
  }

  publish(): void {
    this.#write ??= this.#open(); // The reader of a FIFO waits for the end of an empty file, too.
    this.discard();
  }

  keep(): number {
    this.discard();
    return 0;
  }

  discard(): void {
    this.octets = 0;
    this.#lastOctets = Buffer.alloc(0);
  }
}

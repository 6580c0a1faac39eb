/** The algorithms themselves: node:crypto's, and those that it lacks. All are computed piece by piece. */
import { createHash } from "node:crypto";
import type { ChecksumAlgorithm } from "./checksum.ts";

export interface RunningHash {
  update(octets: Uint8Array): void;
  /** The value as a Checksum has it; ends the computation. */
  digest(): string;
}

export function runningHash(algorithm: ChecksumAlgorithm): RunningHash {
  if (algorithm === "sum") return new BsdSum();
  if (algorithm === "cksum") return new PosixChecksum();
  if (algorithm === "crc32") return new ZipChecksum();
  const hash = createHash(algorithm);
  return { update: (octets) => void hash.update(octets), digest: () => hash.digest("hex") };
}

const viewOf = ({ buffer, byteOffset, length }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, length);

/** BSD `sum`: 16 bits, rotated right before each octet is added; and the number of KiB. */
class BsdSum implements RunningHash {
  #sum = 0;
  #octets = 0;

  update(octets: Uint8Array): void {
    const view = viewOf(octets);
    let sum = this.#sum;
    let next = 0;
    for (const end = octets.length - 3; next < end; next += 4) {
      const word = view.getInt32(next, true);
      sum = added(sum, word & 0xff);
      sum = added(sum, (word >>> 8) & 0xff);
      sum = added(sum, (word >>> 16) & 0xff);
      sum = added(sum, word >>> 24);
    }
    for (; next < octets.length; next += 1) sum = added(sum, view.getUint8(next));
    this.#sum = sum & 0xffff;
    this.#octets += octets.length;
  }

  digest(): string {
    return `${String(this.#sum).padStart(5, "0")} ${Math.ceil(this.#octets / 1024)}`;
  }
}

/** Bits above the 16 are left undefined: without a mask, a step takes three cycles in place of five. */
function added(sum: number, octet: number): number {
  return (((sum >>> 1) & 0x7fff) + ((sum << 15) + octet)) | 0;
}

/**
 * Eight tables for a CRC of 32 bits by eight octets a step; the first is that of one octet. POSIX's CRC
 * begins with an octet's highest bit, zip's with the lowest. With all its octets swapped POSIX's is
 * computed by the same steps.
 */
function tablesOf(firstOf: (octet: number) => number): Int32Array {
  const table = new Int32Array(8 * 256).map((_, index) => (index < 256 ? firstOf(index) : 0));
  for (let index = 256; index < table.length; index += 1) {
    const former = table[index - 256] as number;
    table[index] = (former >>> 8) ^ (table[former & 0xff] as number);
  }
  return table;
}

/** Made at their first use. */
const tables: { zip?: Int32Array; posix?: Int32Array } = {};

const zipTables = (): Int32Array =>
  (tables.zip ??= tablesOf((octet) =>
    afterEightBits(octet, (crc) => (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)),
  ));

const posixTables = (): Int32Array =>
  (tables.posix ??= tablesOf((octet) =>
    swapped(afterEightBits(octet << 24, (crc) => (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0))),
  ));

function afterEightBits(first: number, step: (crc: number) => number): number {
  let crc = first;
  for (let bit = 0; bit < 8; bit += 1) crc = step(crc);
  return crc;
}

function swapped(word: number): number {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}

/** Continues a CRC by eight octets a step. */
function crcAfter(first: number, octets: Uint8Array, table: Int32Array): number {
  const at = (index: number): number => table[index] as number;
  const view = viewOf(octets);
  let crc = first;
  let next = 0;
  for (const end = octets.length - 7; next < end; next += 8) {
    const low = crc ^ view.getInt32(next, true);
    const high = view.getInt32(next + 4, true);
    crc =
      at(0x700 + (low & 0xff)) ^
      at(0x600 + ((low >>> 8) & 0xff)) ^
      at(0x500 + ((low >>> 16) & 0xff)) ^
      at(0x400 + (low >>> 24)) ^
      at(0x300 + (high & 0xff)) ^
      at(0x200 + ((high >>> 8) & 0xff)) ^
      at(0x100 + ((high >>> 16) & 0xff)) ^
      at(high >>> 24);
  }
  for (; next < octets.length; next += 1)
    crc = (crc >>> 8) ^ at((crc ^ view.getUint8(next)) & 0xff);
  return crc;
}

/** The CRC of zip, gzip and XCRC, as eight hex digits. */
class ZipChecksum implements RunningHash {
  #crc = -1;

  update(octets: Uint8Array): void {
    this.#crc = crcAfter(this.#crc, octets, zipTables());
  }

  digest(): string {
    return (~this.#crc >>> 0).toString(16).padStart(8, "0");
  }
}

/** POSIX `cksum`: the CRC of the octets and of their number, lowest octet first; and the number. */
class PosixChecksum implements RunningHash {
  #crc = 0;
  #octets = 0;

  update(octets: Uint8Array): void {
    this.#crc = crcAfter(this.#crc, octets, posixTables());
    this.#octets += octets.length;
  }

  digest(): string {
    const length = [];
    for (let rest = this.#octets; rest > 0; rest = Math.floor(rest / 256)) length.push(rest % 256);
    const crc = crcAfter(this.#crc, Uint8Array.from(length), posixTables());
    return `${~swapped(crc) >>> 0} ${this.#octets}`;
  }
}

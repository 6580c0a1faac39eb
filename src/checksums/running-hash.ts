/** The algorithms: node:crypto's, and those that it lacks, computed piece by piece. */
import { createHash } from "node:crypto";
import type { ChecksumAlgorithm } from "./checksum.ts";

export interface RunningHash {
  update(octets: Uint8Array): void;
  digest(): string;
}

export function runningHash(algorithm: ChecksumAlgorithm): RunningHash {
  if (algorithm === "sum") return new BsdSum();
  if (algorithm === "cksum") return new PosixChecksum();
  if (algorithm === "crc32") return new ZipChecksum();
  const hash = createHash(algorithm);
  return { update: (octets) => void hash.update(octets), digest: () => hash.digest("hex") };
}

/** BSD `sum`: 16 bits, rotated right before each octet is added; and the number of KiB. */
class BsdSum implements RunningHash {
  #sum = 0;
  #octets = 0;

  update(octets: Uint8Array): void {
    let sum = this.#sum;
    // An iterator would take twice the time, here and below.
    for (let next = 0; next < octets.length; next += 1)
      sum = ((sum >>> 1) + (sum << 15) + octets[next]!) & 0xffff;
    this.#sum = sum;
    this.#octets += octets.length;
  }

  digest(): string {
    return `${String(this.#sum).padStart(5, "0")} ${Math.ceil(this.#octets / 1024)}`;
  }
}

function tableOf(shift: number, step: (crc: number) => number): Int32Array {
  return Int32Array.from({ length: 256 }, (_, octet) => {
    let crc = octet << shift;
    for (let bit = 0; bit < 8; bit += 1) crc = step(crc);
    return crc;
  });
}

/** The CRC of zip, gzip and XCRC, which begins with an octet's lowest bit, as eight hex digits. */
class ZipChecksum implements RunningHash {
  readonly #table = tableOf(0, (crc) => (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0));
  #crc = -1;

  update(octets: Uint8Array): void {
    const table = this.#table;
    let crc = this.#crc;
    for (let next = 0; next < octets.length; next += 1)
      crc = (crc >>> 8) ^ table[(crc ^ octets[next]!) & 0xff]!;
    this.#crc = crc;
  }

  digest(): string {
    return (~this.#crc >>> 0).toString(16).padStart(8, "0");
  }
}

/** POSIX `cksum`: a CRC from the highest bit on, of the octets and of their number; and the number. */
class PosixChecksum implements RunningHash {
  readonly #table = tableOf(24, (crc) => (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0));
  #crc = 0;
  #octets = 0;

  update(octets: Uint8Array): void {
    const table = this.#table;
    let crc = this.#crc;
    for (let next = 0; next < octets.length; next += 1)
      crc = (crc << 8) ^ table[(crc >>> 24) ^ octets[next]!]!;
    this.#crc = crc;
    this.#octets += octets.length;
  }

  digest(): string {
    const octets = this.#octets;
    const length = [];
    for (let rest = octets; rest > 0; rest = Math.floor(rest / 256)) length.push(rest % 256);
    this.update(Uint8Array.from(length));
    return `${~this.#crc >>> 0} ${octets}`;
  }
}

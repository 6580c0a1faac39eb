/** Computes checksums piece by piece: by node:crypto and, of the algorithms that it lacks, here. */
import { createHash } from "node:crypto";
import type { ChecksumAlgorithm } from "./checksum.ts";

export interface RunningHash {
  update(octets: Uint8Array): void;
  digest(): string;
}

export function runningHash(algorithm: ChecksumAlgorithm): RunningHash {
  if (algorithm === "sum") return bsdSum();
  if (algorithm === "cksum") return posixChecksum();
  if (algorithm === "crc32") return zipChecksum();
  const hash = createHash(algorithm);
  return { update: (octets) => void hash.update(octets), digest: () => hash.digest("hex") };
}

/** BSD `sum`: 16 bits, rotated right before each octet is added; and the number of KiB. */
function bsdSum(): RunningHash {
  let sum = 0;
  let length = 0;
  const update = (octets: Uint8Array): void => {
    let next = sum;
    // An iterator would take twice the time, here and below.
    for (let at = 0; at < octets.length; at += 1)
      next = ((next >>> 1) + (next << 15) + octets[at]!) & 0xffff;
    sum = next;
    length += octets.length;
  };
  const digest = (): string => `${String(sum).padStart(5, "0")} ${Math.ceil(length / 1024)}`;
  return { update, digest };
}

/** The CRC of each octet, by which a CRC goes on octet by octet; `step` is for one bit. */
function tableOf(shift: number, step: (crc: number) => number): Int32Array {
  return Int32Array.from({ length: 256 }, (_, octet) => {
    let crc = octet << shift;
    for (let bit = 0; bit < 8; bit += 1) crc = step(crc);
    return crc;
  });
}

/** The CRC of zip, gzip and XCRC, which begins with an octet's lowest bit, as eight hex digits. */
function zipChecksum(): RunningHash {
  const table = tableOf(0, (crc) => (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0));
  let crc = -1;
  const update = (octets: Uint8Array): void => {
    let next = crc;
    for (let at = 0; at < octets.length; at += 1)
      next = (next >>> 8) ^ table[(next ^ octets[at]!) & 0xff]!;
    crc = next;
  };
  return { update, digest: () => (~crc >>> 0).toString(16).padStart(8, "0") };
}

/** POSIX `cksum`: a CRC from the highest bit on, of the octets and of their number; and the number. */
function posixChecksum(): RunningHash {
  const table = tableOf(24, (crc) => (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0));
  let crc = 0;
  let length = 0;
  const update = (octets: Uint8Array): void => {
    let next = crc;
    for (let at = 0; at < octets.length; at += 1)
      next = (next << 8) ^ table[(next >>> 24) ^ octets[at]!]!;
    crc = next;
    length += octets.length;
  };
  const digest = (): string => {
    const total = length; // `update` counts the octets of the number, too.
    const octets = [];
    for (let rest = total; rest > 0; rest = Math.floor(rest / 256)) octets.push(rest % 256);
    update(Uint8Array.from(octets));
    return `${~crc >>> 0} ${total}`;
  };
  return { update, digest };
}

/** Computes checksums piece by piece: by node:crypto and, of the one that it lacks, here. */
import { createHash } from "node:crypto";
import type { ChecksumAlgorithm } from "./checksum.ts";

export interface RunningHash {
  update(octets: Uint8Array): void;
  digest(): string;
}

export function runningHash(algorithm: ChecksumAlgorithm): RunningHash {
  if (algorithm === "sum") return bsdSum();
  const hash = createHash(algorithm);
  return { update: (octets) => void hash.update(octets), digest: () => hash.digest("hex") };
}

/** BSD `sum`: 16 bits, rotated right before each octet is added; and the number of KiB. */
function bsdSum(): RunningHash {
  let sum = 0;
  let length = 0;
  const update = (octets: Uint8Array): void => {
    let next = sum;
    // An iterator would take twice the time.
    for (let at = 0; at < octets.length; at += 1)
      next = ((next >>> 1) + (next << 15) + octets[at]!) & 0xffff;
    sum = next;
    length += octets.length;
  };
  const digest = (): string => `${String(sum).padStart(5, "0")} ${Math.ceil(length / 1024)}`;
  return { update, digest };
}

/** Checksums: an algorithm and the expected value. */

/** The strongest first. `cksum` and `sum` are POSIX's and BSD's programs, `crc32` is zip's (XCRC). */
export const algorithms = ["sha512", "sha256", "sha1", "md5", "cksum", "crc32", "sum"] as const;

export type ChecksumAlgorithm = (typeof algorithms)[number];

/** The number of hex digits of each algorithm that lists name by it. */
const digits = { sha512: 128, sha256: 64, sha1: 40, md5: 32 } as const;

export type DigestAlgorithm = keyof typeof digits;

/** The strongest first. */
export const digestAlgorithms = Object.keys(digits) as DigestAlgorithm[];

export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  /** Hex digits in lower case; for `cksum` and `sum` both numbers as these programs print them. */
  readonly value: string;
}

/** A number that is lower for a stronger algorithm; one that isn't known yet is weaker than md5. */
export function strengthOf(algorithm: ChecksumAlgorithm | undefined): number {
  return algorithm === undefined ? algorithms.indexOf("md5") + 0.5 : algorithms.indexOf(algorithm);
}

/** Parses "sha256:9f86d0...", in any case, also "sha-256=9f86d0..." and the digits alone. */
export function parseChecksum(text: string): Checksum | undefined {
  const [, name, hex = ""] = /^(?:([\w-]+)[:=])?(\w+)$/.exec(text.toLowerCase()) ?? [];
  return digestOf(hex, name?.replace("-", ""));
}

/** The number of hex digits determines the algorithm; undefined if its name is not `name`. */
export function digestOf(hex: string, name?: string): Checksum | undefined {
  const algorithm = digestAlgorithms.find((one) => digits[one] === hex.length);
  if (algorithm === undefined || algorithm !== (name ?? algorithm)) return undefined;
  if (!/^[0-9a-f]+$/i.test(hex)) return undefined;
  return { algorithm, value: hex.toLowerCase() };
}

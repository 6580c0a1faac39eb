/** Checksums: an algorithm and the expected value. */

/** The number of hex digits of each algorithm. */
const digits = { md5: 32, sha1: 40, sha256: 64, sha512: 128 } as const;

export type ChecksumAlgorithm = keyof typeof digits;

const algorithms = Object.keys(digits) as ChecksumAlgorithm[];

export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  /** In lower case. */
  readonly hex: string;
}

/** Parses "sha256:9f86d0...", in any case. */
export function parseChecksum(text: string): Checksum | undefined {
  const [, name, hex = ""] = /^(\w+):([0-9a-f]+)$/.exec(text.toLowerCase()) ?? [];
  return checksumOf(hex, name);
}

/** The number of digits determines the algorithm; undefined if its name is not `name`. */
export function checksumOf(hex: string, name?: string): Checksum | undefined {
  const algorithm = algorithms.find((one) => digits[one] === hex.length);
  if (algorithm === undefined || algorithm !== (name ?? algorithm)) return undefined;
  return { algorithm, hex: hex.toLowerCase() };
}

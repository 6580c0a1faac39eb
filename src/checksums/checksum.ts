/** Checksums: the algorithms, and how a checksum is read from digits. */

/** The strongest first; `sum` is BSD's program, whose numbers Ensembl publishes. */
export const algorithms = ["sha512", "sha256", "sha1", "md5", "sum"] as const;

export type ChecksumAlgorithm = (typeof algorithms)[number];

const hexDigits = { sha512: 128, sha256: 64, sha1: 40, md5: 32 } as const;

export type DigestAlgorithm = keyof typeof hexDigits;

export const digestAlgorithms = Object.keys(hexDigits) as DigestAlgorithm[];

export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  /** Hex digits in lower case; `sum` has both numbers as the program prints them. */
  readonly value: string;
}

/** Lower for a stronger one. A sums file whose name has no algorithm, undefined, may have any: it comes before `sum` alone. */
export function rankOf(algorithm: ChecksumAlgorithm | undefined): number {
  return algorithm === undefined ? algorithms.indexOf("sum") - 0.5 : algorithms.indexOf(algorithm);
}

/** Parses "sha256:9f86d0...", in any case, also "sha-256=9f86d0..." and the digits alone. */
export function parseChecksum(text: string): Checksum | undefined {
  const [, name, hex = ""] = /^(?:([\w-]+)[:=])?(\w+)$/.exec(text.toLowerCase()) ?? [];
  return digestOf(hex, name?.replace("-", ""));
}

export function digestOf(hex: string, expectedName?: string): Checksum | undefined {
  const algorithm = digestAlgorithms.find((one) => hexDigits[one] === hex.length);
  if (algorithm === undefined || !/^[0-9a-f]+$/i.test(hex)) return undefined;
  if (expectedName !== undefined && expectedName !== algorithm) return undefined;
  return { algorithm, value: hex.toLowerCase() };
}

/** What a document's octets are known by: an algorithm and the value that it has to give. */

/** The digits of each algorithm's values, in hex. */
const digits = { md5: 32, sha1: 40, sha256: 64, sha512: 128 } as const;

export type ChecksumAlgorithm = keyof typeof digits;

export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  /** In lower case, as many digits as the algorithm has. */
  readonly hex: string;
}

/** Reads "sha256:9f86d0...", in any case; undefined when it is no checksum. */
export function parseChecksum(text: string): Checksum | undefined {
  const [, algorithm = "", hex = ""] = /^(\w+):([0-9a-f]+)$/.exec(text.toLowerCase()) ?? [];
  return isAlgorithm(algorithm) ? checksumOf(algorithm, hex) : undefined;
}

/** The checksum with these digits; undefined when the algorithm has more or fewer. */
export function checksumOf(algorithm: ChecksumAlgorithm, hex: string): Checksum | undefined {
  if (digits[algorithm] !== hex.length) return undefined;
  return { algorithm, hex: hex.toLowerCase() };
}

/** The checksum with these digits, whose number tells the algorithm. */
export function checksumByLength(hex: string): Checksum | undefined {
  const algorithm = algorithms.find((one) => digits[one] === hex.length);
  return algorithm && checksumOf(algorithm, hex);
}

/** Whether a text names an algorithm, as in "sha256". */
export function isAlgorithm(text: string): text is ChecksumAlgorithm {
  return Object.hasOwn(digits, text);
}

const algorithms = Object.keys(digits).filter(isAlgorithm);

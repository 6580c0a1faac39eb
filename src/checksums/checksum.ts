/** What a document's octets are known by: an algorithm and the value that it has to give. */

/** The digits of each algorithm's values, in hex. */
const digits = { md5: 32, sha1: 40, sha256: 64, sha512: 128 } as const;

export type ChecksumAlgorithm = keyof typeof digits;

const algorithms = Object.keys(digits) as ChecksumAlgorithm[];

export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  /** In lower case, as many digits as the algorithm has. */
  readonly hex: string;
}

/** Reads "sha256:9f86d0...", in any case; undefined when it is no checksum. */
export function parseChecksum(text: string): Checksum | undefined {
  const [, name, hex = ""] = /^(\w+):([0-9a-f]+)$/.exec(text.toLowerCase()) ?? [];
  return checksumOf(hex, name);
}

/** The checksum with these digits, whose number tells the algorithm; undefined where that hasn't `name`. */
export function checksumOf(hex: string, name?: string): Checksum | undefined {
  const algorithm = algorithms.find((one) => digits[one] === hex.length);
  if (algorithm === undefined || algorithm !== (name ?? algorithm)) return undefined;
  return { algorithm, hex: hex.toLowerCase() };
}

/** The names of sums files: under these, publishers put checksums beside their documents. */
import { type DigestAlgorithm, digestAlgorithms, rankOf } from "./checksum.ts";

export interface SumsFileName {
  readonly name: string;
  /** The document that the file is for; undefined: all of its directory. */
  readonly document: string | undefined;
  readonly algorithm: DigestAlgorithm | undefined;
}

const algorithm = `(${digestAlgorithms.join("|")})`;

/** `SHA256SUMS`, `sha256sum.txt`, `CHECKSUMS` and their like. */
const ofDirectory = new RegExp(
  String.raw`^(?:${algorithm}(?:sums|sum\.txt)|(md5)checksums\.txt|checksums?)(?:\.asc|\.txt)?$`,
  "i",
);

/** `NAME.sha256` or `NAME.sha256sum`. */
const ofDocument = new RegExp(String.raw`^(.+)\.${algorithm}(?:sum)?$`, "is");

export function sumsFileName(name: string): SumsFileName | undefined {
  const [isShared, ...found] = ofDirectory.exec(name) ?? [];
  const [, document, own] = ofDocument.exec(name) ?? [];
  if (isShared === undefined && document === undefined) return undefined;
  const word = own ?? found.find((one) => one !== undefined);
  return { name, document, algorithm: word?.toLowerCase() as DigestAlgorithm | undefined };
}

/** The strongest algorithm comes first; of one, names from Z to A: `sums`, `sum.txt`, `checksums.txt`. */
export function byRank(one: SumsFileName, other: SumsFileName): number {
  const difference = rankOf(one.algorithm) - rankOf(other.algorithm);
  if (difference !== 0) return difference;
  const [name, otherName] = [one.name.toLowerCase(), other.name.toLowerCase()];
  if (name === otherName) return one.name < other.name ? -1 : 1;
  return name > otherName ? -1 : 1;
}

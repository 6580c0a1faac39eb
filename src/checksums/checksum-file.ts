/** The names of sums files: under these, publishers put checksums beside their documents. */
import { type DigestAlgorithm, digestAlgorithms } from "./checksum.ts";

export interface ChecksumFile {
  readonly name: string;
  /** The document that the file is for; undefined: all of its directory. */
  readonly document: string | undefined;
  readonly algorithm: DigestAlgorithm | undefined;
  readonly rank: number;
}

function namesOf(algorithm: DigestAlgorithm): string[] {
  const upper = `${algorithm.toUpperCase()}SUMS`;
  const lower = [`${algorithm}sums.asc`, `${algorithm}sum.txt`, `${algorithm}sum.txt.asc`];
  return [`.${algorithm}`, `.${algorithm}sum`, upper, `${upper}.asc`, `${upper}.txt`, ...lower];
}

/** The usual spellings, the best first. A leading dot marks an ending behind a document's name. */
const namesAndEndings: readonly (readonly [text: string, algorithm?: DigestAlgorithm])[] = [
  ...digestAlgorithms.flatMap((algorithm) =>
    namesOf(algorithm).map((text) => [text, algorithm] as const),
  ),
  ["md5checksums.txt", "md5"],
  ["md5checksums.txt.asc", "md5"],
  ...["CHECKSUMS", "CHECKSUM"].flatMap(
    (text) => [[text], [`${text}.asc`], [`${text}.txt`]] as const,
  ),
  ["checksums.txt"],
  ["checksums.txt.asc"],
];

const formOf = new Map(
  namesAndEndings.map(([text, algorithm], rank) => [text.toLowerCase(), { algorithm, rank }]),
);

export function checksumFile(name: string): ChecksumFile | undefined {
  const isEndingAlone = name.startsWith(".");
  const whole = isEndingAlone ? undefined : formOf.get(name.toLowerCase());
  if (whole !== undefined) return { name, document: undefined, ...whole };
  const [, document, ending = ""] = /^(.+)(\.\w+)$/s.exec(name) ?? [];
  const named = formOf.get(ending.toLowerCase());
  return named && { name, document, ...named };
}

export function byRank(one: ChecksumFile, other: ChecksumFile): number {
  if (one.rank !== other.rank) return one.rank - other.rank;
  return one.name < other.name ? -1 : 1;
}

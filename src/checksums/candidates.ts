/** The names under which publishers put checksums beside their documents, the best first. */
import { type DigestAlgorithm, digestAlgorithms } from "./checksum.ts";

/** A file with checksums, as its name shows it. */
export interface ChecksumFile {
  readonly name: string;
  /** The only document that it is for; undefined: those of its directory. */
  readonly document: string | undefined;
  /** Undefined if its content decides. */
  readonly algorithm: DigestAlgorithm | undefined;
  /** The lower the better. */
  readonly rank: number;
}

/** A document's own, behind its name, and then lists. */
function namesOf(algorithm: DigestAlgorithm): string[] {
  const upper = `${algorithm.toUpperCase()}SUMS`;
  const lower = [`${algorithm}sums.asc`, `${algorithm}sum.txt`, `${algorithm}sum.txt.asc`];
  return [`.${algorithm}`, `.${algorithm}sum`, upper, `${upper}.asc`, `${upper}.txt`, ...lower];
}

/** In the usual spelling, the best first. Those with a dot in front are behind a document's name. */
const forms: readonly (readonly [text: string, algorithm?: DigestAlgorithm])[] = [
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
  forms.map(([text, algorithm], rank) => [text.toLowerCase(), { algorithm, rank }]),
);

/** The names to ask the server for by SIZE, in the usual spelling: few enough for one write. */
export function candidates(name: string): readonly string[] {
  const names = forms.map(([text]) => (text.startsWith(".") ? name + text : text));
  return names.filter((candidate) => candidate !== name);
}

/** Undefined for a file that is none of checksums. */
export function checksumFile(name: string): ChecksumFile | undefined {
  const list = name.startsWith(".") ? undefined : formOf.get(name.toLowerCase());
  if (list !== undefined) return { name, document: undefined, ...list };
  const [, document, suffix = ""] = /^(.+)(\.\w+)$/s.exec(name) ?? [];
  const own = formOf.get(suffix.toLowerCase());
  return own && { name, document, ...own };
}

/** The best first; of two spellings of one name, that with capital letters. */
export function byRank(one: ChecksumFile, other: ChecksumFile): number {
  return one.rank - other.rank || (one.name < other.name ? -1 : 1);
}

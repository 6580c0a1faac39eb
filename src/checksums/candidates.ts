/** The names under which publishers put checksums beside their documents, the best first. */
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

/** Names in the usual spelling, the best first. A leading dot marks an ending behind a document's name. */
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

/** The names to ask for by SIZE, in the usual spelling: few enough for one write. */
export function candidates(name: string): readonly string[] {
  const names = forms.flatMap(([text]) => {
    if (!text.startsWith(".")) return text;
    return text.endsWith("sum") ? name + text : [name + text, name + text.toUpperCase()];
  });
  return names.filter((candidate) => candidate !== name);
}

export function checksumFile(name: string): ChecksumFile | undefined {
  const list = name.startsWith(".") ? undefined : formOf.get(name.toLowerCase());
  if (list !== undefined) return { name, document: undefined, ...list };
  const [, document, suffix = ""] = /^(.+)(\.\w+)$/s.exec(name) ?? [];
  const own = formOf.get(suffix.toLowerCase());
  return own && { name, document, ...own };
}

export function byRank(one: ChecksumFile, other: ChecksumFile): number {
  return one.rank - other.rank || (one.name < other.name ? -1 : 1);
}

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

/** The files with checksums that one directory has, in small or capital letters. */
export class ChecksumFiles {
  /** By the documents that they are for; undefined: lists. */
  readonly #files = new Map<string | undefined, ChecksumFile[]>();

  /** Notes a file of the directory, and tells whether it has checksums; others change nothing. */
  note(name: string): boolean {
    if (checksumFile(name) === undefined) return false;
    // A copy: a part of a listing would keep the whole of it in memory.
    const file = checksumFile(Buffer.from(name).toString())!;
    const files = this.#files.get(file.document) ?? [];
    if (!files.some((known) => known.name === name)) files.push(file);
    this.#files.set(file.document, files);
    return true;
  }

  /** The best first. */
  get lists(): readonly ChecksumFile[] {
    return (this.#files.get(undefined) ?? []).toSorted(byRank);
  }

  /** Those that may have the checksum of `document`, the best first. */
  of(document: string): readonly ChecksumFile[] {
    const all = [...(this.#files.get(document) ?? []), ...this.lists];
    return all.filter(({ name }) => name !== document).toSorted(byRank);
  }
}

/** Undefined for a file that is none of checksums. */
export function checksumFile(name: string): ChecksumFile | undefined {
  const list = name.startsWith(".") ? undefined : formOf.get(name.toLowerCase());
  if (list !== undefined) return { name, document: undefined, ...list };
  const [, document, suffix = ""] = /^(.+)(\.\w+)$/s.exec(name) ?? [];
  const own = formOf.get(suffix.toLowerCase());
  return own && { name, document, ...own };
}

/** Of two spellings of one name, capital letters are first. */
function byRank(one: ChecksumFile, other: ChecksumFile): number {
  return one.rank - other.rank || (one.name < other.name ? -1 : 1);
}

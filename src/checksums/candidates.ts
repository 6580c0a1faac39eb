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

/** The document's own: behind its name. */
const suffixesOf = (algorithm: string): string[] => [`.${algorithm}`, `.${algorithm}sum`];

function listsOf(algorithm: string): string[] {
  const upper = `${algorithm.toUpperCase()}SUMS`;
  const lower = [`${algorithm}sums.asc`, `${algorithm}sum.txt`, `${algorithm}sum.txt.asc`];
  return [upper, `${upper}.asc`, `${upper}.txt`, ...lower];
}

/** Their names don't tell the algorithm, except for NCBI's. */
const otherLists = ["md5checksums.txt", "CHECKSUMS", "CHECKSUM", "checksums.txt"].flatMap((name) =>
  name.endsWith(".txt") ? [name, `${name}.asc`] : [name, `${name}.asc`, `${name}.txt`],
);

interface Form {
  /** In the usual spelling. */
  readonly text: string;
  readonly isSuffix: boolean;
  readonly algorithm: DigestAlgorithm | undefined;
}

/** The best first. */
const forms: readonly Form[] = [
  ...digestAlgorithms.flatMap((algorithm) => [
    ...suffixesOf(algorithm).map((text) => ({ text, isSuffix: true, algorithm })),
    ...listsOf(algorithm).map((text) => ({ text, isSuffix: false, algorithm })),
  ]),
  ...otherLists.map((text) => {
    return {
      text,
      isSuffix: false,
      algorithm: text.startsWith("md5") ? "md5" : undefined,
    } as const;
  }),
];

const formOf = new Map(forms.map((form, rank) => [form.text.toLowerCase(), { ...form, rank }]));

/** The names to ask the server for by SIZE, in the usual spelling: few enough for one write. */
export function candidates(name: string): readonly string[] {
  const names = forms.map(({ text, isSuffix }) => (isSuffix ? name + text : text));
  return names.filter((candidate) => candidate !== name);
}

/** The files with checksums that one directory has, in small or capital letters. */
export class ChecksumFiles {
  readonly #lists: ChecksumFile[] = [];
  /** By the documents that they are for. */
  readonly #own = new Map<string, ChecksumFile[]>();

  /** Notes a file of the directory; one without checksums, or known already, changes nothing. */
  note(name: string): void {
    if (checksumFile(name) === undefined) return;
    // A copy: a part of a listing would keep the whole of it in memory.
    const file = checksumFile(Buffer.from(name).toString())!;
    const files = file.document === undefined ? this.#lists : (this.#own.get(file.document) ?? []);
    if (files.some((known) => known.name === name)) return;
    files.push(file);
    if (file.document !== undefined) this.#own.set(file.document, files);
  }

  /** The best first. */
  get lists(): readonly ChecksumFile[] {
    return this.#lists.toSorted(byRank);
  }

  /** Those that may have the checksum of `document`, the best first. */
  of(document: string): readonly ChecksumFile[] {
    const all = [...(this.#own.get(document) ?? []), ...this.#lists];
    return all.filter(({ name }) => name !== document).toSorted(byRank);
  }
}

/** Undefined for a file that is none of checksums. */
export function checksumFile(name: string): ChecksumFile | undefined {
  const list = formOf.get(name.toLowerCase());
  if (list !== undefined && !list.isSuffix) return { name, document: undefined, ...list };
  const [, document, suffix = ""] = /^(.+)(\.\w+)$/s.exec(name) ?? [];
  const own = formOf.get(suffix.toLowerCase());
  return own?.isSuffix ? { name, document, ...own } : undefined;
}

/** Of two spellings of one name, capital letters are first. */
function byRank(one: ChecksumFile, other: ChecksumFile): number {
  return one.rank - other.rank || (one.name < other.name ? -1 : 1);
}

/** The names under which publishers put checksums beside their documents, the best first. */
import { digestAlgorithms } from "./checksum.ts";

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

/** A name in two parts, of which the second may be spelled in any case. */
type Candidate = readonly [stem: string, rest: string];

const candidatesFor = (name: string): Candidate[] => [
  ...digestAlgorithms.flatMap((algorithm) => [
    ...suffixesOf(algorithm).map((suffix): Candidate => [name, suffix]),
    ...listsOf(algorithm).map((list): Candidate => ["", list]),
  ]),
  ...otherLists.map((list): Candidate => ["", list]),
];

/** The names to ask the server for by SIZE, in the spelling that is usual: few enough for one write. */
export function candidates(name: string): readonly string[] {
  const names = candidatesFor(name).map(([stem, rest]) => stem + rest);
  return names.filter((candidate) => candidate !== name);
}

/** Those that a listing has, in small or capital letters too. */
export function candidatesIn(name: string, listing: ReadonlySet<string>): readonly string[] {
  const names = candidatesFor(name).flatMap(([stem, rest]) =>
    [rest, rest.toLowerCase(), rest.toUpperCase()].map((spelling) => stem + spelling),
  );
  return [...new Set(names)].filter((candidate) => candidate !== name && listing.has(candidate));
}

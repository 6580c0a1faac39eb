/**
 * The forms of a line in a list of checksums, which may be a table with tabs. No two neighbouring repetitions of an
 * expression match the same text: time grows with the line's length only.
 */
import { type Checksum, digestAlgorithms, digestOf } from "./checksum.ts";

export interface ListedChecksum extends Checksum {
  /** A path as listed, with slashes and without "./" in front. */
  readonly path: string;
}

/** The parts of a line; a line without a name is for the document that the list is named for. */
export type Parts = Partial<Record<"hex" | "tag" | "sum" | "size" | "name", string>>;

const forms = [
  {
    example: '"HEX  NAME" (sha256sum)',
    pattern: /^(?<hex>[0-9a-f]{32,})(?:\t| [ *]?)(?<name>.*\S.*)$/i,
  },
  {
    example: '"SHA256 (NAME) = HEX" (BSD, openssl)',
    pattern: /^(?<tag>[\w/-]{0,32}) ?\((?<name>.+)\) ?= ?(?<hex>[0-9a-f]+)\s*$/i,
  },
  {
    example: '"SUM SIZE NAME" (sum, cksum)',
    pattern: /^(?<sum>\d{1,10}) +(?<size>\d{1,16}) +(?<name>\S.*)$/,
  },
  {
    example: '"NAME: HEX HEX" (gpg --print-md)',
    pattern: /^(?<name>.+):(?:\s*(?<tag>[a-z][\w-]{0,31}) =)?(?<hex>[\s0-9a-f]+)$/i,
  },
  { example: '"HEX" in NAME.sha256', pattern: /^(?<hex>[\s0-9a-f]+)$/i },
];

export const formExamples = [
  ...forms.map(({ example }) => example),
  "columns with tabs, one of them titled md5 or sha256",
].join(", ");

export function partsOf(line: string): Parts | undefined {
  const isEscaped = line.startsWith("\\");
  const body = isEscaped ? line.slice(1) : line;
  for (const { pattern } of forms) {
    const parts: Parts | undefined = pattern.exec(body)?.groups;
    if (parts === undefined) continue;
    if (parts.hex !== undefined) parts.hex = parts.hex.replace(/\s+/g, "");
    if (parts.name !== undefined)
      parts.name = isEscaped ? escapedPath(parts.name) : plainPath(parts.name);
    return parts;
  }
  return undefined;
}

export function continuesDigits(former: string, line: string): boolean {
  const mayContinue = line.startsWith(" ") || former.trimEnd().endsWith(":");
  return mayContinue && /^ *[0-9a-f][ 0-9a-f]*$/i.test(line) && hasOpenDigits(former);
}

/** True for gpg's line "NAME: HEX HEX", or with digits alone; a name in sha256sum's form may look like that. */
function hasOpenDigits(line: string): boolean {
  const isSha256sums = /^[0-9a-f]{32}/i.test(line);
  return !isSha256sums && /^(?:.+:)?(?:\s*[a-z][\w-]{0,31} =)?[ 0-9a-f]*$/i.test(line);
}

/** The path in a line that begins with a backslash: sha256sum's escapes stand for characters. */
function escapedPath(name: string): string {
  const characters: Readonly<Record<string, string>> = { n: "\n", r: "\r", "\\": "\\" };
  const path = name.replace(/\\(.)/g, (escape, letter: string) => characters[letter] ?? escape);
  return withoutDot(path);
}

/** The path in any other line: backslashes without slashes are Windows' slashes. */
function plainPath(name: string): string {
  const isWindows = name.includes("\\") && !name.includes("/");
  return withoutDot(isWindows ? trimmed(name).replaceAll("\\", "/") : name);
}

/** Octets without blanks around them; `trim` would take the octet A0, too, which is a part of letters in UTF-8. */
const trimmed = (octets: string): string => octets.replace(/^[ \t\r]+|(?<![ \t\r])[ \t\r]+$/g, "");

const withoutDot = (path: string): string => path.replace(/^(?:\.\/+)+/, "");

/** The name of a tag's algorithm: OpenSSL's SHA2-256 is sha256. */
export const nameOfTag = (tag: string): string => tag.toLowerCase().replace(/^sha2?-/, "sha");

interface Columns {
  readonly algorithm: string;
  readonly valueColumn: number;
  readonly nameColumn: number;
}

const algorithmInTitle = new RegExp(
  `(?:^|_)(${digestAlgorithms.join("|").replaceAll("sha", "sha_?")})(?:sum)?(?:_|$)`,
);

/** Words in the titles of columns with names, the clearest first. */
const nameTitles = ["ftp", "url", "path", "filename", "file", "name"];

/** Most titles, and columns with checksums, that count: hostile lines would take long. */
const mostTitles = 1000;
const mostColumns = 8;

export function columnsOf(line: string): readonly Columns[] {
  if (!line.includes("\t")) return [];
  const titles = line.toLowerCase().split("\t", mostTitles).map(withUnderscores);
  const sums = [...titles.entries()].flatMap(([valueColumn, title]) => {
    const found = algorithmInTitle.exec(title);
    if (found === null) return [];
    const algorithm = found[1]!.replace("_", "");
    return [{ valueColumn, algorithm, prefix: title.slice(0, found.index) }];
  });
  return sums.slice(0, mostColumns).flatMap(({ valueColumn, algorithm, prefix }) => {
    // The names for "md5" or "file_md5" have the clearest title of all; those for "fastq_md5", "fastq" or "fastq_ftp".
    const isForAll = prefix === "" || nameTitles.includes(prefix);
    const nameColumn = columnOfNames(titles, isForAll ? isAnyName : isNameWith(prefix));
    return nameColumn === undefined ? [] : [{ algorithm, valueColumn, nameColumn }];
  });
}

const withUnderscores = (title: string): string =>
  title.replace(/[\W_]+/g, "_").replace(/^_|_$/g, "");

const isAnyName = (title: string, word: string): boolean =>
  `_${title}_`.includes(`_${word}_`) && !algorithmInTitle.test(title);

function isNameWith(prefix: string): typeof isAnyName {
  return (title, word) => title === prefix || title === `${prefix}_${word}`;
}

function columnOfNames(titles: readonly string[], isName: typeof isAnyName): number | undefined {
  const found = nameTitles.map((word) => titles.findIndex((title) => isName(title, word)));
  return found.find((index) => index >= 0);
}

export function checksumsOfRow(
  line: string,
  columns: readonly Columns[],
): readonly ListedChecksum[] | undefined {
  const cells = line.split("\t");
  const found: ListedChecksum[] = [];
  for (const { algorithm, valueColumn, nameColumn } of columns) {
    const values = valuesIn(cells[valueColumn]);
    const names = valuesIn(cells[nameColumn]);
    if (values.length !== names.length && values.length > 0) return undefined;
    for (const [index, hex] of values.entries()) {
      const checksum = digestOf(hex, algorithm);
      if (checksum === undefined) return undefined;
      found.push({ ...checksum, path: plainPath(names[index] ?? "") });
    }
  }
  return found;
}

/** The values in a cell; ENA puts several into one, with a final semicolon where a file is missing. */
function valuesIn(cell = ""): string[] {
  return cell === "" ? [] : trimmed(cell).split(";");
}

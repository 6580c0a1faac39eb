/**
 * The forms of a line in a list of checksums, which may be a table with tabs. No two neighbouring repetitions of an
 * expression match the same text: time grows with the line's length only.
 */
import { type Checksum, digestOf } from "./checksum.ts";

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
    example: '"SUM BLOCKS NAME" (sum)',
    pattern: /^(?<sum>\d{5}) +(?<size>\d{1,16}) +(?<name>\S.*)$/,
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

/** Titles of columns with names, the clearest first; ENA's "fastq_md5" goes with "fastq_ftp". */
const nameTitles = ["ftp", "url", "path", "file_path", "filename", "file_name", "file", "name"];

/** Most titles, and columns with checksums, that count: hostile lines would take long. */
const mostTitles = 200;
const mostColumns = 8;

export function columnsOf(line: string): readonly Columns[] {
  if (!line.includes("\t")) return [];
  const titles = line.toLowerCase().split("\t", mostTitles);
  const words = titles.map((title) => title.replace(/[\W_]+/g, "_").replace(/^_|_$/g, ""));
  const found = words.flatMap((title, valueColumn) => {
    const [, prefix, name] = /^(?:(\w+)_)?(md5|sha_?(?:1|256|512))(?:sum)?$/.exec(title) ?? [];
    if (name === undefined) return [];
    const isForAll = prefix === undefined || nameTitles.includes(prefix);
    const names = isForAll
      ? nameTitles
      : [prefix, ...nameTitles.map((word) => `${prefix}_${word}`)];
    const nameColumn = names.map((one) => words.indexOf(one)).find((index) => index >= 0);
    const algorithm = name.replace("_", "");
    return nameColumn === undefined ? [] : [{ algorithm, valueColumn, nameColumn }];
  });
  return found.slice(0, mostColumns);
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

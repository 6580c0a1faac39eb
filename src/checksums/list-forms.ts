/**
 * The forms of a line in a list of checksums. No two neighbouring repetitions of an expression match the same text:
 * time grows with the line's length only.
 */
import type { Checksum } from "./checksum.ts";

export interface ListedChecksum extends Checksum {
  /** A path as listed, with slashes and without "./" in front. */
  readonly path: string;
}

/** The parts of a line; a line without a name is for the document that the list is named for. */
export type Parts = Partial<Record<"hex" | "tag" | "sum" | "size" | "name", string>>;

const forms = [
  // sha256sum and its like
  /^(?<hex>[0-9a-f]{32,})(?:\t| [ *]?)(?<name>.*\S.*)$/i,
  // BSD and OpenSSL: SHA256 (NAME) = HEX
  /^(?<tag>[\w/-]{0,32}) ?\((?<name>.+)\) ?= ?(?<hex>[0-9a-f]+)\s*$/i,
  // BSD's sum: SUM BLOCKS NAME
  /^(?<sum>\d{5}) +(?<size>\d{1,16}) +(?<name>\S.*)$/,
  // the digits alone, in NAME.sha256
  /^[ \t]*(?<hex>[0-9a-f]{32,})[ \t]*$/i,
];

export function partsOf(line: string): Parts | undefined {
  const isEscaped = line.startsWith("\\");
  const body = isEscaped ? line.slice(1) : line;
  for (const form of forms) {
    const parts: Parts | undefined = form.exec(body)?.groups;
    if (parts === undefined) continue;
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
  // `trim` would take the byte A0, too, which is a part of letters in UTF-8.
  return withoutDot(
    isWindows ? name.replace(/(?<![ \t\r])[ \t\r]+$/, "").replaceAll("\\", "/") : name,
  );
}

const withoutDot = (path: string): string => path.replace(/^(?:\.\/+)+/, "");

/** The name of a tag's algorithm: OpenSSL's SHA2-256 is sha256. */
export const nameOfTag = (tag: string): string => tag.toLowerCase().replace(/^sha2?-/, "sha");

/** --checksums: lists in both forms of sha256sum, and in those of the BSDs and OpenSSL. */
import { FtpullError } from "../errors.ts";
import { inputName, readText } from "../files/input-file.ts";
import { type Checksum, checksumOf } from "./checksum.ts";

interface ListedChecksum extends Checksum {
  /** A name or a path as listed, without "./". */
  readonly name: string;
}

export interface ChecksumList {
  readonly checksums: readonly ListedChecksum[];
  /** The numbers, from 1, of lines that are neither checksums nor comments. */
  readonly strangeLines: readonly number[];
}

/** `-` is standard input. @throws FtpullError "file"; "usage" for a list without checksums */
export async function readChecksumList(path: string): Promise<ChecksumList> {
  const list = parseChecksumList(await readText(path));
  if (list.checksums.length > 0) return list;
  const hint = "a line is the hex digits, two spaces and the name, as sha256sum writes it";
  throw new FtpullError("usage", `there is no checksum in ${inputName(path)}`, { hint });
}

/** Blank lines and those that begin with `#` are skipped. */
export function parseChecksumList(list: string): ChecksumList {
  const checksums: ListedChecksum[] = [];
  const strangeLines: number[] = [];
  const lines = list.replace(/^\uFEFF/, "").split(/\r?\n|\r$/);
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const checksum = parseLine(line);
    if (checksum === undefined) strangeLines.push(index + 1);
    else checksums.push(checksum);
  }
  return { checksums, strangeLines };
}

/** The checksums listed as `name`, or else under the only path that ends in it. */
export function checksumsFor(
  name: string,
  checksums: readonly ListedChecksum[],
): readonly Checksum[] {
  const exact = checksums.filter((listed) => listed.name === name);
  if (exact.length > 0) return exact;
  const inside = checksums.filter((listed) => listed.name.endsWith(`/${name}`));
  return inside.every((listed) => listed.name === inside[0]?.name) ? inside : [];
}

/** `hex  name`, or `hex *name` for binary mode. */
const plain = /^(?<hex>[0-9a-f]+)(?:\t| [ *]?)(?<name>.*\S.*)$/i;
/** `SHA256 (name) = hex`; OpenSSL writes `SHA2-256(name)= hex`. */
const tagged = /^(?<tag>[\w-]+) ?\((?<name>.+)\) ?= ?(?<hex>[0-9a-f]+)\s*$/i;

/** A line that begins with a backslash has escapes in its name. */
function parseLine(line: string): ListedChecksum | undefined {
  const isEscaped = line.startsWith("\\");
  const body = isEscaped ? line.slice(1) : line;
  for (const form of [plain, tagged]) {
    const { hex = "", name = "", tag } = form.exec(body)?.groups ?? {};
    const checksum = checksumOf(hex, tag?.toLowerCase().replace(/^sha2?-/, "sha"));
    const listed = isEscaped ? unescaped(name) : name;
    if (checksum !== undefined) return { ...checksum, name: listed.replace(/^(?:\.\/+)+/, "") };
  }
  return undefined;
}

function unescaped(name: string): string {
  const characters: Readonly<Record<string, string>> = { n: "\n", r: "\r", "\\": "\\" };
  return name.replace(/\\(.)/g, (escape, letter: string) => characters[letter] ?? escape);
}

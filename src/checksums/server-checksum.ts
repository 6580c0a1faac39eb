/** Checksums that the server computes: HASH (draft-bryan-ftpext-hash), and the undocumented X commands. */
import { type Checksum, type ChecksumAlgorithm, digestOf } from "./checksum.ts";
import { nameOfTag } from "./list-forms.ts";

export interface ChecksumCommand {
  readonly algorithm: ChecksumAlgorithm;
  readonly command: string;
  /** Argument of the OPTS HASH to send first, in the server's spelling; undefined if none is needed. */
  readonly hashName?: string | undefined;
}

const xCommands = new Map<ChecksumAlgorithm, readonly string[]>([
  ["sha512", ["XSHA512"]],
  ["sha256", ["XSHA256"]],
  ["sha1", ["XSHA1", "XSHA"]],
  ["md5", ["XMD5"]],
  ["crc32", ["XCRC"]],
]);

export function strongestOffered(
  features: ReadonlyMap<string, string>,
): ChecksumCommand | undefined {
  const hashNames = (features.get("HASH") ?? "").split(";").map((one) => one.trim());
  for (const [algorithm, names] of xCommands) {
    // The asterisk in "SHA-256*" marks the algorithm in force.
    const hash = hashNames.find((one) => nameOfTag(one.replace(/\*$/, "")) === algorithm);
    const hashName = hash?.endsWith("*") === true ? undefined : hash;
    if (hash !== undefined) return { algorithm, command: "HASH", hashName };
    const command = names.find((one) => features.has(one));
    if (command !== undefined) return { algorithm, command };
  }
  return undefined;
}

/**
 * Parses the reply to HASH, `213 SHA-256 0-49 HEX NAME`; older drafts have no range, some servers no name. The
 * range has to be the whole document of `octets`: servers end it there, or at the last octet's position.
 */
export function parse213Hash(
  lines: readonly string[],
  algorithm: ChecksumAlgorithm,
  name: string,
  octets: number,
): Checksum | undefined {
  const [, hashName = "", first, last, hex = "", shown = ""] =
    /^213 (\S+) +(?:(\d+)-(\d+) +)?([0-9a-f]+)(?:\s(.*))?$/i.exec(lines.at(-1) ?? "") ?? [];
  const isToEnd = [octets, octets - 1].includes(Number(last));
  const isWhole = first === undefined || (Number(first) === 0 && isToEnd);
  const isAboutFile = nameOfTag(hashName) === algorithm && isNameOf(shown, name);
  return isWhole && isAboutFile ? checksumOf(hex, algorithm) : undefined;
}

/** True if a reply shows no name, or the document's: perhaps as a path, quoted, or without final blanks. */
function isNameOf(shown: string, document: string): boolean {
  if (shown === "") return true;
  const unquoted = shown.replace(/^"(.*)"$/, "$1");
  const ending = `/${document}`.trimEnd();
  return [shown, unquoted].some((path) => `/${path}`.trimEnd().endsWith(ending));
}

/** Parses the 213 or 250 reply to an X command. Undefined if several words of its last line could be the digits. */
export function parseChecksumReply(lines: readonly string[], algorithm: ChecksumAlgorithm) {
  const text = /^2\d\d (.*)$/.exec(lines.at(-1) ?? "")?.[1] ?? "";
  const behindName = text.replace(/^"[^"]*"\s+(?=\S)/, "");
  const words = behindName.split(/[\s"]+/).filter((word) => word !== "");
  if (algorithm === "crc32" && words.length > 1) return undefined;
  const [found, ...others] = words.flatMap((word) => checksumOf(word, algorithm) ?? []);
  return others.length === 0 ? found : undefined;
}

function checksumOf(hex: string, algorithm: ChecksumAlgorithm): Checksum | undefined {
  if (algorithm !== "crc32") return digestOf(hex, algorithm);
  if (!/^(?:0x)?[0-9a-f]{1,8}$/i.test(hex)) return undefined;
  return { algorithm, value: hex.toLowerCase().replace(/^0x/, "").padStart(8, "0") };
}

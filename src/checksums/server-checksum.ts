/** Checksums that the server computes: HASH (draft-bryan-ftp-hash), and the X commands of no document. */
import { type Checksum, type ChecksumAlgorithm, digestOf } from "./checksum.ts";
import { nameOfTag } from "./list-forms.ts";

export interface ChecksumCommand {
  readonly algorithm: ChecksumAlgorithm;
  readonly command: string;
  /** For OPTS HASH, as the server writes it. */
  readonly hashName?: string;
}

/** The strongest first. */
const commands = new Map<ChecksumAlgorithm, readonly string[]>([
  ["sha512", ["XSHA512"]],
  ["sha256", ["XSHA256"]],
  ["sha1", ["XSHA1", "XSHA"]],
  ["md5", ["XMD5"]],
  ["crc32", ["XCRC"]],
]);

/** What the lines of a reply to FEAT offer, the strongest algorithm first, and of one algorithm HASH. */
export function checksumCommands(lines: readonly string[]): readonly ChecksumCommand[] {
  const features = new Map<string, string>();
  for (const line of lines) {
    const [, name = "", value = ""] = /^(?:211-)?\s*(\S+)\s*(.*)$/.exec(line) ?? [];
    features.set(name.toUpperCase(), value);
  }
  // "SHA-256*": an asterisk is behind the one in force.
  const hashNames = (features.get("HASH") ?? "")
    .split(";")
    .map((one) => one.replace(/\*?\s*$/, ""));
  return [...commands].flatMap(([algorithm, names]): ChecksumCommand[] => {
    const hashName = hashNames.find((one) => nameOfTag(one) === algorithm);
    if (hashName !== undefined) return [{ algorithm, command: "HASH", hashName }];
    const command = names.find((one) => features.has(one));
    return command === undefined ? [] : [{ algorithm, command }];
  });
}

/**
 * The lines of a 213 to HASH: `213 SHA-256 0-49 HEX NAME`; older drafts have no range, and some servers
 * no name. A range that isn't the whole document of `octets` makes it undefined; its end is the last
 * octet's position or the one behind.
 */
export function parse213Hash(
  lines: readonly string[],
  algorithm: ChecksumAlgorithm,
  octets: number,
): Checksum | undefined {
  const [, hashName = "", first, last, hex = ""] =
    /^213 (\S+) +(?:(\d+)-(\d+) +)?([0-9a-f]+)(?:\s.*)?$/i.exec(lines.at(-1) ?? "") ?? [];
  const isToEnd = [octets, octets - 1].includes(Number(last));
  const isWhole = first === undefined || (Number(first) === 0 && isToEnd);
  const isAsked = nameOfTag(hashName) === algorithm;
  return isWhole && isAsked ? checksumOf(hex, algorithm) : undefined;
}

/**
 * The lines of a 213 or 250 to an X command: the digits, in quotes or behind a name, and sometimes a
 * line before them. Undefined if anything else could be the digits as well.
 */
export function parseChecksumReply(
  lines: readonly string[],
  algorithm: ChecksumAlgorithm,
): Checksum | undefined {
  const text = /^2\d\d (.*)$/.exec(lines.at(-1) ?? "")?.[1] ?? "";
  const behindName = text.replace(/^"[^"]*"\s+(?=\S)/, "");
  const words = behindName.split(/[\s"]+/).filter((word) => word !== "");
  if (algorithm === "crc32" && words.length > 1) return undefined;
  const [found, ...others] = words.flatMap((word) => checksumOf(word, algorithm) ?? []);
  return others.length === 0 ? found : undefined;
}

/** Some servers leave out a CRC's leading zeros. */
function checksumOf(hex: string, algorithm: ChecksumAlgorithm): Checksum | undefined {
  if (algorithm !== "crc32") return digestOf(hex, algorithm);
  if (!/^(?:0x)?[0-9a-f]{1,8}$/i.test(hex)) return undefined;
  return { algorithm, value: hex.toLowerCase().replace(/^0x/, "").padStart(8, "0") };
}

/**
 * The name of a local file for the last segment of a URL. The server, or the author of the URL,
 * chose it: it must stay a plain name in the directory that the user chose.
 */
import { encodeInFileName } from "../text/escape.ts";
import { encodeOctets } from "../text/percent.ts";

/** In octets of UTF-8: most systems take 255, of which `.part.json` and a number need some. */
const longestName = 240;

/** What Windows keeps for itself, a dot or a space at the end included. */
const windowsSpecial = /[<>:"|?*]|[. ]$/g;
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9]|lpt[0-9])(?=\.|$)/i;

/** Suffixes that say what is in a file, which a name keeps when it is cut: ".tar.gz", ".iso". */
const suffixes = /(?:\.tar)?\.[A-Za-z0-9]{1,8}$/;

/**
 * A plain name made of a segment: never empty, ".", or "..", without separators and control
 * characters (they become %XX), at most 240 octets of UTF-8. `decode` makes characters of the
 * segment's octets, and %XX of those that aren't any.
 */
export function localName(
  octets: string,
  decode: (octets: string) => string,
  platform: NodeJS.Platform = process.platform,
): string {
  const windows = platform === "win32";
  const last = decode(octets).replace(windows ? /^.*[/\\]/s : /^.*\//s, "");
  if (["", ".", ".."].includes(last)) return "index";
  const visible = encodeInFileName(last);
  return cut(windows ? windowsName(visible) : visible);
}

function windowsName(name: string): string {
  const plain = encodeOctets(name, windowsSpecial);
  return windowsDevice.test(plain) ? `_${plain}` : plain;
}

/** Takes whole characters from the end of the name's stem until the name is short enough. */
function cut(name: string): string {
  if (Buffer.byteLength(name) <= longestName) return name;
  const suffix = suffixes.exec(name)?.[0] ?? "";
  const stem = name.slice(0, name.length - suffix.length);
  const room = new Uint8Array(longestName - suffix.length);
  return stem.slice(0, new TextEncoder().encodeInto(stem, room).read) + suffix;
}

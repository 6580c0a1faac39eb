/** The local file name for the last segment of a URL: the file has to stay in the user's directory. */
import type { Decode } from "../text/encoding.ts";
import { encodeInFileName } from "../text/escape.ts";
import { encodeOctets } from "../text/percent.ts";

/** Of a partial file, and of the file beside it that tells of which document it is. */
export const partSuffix = ".ftpull";
export const stateSuffix = ".ftpull.json";

const reservedEnd = /\.ftpull(?:\.json)?$/i;

export const temporaryPrefix = ".ftpull-";

/** Octets in UTF-8: most systems take 255, of which `stateSuffix` and a number need some. */
const longestName = 240;

const windowsSpecial = /[<>:"|?*]|[. ]$/g;
const windowsDevice =
  /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?=\.|$)/i;

/** Makes a plain name of a segment: never empty, "." or "..", no separators; control characters become %XX. */
export function localName(octets: string, decode: Decode, platform = process.platform): string {
  const windows = platform === "win32";
  const last = decode(octets).replace(windows ? /^.*[/\\]/s : /^.*\//s, "");
  if (["", ".", ".."].includes(last)) return "index";
  const visible = encodeInFileName(last);
  return shortened(windows ? windowsName(visible) : visible);
}

export function whyReserved(name: string): string | undefined {
  if (reservedEnd.test(name)) return "names that end in .ftpull are for partial files";
  if (name.toLowerCase().startsWith(temporaryPrefix))
    return "names that begin with .ftpull- are the program's";
  return undefined;
}

function windowsName(name: string): string {
  const encoded = encodeOctets(name, windowsSpecial);
  return windowsDevice.test(encoded) ? `_${encoded}` : encoded;
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= longestName) return name;
  // No character is read in part.
  const { read } = new TextEncoder().encodeInto(name, new Uint8Array(longestName));
  const kept = name.slice(0, read);
  return whyReserved(kept) === undefined ? kept : kept.slice(0, -1);
}

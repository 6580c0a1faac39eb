import type { Decode } from "../text/encoding.ts";
import { jsonString } from "../text/escape.ts";
import { type Entry, entryUrl, timeText } from "./entry.ts";

/** An entry of `directory`, a URL, as JSON on one line. All keys are always present; null means unknown. */
export function jsonLine(decode: Decode, directory: string, entry: Entry): string {
  const { type, size, modified, precision } = entry;
  const text = (octets: string | undefined) => (octets === undefined ? null : decode(octets));
  return jsonString({
    url: entryUrl(directory, entry) ?? null,
    name: decode(entry.name),
    type: type === "unread" ? "unknown" : type,
    size: size ?? null,
    modified: modified === undefined ? null : timeText(modified, precision),
    permissions: text(entry.permissions),
    owner: text(entry.owner),
    group: text(entry.group),
    target: text(entry.target),
    raw: decode(entry.raw),
  });
}

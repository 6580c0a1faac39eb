/** A listing's entry as a JSON object, for programs. */

import type { Entry } from "../session/listing/entry.ts";

/**
 * One line without its end; every key is always there, null where the server said nothing.
 * What could steer a terminal is written as `\u202e`, which changes nothing for a JSON parser.
 */
export function jsonLine(entry: Entry, decode: (octets: string) => string): string {
  const text = (octets: string | undefined): string | null =>
    octets === undefined ? null : decode(octets);
  const line = JSON.stringify({
    name: decode(entry.name),
    type: entry.type,
    size: entry.size ?? null,
    modified: entry.modified?.toISOString() ?? null,
    permissions: entry.permissions ?? null,
    owner: text(entry.owner),
    group: text(entry.group),
    target: text(entry.target),
    raw: decode(entry.raw),
  });
  return /^[ -~]*$/.test(line) ? line : line.replace(unsafe, escapeUnits);
}

/** JSON.stringify leaves these as they are. They stand only inside of its strings. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

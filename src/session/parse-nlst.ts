/** Lines that NLST sends: a name each, and nothing else. */

import { isDotName, unreadEntry, type Entry } from "./listing-entry.ts";

/**
 * The entry of a line; undefined for an empty line, `.` and `..`. Servers that answer
 * `NLST dir` with `dir/name` have the directory dropped; a slash at the end (`ls -F`) makes
 * the entry a directory, as no name holds a slash.
 */
export function parseNlstLine(raw: string): Entry | undefined {
  if (raw === "") return undefined;
  const marked = raw.endsWith("/");
  const path = marked ? raw.slice(0, -1) : raw;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "") return unreadEntry(raw);
  if (isDotName(name)) return undefined;
  const entry = unreadEntry(raw, name);
  if (marked) entry.type = "directory";
  return entry;
}

/** The parser of one listing, by its command. */
import {
  bareEntry,
  type Entry,
  isBlank,
  type LineParser,
  unreadEntry,
  withoutDots,
} from "./entry.ts";
import { parseListLine } from "./parse-list.ts";
import { parseMlsdLine } from "./parse-mlsd.ts";

export type ListingCommand = "MLSD" | "LIST" | "NLST";

export function listingParser(command: ListingCommand, now: Date): LineParser {
  const parseList: LineParser = (line) => parseListLine(line, now);
  const parse = { MLSD: parseMlsdLine, LIST: parseList, NLST: parseNlstLine }[command];
  // No command can send a name with a CR.
  return (line) => (line.includes("\r") && !isBlank(line) ? unreadEntry(line) : parse(line));
}

/** Drops the directory of `dir/name`, which some servers send. A final slash marks a directory (`ls -F`). */
function parseNlstLine(raw: string): Entry | undefined {
  if (raw === "" || raw === "\r") return undefined;
  const isMarked = raw.endsWith("/");
  const path = isMarked ? raw.slice(0, -1) : raw;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "") return unreadEntry(raw);
  return withoutDots(bareEntry(raw, name, isMarked ? "directory" : "unknown"));
}

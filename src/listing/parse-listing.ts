/** The parser of one listing, by its command. */
import { bareEntry, type Entry, isBlank, type LineParser, unreadEntry } from "./entry.ts";
import { parseListLine } from "./parse-list.ts";
import { parseMlsdLine } from "./parse-mlsd.ts";

export type ListingCommand = "MLSD" | "LIST" | "NLST";

export function listingParser(command: ListingCommand, now: Date): LineParser {
  const parseList: LineParser = (line) => parseListLine(line, now);
  const parse = { MLSD: parseMlsdLine, LIST: parseList, NLST: parseNlstLine }[command];
  return (line) => {
    // No command can send a name with a CR.
    if (line.includes("\r") && !isBlank(line)) return unreadEntry(line);
    const entry = parse(line);
    if (entry?.name === "..") return undefined;
    return entry?.name === "." ? { ...entry, type: "itself" } : entry;
  };
}

/** Drops the directory of `dir/name`, which some servers send. A final slash marks a directory (`ls -F`). */
function parseNlstLine(raw: string): Entry | undefined {
  if (raw === "" || raw === "\r") return undefined;
  const isMarked = raw.endsWith("/");
  const path = isMarked ? raw.slice(0, -1) : raw;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "") return unreadEntry(raw);
  return bareEntry(raw, name, isMarked ? "directory" : "unknown");
}

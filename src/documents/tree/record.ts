/**
 * What a tree keeps of an entry until its turn comes: one line of octets, since a directory may
 * have more entries than fit into memory.
 */
import { createHash } from "node:crypto";
import type { FileFacts } from "../../ftp/document-steps.ts";
import type { Entry } from "../../listing/entry.ts";
import type { ListingFormatter } from "../../listing/format.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";
import { parseTimeVal } from "../../text/time-val.ts";
import type { Plan } from "../../url/plan.ts";

export interface EntryRecord {
  /** Unread: the line is no entry, or one of an unknown format. */
  readonly type: Entry["type"] | "unread";
  /** Octets; the whole line where it is unread. */
  readonly name: string;
  readonly size: number | undefined;
  /** Only if it is as exact as MDTM's. */
  readonly modified: Date | undefined;
  /** The time that the listing shows. */
  readonly shownTime: Date | undefined;
}

const letters = { file: "f", directory: "d", link: "l", unknown: "u", unread: "x" } as const;
const types = new Map(Object.entries(letters).map(([type, letter]) => [letter, type]));

/** Writes the entries of one listing as records, one a line, and keeps what tells listings apart. */
export class Recorder implements ListingFormatter {
  readonly encoding = "latin1";
  readonly command: ListingCommand;
  readonly #hash = createHash("sha256");
  entries = 0;
  #uniqueEntries = 0;
  /** The line of the directory itself. */
  #self: string | undefined;

  constructor(command: ListingCommand) {
    this.command = command;
  }

  entry(entry: Entry): string {
    this.entries++;
    if (this.command === "MLSD" && /(?:^|;)unique=[^;]/i.test(entry.raw)) this.#uniqueEntries++;
    this.#hash.update(`${entry.raw}\n`);
    return recordOf(entry, this.command);
  }

  skipped(line: string): void {
    const isSelf = this.command === "MLSD" ? /(?:^|;)type=cdir(?:;| )/i : / \.\/?$/;
    if (isSelf.test(line)) this.#self = line;
  }

  end(): string {
    return "";
  }

  get isEmpty(): boolean {
    return this.entries === 0;
  }

  /** Whether no other directory can have these entries: each of them has RFC 3659's unique fact. */
  get isUnique(): boolean {
    return !this.isEmpty && this.#uniqueEntries === this.entries;
  }

  /** Whether "." is among the names: then those with a leading dot are, too. */
  get showsSelf(): boolean {
    return this.#self !== undefined;
  }

  /** The directory's own time; only MLSD's is exact. */
  get modified(): Date | undefined {
    return parseTimeVal(this.#fact("modify") ?? "");
  }

  /** What no other directory of the server has, if it tells such a thing. */
  get identity(): string | undefined {
    const unique = this.#fact("unique");
    return unique === undefined ? undefined : `${unique} ${this.digest}`;
  }

  /** Equal for equal listings. */
  get digest(): string {
    return this.#hash.copy().digest("base64");
  }

  #fact(name: string): string | undefined {
    if (this.command !== "MLSD") return undefined;
    return new RegExp(`(?:^|;)${name}=([^;]+);`, "i").exec(this.#self ?? "")?.[1];
  }
}

function recordOf(entry: Entry, command: ListingCommand): string {
  // A line of NLST is a name, and nothing else is known.
  const isUnread = entry.type === "unknown" && entry.name === entry.raw && command !== "NLST";
  const letter = letters[isUnread ? "unread" : entry.type];
  const mark = entry.modifiedExact ? "" : "~";
  return `${letter} ${entry.size ?? ""} ${mark}${entry.modified?.getTime() ?? ""} ${entry.name}\n`;
}

export function parseRecord(line: string): EntryRecord {
  const sizeEnd = line.indexOf(" ", 2);
  const timeEnd = line.indexOf(" ", sizeEnd + 1);
  const [size, time] = [line.slice(2, sizeEnd), line.slice(sizeEnd + 1, timeEnd)];
  const isExact = !time.startsWith("~");
  const digits = isExact ? time : time.slice(1);
  const shownTime = digits === "" ? undefined : new Date(Number(digits));
  return {
    type: types.get(line[0] as "f") as EntryRecord["type"],
    name: line.slice(timeEnd + 1),
    size: size === "" ? undefined : Number(size),
    modified: isExact ? shownTime : undefined,
    shownTime,
  };
}

/** What a listing says in place of SIZE and MDTM; undefined unless all is known. */
export function factsFor(
  { type }: Plan,
  { size, modified }: Pick<EntryRecord, "size" | "modified">,
): FileFacts | undefined {
  // As many octets are transferred as the file has in image type only.
  const counted = type === "I" ? size : undefined;
  if (modified === undefined || (type === "I" && size === undefined)) return undefined;
  return { size: counted, modified };
}

/**
 * What a line of a listing says about one entry of a directory. The parsers beside this file
 * make entries of lines; showing, filtering and fetching them is for the layers above.
 */

export type EntryType = "file" | "directory" | "link" | "unknown";

/**
 * One entry of a directory. Texts are octets, one a char (latin1), as the server sent them;
 * what the server didn't say is undefined.
 */
export interface Entry {
  readonly name: string;
  readonly type: EntryType;
  /** In octets. */
  readonly size: number | undefined;
  readonly modified: Date | undefined;
  /** Whether `modified` has its seconds and a known time zone: it can be compared with MDTM's. */
  readonly modifiedExact: boolean;
  /** Nine letters, as ls shows them: `rw-r--r--`. */
  readonly permissions: string | undefined;
  readonly owner: string | undefined;
  readonly group: string | undefined;
  /** What a link points to. */
  readonly target: string | undefined;
  /** The whole line, without its end. */
  readonly raw: string;
}

/** An entry that a parser is still filling in. */
export type EntryDraft = { -readonly [Field in keyof Entry]: Entry[Field] };

/** An entry of which only the name is known; a line that can't be read is its own name. */
export function unreadEntry(raw: string, name = raw): EntryDraft {
  return {
    name,
    type: "unknown",
    size: undefined,
    modified: undefined,
    modifiedExact: false,
    permissions: undefined,
    owner: undefined,
    group: undefined,
    target: undefined,
    raw,
  };
}

/** `.` and `..`, which stand for the directory itself and the one above, not for entries. */
export function isDotName(name: string): boolean {
  return name === "." || name === "..";
}

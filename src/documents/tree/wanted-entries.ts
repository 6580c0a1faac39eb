/** Which entries of a directory are wanted, what they are called, and which can't be fetched. */
import { FtpullError } from "../../errors.ts";
import { isFolderName } from "../../files/names.ts";
import { quoteName } from "../../ftp/control/reply.ts";
import type { Glob } from "../../text/glob.ts";
import { encodeName, endsCommand } from "../../text/percent.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Branch } from "../job.ts";
import type { EntryRecord } from "./record.ts";
import type { TreeSettings } from "./tree.ts";

/** A directory that was listed. */
export interface Listed {
  readonly url: FtpUrl;
  readonly path: string;
  /** The pattern for names; undefined if all are wanted. */
  readonly glob: (Glob & { readonly text: string }) | undefined;
  /** The arguments of CWD that reach it. */
  readonly cwds: readonly string[];
  records(): Iterable<EntryRecord>;
  /** The path of an entry from the tree's top on, as text. */
  labelOf(name: string): string;
  /** Called when the job of a file begins, and when it has ended. */
  enter(): void;
  leave(): void;
  /** The directory that an entry is, or may be; undefined if it is too deep. */
  below(url: FtpUrl, path: string, entry: EntryRecord, wanted: Wanted): Branch | undefined;
}

/** What an entry may turn out to be, where it is wanted as such. */
export interface Wanted {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
}

export class WantedEntries {
  readonly #directory: Listed;
  readonly #settings: TreeSettings;

  constructor(directory: Listed, settings: TreeSettings) {
    this.#directory = directory;
    this.#settings = settings;
  }

  /** Whether the pattern permits a name. As in a shell, a leading dot has to stand in it. */
  isMatched(name: string): boolean {
    const { glob } = this.#directory;
    if (glob === undefined) return true;
    const hasDot = glob.text.startsWith(".") === name.startsWith(".");
    return hasDot && glob.matches(this.#settings.decode(name));
  }

  /** Undefined for an entry that is left out. */
  wanted({ type, name }: EntryRecord): Wanted | undefined {
    const { decode, selection } = this.#settings;
    if (type !== "unread" && !this.isMatched(name)) return undefined;
    const text = decode(name);
    const isFile = type !== "directory" && selection.hasFile(text);
    const isDirectory = type !== "file" && selection.hasDirectory(text);
    return isFile || isDirectory || type === "unread" ? { isFile, isDirectory } : undefined;
  }

  /** Without a final slash for what may be a file. */
  urlOf(name: string, { isFile }: Pick<Wanted, "isFile">): FtpUrl {
    const { url } = this.#directory;
    const segment = encodeName(name);
    return { ...url, segments: [...url.segments.slice(0, -1), segment, ...(isFile ? [] : [""])] };
  }
}

/** Or nothing at all: the job of an unread line is its failure. */
export function isFile({ type }: EntryRecord): boolean {
  return type === "file" || type === "unread";
}

export function isFetchable(entry: EntryRecord): boolean {
  return unfetchable(entry) === undefined;
}

/** Why an entry can't be fetched: it can't be read, or no file can have its name. */
export function unfetchable({ type, name }: EntryRecord): FtpullError | undefined {
  const isName = !name.includes("/") && !endsCommand(name) && !["", ".", ".."].includes(name);
  if (type !== "unread" && isName && !isFolderName(name)) return undefined;
  if (type !== "unread" && isName) {
    const words = "names that end in .ftpull are for documents that aren't whole";
    return new FtpullError("protocol", `cannot save ${quoteName(name)}: ${words}`);
  }
  const text =
    type === "unread"
      ? `cannot read the line ${quoteName(name)} of the listing: something may be missing`
      : `the listing has the name ${quoteName(name)}, which no file can have`;
  return new FtpullError("protocol", text);
}

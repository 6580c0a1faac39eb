/** Which entries of a directory are wanted, and which can't be fetched. */
import { FtpullError } from "../../errors.ts";
import { isFolderName } from "../../files/names.ts";
import { quoteName } from "../../ftp/control/reply.ts";
import type { Glob } from "../../text/glob.ts";
import { endsCommand } from "../../text/percent.ts";
import type { DirectoryTask } from "./directory-task.ts";
import { exactTime, type TreeEntry } from "./tree-listing.ts";

/** What an entry may turn out to be, where it is wanted as such. */
export interface Wanted {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
}

/** The pattern for the names of a directory's entries. */
export type NamePattern = Glob & { readonly text: string };

export class EntryFilter {
  readonly #directory: DirectoryTask;
  /** Whether the pattern, if there is one, has matched an entry. */
  hasMatch: boolean;

  constructor(directory: DirectoryTask) {
    this.#directory = directory;
    this.hasMatch = directory.place.pattern === undefined;
  }

  /** Whether an entry of the listing is kept until its turn. */
  keeps(entry: TreeEntry): boolean {
    if (this.wantedAs(entry) === undefined) return false;
    const { checksums, selection } = this.#directory.tree.options;
    if (entry.type !== "file") return true;
    // A list of checksums may have a file that its time leaves out.
    return checksums.areListed || selection.hasTime(exactTime(entry));
  }

  /** Undefined for an entry that is left out by its name. */
  wantedAs({ type, name }: TreeEntry): Wanted | undefined {
    if (type === "unread") return { isFile: true, isDirectory: false };
    if (!this.#isMatched(name)) return undefined;
    const { decode, selection, pathname } = this.#directory.tree.options;
    const isFile = type !== "directory" && selection.hasFile(decode(name));
    const isDirectory =
      type !== "file" && selection.hasDirectory(this.#directory.labelOf(name), pathname);
    return isFile || isDirectory ? { isFile, isDirectory } : undefined;
  }

  /** As in a shell, a leading dot has to stand in the pattern. */
  #isMatched(name: string): boolean {
    const { place, tree } = this.#directory;
    if (place.pattern === undefined) return true;
    const hasDot = place.pattern.text.startsWith(".") === name.startsWith(".");
    const isMatched = hasDot && place.pattern.matches(tree.options.decode(name));
    this.hasMatch ||= isMatched;
    return isMatched;
  }
}

/** Why an entry can't be fetched: it can't be read, or no file can have its name. */
export function unfetchable({ type, name }: TreeEntry): FtpullError | undefined {
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

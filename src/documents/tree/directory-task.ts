/** Lists one directory of a tree; the tasks of its entries follow. */
import { toFtpullError } from "../../errors.ts";
import type { Session } from "../../ftp/session.ts";
import type { Entry } from "../../listing/entry.ts";
import { failed } from "../result.ts";
import { type Document, planInside, planOver, type Task } from "../task.ts";
import type { Tries } from "../task-tries.ts";
import type { SumsDirectory } from "../verify/sums-directory.ts";
import { checkNoCircle, followLink } from "./circles.ts";
import { Entries } from "./entries.ts";
import { fateOf, matchesPattern } from "./fate.ts";
import { askTimes } from "./listed-facts.ts";
import { endLocalDirectory, makeLocalDirectory } from "./local-places.ts";
import { printEntries } from "./print-entries.ts";
import type { Directory, ListedDirectory } from "./tree.ts";
import type { Fate } from "./tree-listing.ts";

/** The task for a directory; undefined below the last level. */
export function listTask(directory: Directory, refusal?: Error): Task | undefined {
  const { tree, document, options, level } = directory;
  const { shownUrl } = document;
  if (level <= options.selection.levels) return new DirectoryTask(directory, refusal);
  // A name of NLST that was refused as a file may be one all the same: z/OS lets any name be entered.
  if (refusal !== undefined) void options.report(failed(shownUrl, toFtpullError(refusal)));
  else tree.cutOff(shownUrl);
  return undefined;
}

export class DirectoryTask implements Task {
  readonly document: Document;
  readonly #directory: Directory;
  /** The refusal of a file of this name: an empty listing that is refused, too, shows no directory. */
  readonly #refusal: Error | undefined;
  /** What the tries have listed; undefined for a directory that is left out, too. */
  #listed: ListedDirectory | undefined;

  constructor(directory: Directory, refusal?: Error) {
    this.document = directory.document;
    this.#directory = directory;
    this.#refusal = refusal;
  }

  /** A further try uses an earlier whole listing. @throws as `readListing` does */
  async run(session: Session, tries: Tries): Promise<undefined> {
    if (!this.#isWhole) this.#listed = await this.#list(session);
    if (this.#listed === undefined) return;
    const { inventory } = this.#directory.options;
    const { failure } = this.#listed.listing;
    if (failure === undefined) await askTimes(session, this.#listed, tries);
    if (inventory !== undefined && !failure?.transient) await printEntries(this.#listed, inventory);
    if (failure !== undefined) throw failure;
  }

  further(): Iterator<Task> | undefined {
    const { tree, entry, pattern, options } = this.#directory;
    options.count.ended(entry ?? { type: "directory", size: undefined });
    // A directory that couldn't be listed may have matching names.
    if (!this.#isWhole && pattern !== undefined) tree.hasMatch = true;
    return this.#listed && new Entries(this.#listed, listTask).tasks();
  }

  end(): void {
    const { tree, path, parent, options } = this.#directory;
    try {
      if (this.#listed !== undefined && !options.inventory) endLocalDirectory(this.#directory);
    } catch (error) {
      void options.report(failed(this.document.shownUrl, toFtpullError(error)));
    }
    options.rules.own.forget(path);
    if (parent === undefined) tree.end(this.document);
  }

  get #isWhole(): boolean {
    return this.#listed !== undefined && this.#listed.listing.failure === undefined;
  }

  /** Undefined for a link that leads back. @throws if nothing was listed, or nothing can be saved */
  async #list(session: Session): Promise<ListedDirectory | undefined> {
    const directory = this.#directory;
    const { tree, options, parent, pattern } = directory;
    const { shownUrl } = this.document;
    const plan = planInside(planOver(session, this.document));
    const { cwds } = plan;
    if (parent === undefined && !options.inventory) options.observer.tree(options.count);
    checkNoCircle(directory);
    // Patterns are for so many levels: no circle goes on.
    const isFollowed = directory.isLink && pattern === undefined;
    const link = isFollowed ? await followLink(session, directory, cwds) : undefined;
    if (link?.leadsBack) return tree.leftOut(shownUrl, "it leads back to a directory above it");
    const sums = options.verifiers.directory(directory.url, cwds, parent?.sums);
    const note = (entry: Entry): Fate => this.#note(entry, sums);
    const listing = await tree.lister.list(session, { plan, note, refusal: this.#refusal });
    if (listing.cut !== undefined) options.observer.warning(`${shownUrl}: ${listing.cut}`);
    // The entries of a broken listing are fetched all the same.
    if (listing.failure !== undefined && listing.count === 0) throw listing.failure;
    if (pattern !== undefined) listing.entries.sortByName(); // the order of a shell
    const isNewHere = options.inventory === undefined && makeLocalDirectory(directory);
    const pathname = link?.pathname;
    return { directory, listing, cwds, pathname, sums, isNewHere };
  }

  /** Notes what is listed, whether it is wanted or not; returns its fate. */
  #note(entry: Entry, sums: SumsDirectory | undefined): Fate {
    const { tree, options, isOnTheWay } = this.#directory;
    const { selection, inventory, verifiers } = options;
    const isFile = entry.type === "file";
    sums?.note(entry);
    if (isFile) verifiers.noteFile(this.#directory.pathOf(entry.name), options.pathname);
    const mayMatch = isFile || selection.fetchesDirectories || inventory !== undefined;
    if (mayMatch && !isOnTheWay && matchesPattern(this.#directory, entry)) tree.hasMatch = true;
    return fateOf(this.#directory, entry);
  }
}

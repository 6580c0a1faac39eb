/** Lists one directory of a tree; the tasks of its entries follow. */
import { FtpullError, toFtpullError } from "../../errors.ts";
import type { Session } from "../../ftp/session.ts";
import { noMatchHint } from "../hints.ts";
import { failed } from "../result.ts";
import { printEntries } from "../spider/print-entries.ts";
import { type Document, planInside, planOver, type Task } from "../task.ts";
import type { Tries } from "../task-tries.ts";
import { checkNoCircle, leadsBack } from "./circles.ts";
import { isKept, isMatched } from "./entry-filter.ts";
import { Entries } from "./entries.ts";
import { askTimes } from "./listed-facts.ts";
import { endTreeFolder, makeTreeFolder } from "./tree-folder.ts";
import type { Directory } from "./tree.ts";
import type { TreeEntry, TreeListing } from "./tree-listing.ts";

export class DirectoryTask implements Task {
  readonly document: Document;
  readonly #directory: Directory;

  constructor(directory: Directory) {
    this.document = directory.place.document;
    this.#directory = directory;
  }

  /** A further try uses an earlier whole listing. @throws as `readListing` does */
  async run(session: Session, tries: Tries): Promise<undefined> {
    const directory = this.#directory;
    if (!directory.isListed) await this.#list(session);
    const { listing, options } = directory;
    if (listing === undefined) return;
    const { entries, failure } = listing;
    if (failure === undefined) await askTimes(session, directory, entries, tries);
    const { inventory } = options;
    if (inventory !== undefined && !failure?.transient)
      await printEntries(directory, entries, inventory);
    if (failure !== undefined) throw failure;
  }

  further(): Iterator<Task> | undefined {
    const { tree, place, listing, isListed, patterns } = this.#directory;
    tree.options.count.ended(place.entry ?? { type: "directory", size: undefined });
    // A directory that couldn't be listed may have matching names.
    if (!isListed && patterns.length > 0) tree.hasMatch = true;
    if (listing === undefined) return undefined;
    return new Entries(this.#directory, listing).tasks();
  }

  end(): void {
    const { tree, place, parent, patterns, listing } = this.#directory;
    try {
      if (listing !== undefined && !tree.options.inventory) endTreeFolder(this.#directory);
    } catch (error) {
      void tree.options.report(failed(this.document.shownUrl, toFtpullError(error)));
    }
    tree.options.rules.own.forget(place.path);
    if (parent !== undefined) return;
    tree.end();
    if (patterns.length === 0 || tree.hasMatch) return;
    const { url, shownUrl } = this.document;
    const hint = noMatchHint(url, shownUrl);
    const error = new FtpullError("refused", "no file matches the pattern", { hint });
    void tree.options.report(failed(shownUrl, error));
  }

  async #list(session: Session): Promise<void> {
    const directory = this.#directory;
    const { tree, options, url, parent, patterns } = directory;
    const plan = planInside(planOver(session, this.document));
    if (parent === undefined) tree.begin();
    directory.listing = undefined;
    directory.cwds = plan.cwds;
    checkNoCircle(directory);
    // Patterns are for so many levels: no circle goes on.
    if (directory.isLink && patterns.length === 0 && (await leadsBack(session, directory)))
      return tree.leftOut(this.document.shownUrl, "it leads back to a directory above it");
    directory.checksums = options.checksums.directory(url, plan.cwds, parent?.checksums);
    const keeps = (entry: TreeEntry): boolean => this.#note(entry);
    const listing = await tree.lister.list(session, plan, keeps, directory.refusal);
    if (listing.cut !== undefined)
      options.observer.warning(`${this.document.shownUrl}: ${listing.cut}`);
    // The entries of a broken listing are fetched all the same.
    if (listing.failure !== undefined && listing.count === 0) throw listing.failure;
    this.#accept(listing);
  }

  #note(entry: TreeEntry): boolean {
    const directory = this.#directory;
    const { tree, options, isOnTheWay } = directory;
    directory.checksums?.note(entry);
    const { selection, inventory } = options;
    const showsAll = selection.fetchesDirectories || inventory !== undefined;
    const mayCount = !isOnTheWay && (showsAll || entry.type === "file");
    tree.hasMatch ||= mayCount && isMatched(directory, entry);
    return isKept(directory, entry);
  }

  #accept(listing: TreeListing): void {
    const directory = this.#directory;
    const { place, parent, patterns } = directory;
    const { checksums, inventory, pathname } = directory.options;
    if (inventory === undefined) {
      if (parent === undefined && patterns.length === 0)
        checksums.expected?.hasTree(pathname, place.path);
      makeTreeFolder(directory);
    }
    directory.listing = listing;
  }
}

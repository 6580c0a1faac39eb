/** Lists one directory of a tree; the tasks of its entries follow. */
import { FtpullError } from "../../errors.ts";
import { LocalFolder } from "../../files/gone.ts";
import { DirectoryRefused } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Plan } from "../../url/plan.ts";
import type { Tries } from "../task-tries.ts";
import { failed } from "../result.ts";
import { type Document, planInside, planOver, type Task } from "../task.ts";
import { askTimes } from "./listed-facts.ts";
import type { Directory } from "./directory.ts";
import { isKept, isMatched } from "./entry-filter.ts";
import { EntryTasks } from "./entry-tasks.ts";
import type { Above } from "./kept-links.ts";
import { makeTreeFolder, setTreeFolderTime } from "./tree-folder.ts";
import type { TreeEntry, TreeListing } from "./tree-listing.ts";
import type { Tree } from "./tree.ts";

export class NoMatch extends FtpullError {}

const noMatch = () => new NoMatch("refused", "no name matches the pattern");

export class DirectoryTask implements Task {
  readonly document: Document;
  readonly #directory: Directory;
  readonly #tree: Tree;
  #hasMatch = false;

  constructor(document: Document, directory: Directory, tree: Tree) {
    this.document = document;
    this.#directory = directory;
    this.#tree = tree;
  }

  /** A further try uses an earlier whole listing. @throws as `readListing` does */
  async run(session: Session, tries: Tries): Promise<undefined> {
    const directory = this.#directory;
    if (!directory.isListed) await this.#list(session);
    const { listing, parent, patterns } = directory;
    if (listing === undefined) return;
    await this.#readSums(session, listing);
    await askTimes(session, directory, listing.entries, tries);
    const isTopOfPattern = parent === undefined && patterns.length > 0;
    if (isTopOfPattern && !this.#hasMatch) throw noMatch();
  }

  further(): Iterator<Task> | undefined {
    const { place, listing, isListed, checksums, patterns } = this.#directory;
    this.#tree.count.ended(place.entry ?? { type: "directory", size: undefined });
    if (!isListed && patterns.length > 0) this.#noteUnlisted();
    if (listing === undefined) return undefined;
    for (const sums of checksums?.sumsFor() ?? []) sums.giveUp();
    const taskFor = (document: Document, directory: Directory): Task =>
      new DirectoryTask(document, directory, this.#tree);
    return new EntryTasks(this.#directory, this.#tree, taskFor).all(listing.entries);
  }

  /** A directory that couldn't be listed may have matching names. */
  #noteUnlisted(): void {
    this.#tree.hasMatch = true;
    this.#tree.hasFileMatch = true;
  }

  end(): void {
    const directory = this.#directory;
    const { gone, options } = this.#tree;
    gone?.ended(directory);
    if (directory.listing !== undefined && options.inventory === undefined) {
      setTreeFolderTime(directory);
      options.sources.ended(directory.place.path);
    }
    if (directory.parent === undefined) this.#endTree();
  }

  #endTree(): void {
    const tree = this.#tree;
    tree.end();
    const hasMatchAboveOnly = this.#directory.isOnTheWay && this.#hasMatch && !tree.hasMatch;
    if (hasMatchAboveOnly) void tree.options.report(failed(this.document.shownUrl, noMatch()));
  }

  async #list(session: Session): Promise<void> {
    const directory = this.#directory;
    const { circles, options } = this.#tree;
    const plan = planInside(planOver(session, this.document));
    if (!directory.place.wanted.isDirectory) return;
    if (directory.parent === undefined) this.#tree.begin();
    await options.inventory?.caughtUp();
    directory.listing = undefined;
    directory.cwds = plan.cwds;
    circles.checkDepth(directory);
    if (directory.level > options.selection.levels) return this.#cutOff(session, plan);
    const above = await circles.sameAbove(session, directory);
    // Patterns are for so many levels: no circle goes on.
    const isCircle = above !== undefined && directory.patterns.length === 0;
    if (isCircle) this.#leadsBack(above);
    else await this.#listEntries(session, plan);
  }

  async #cutOff(session: Session, plan: Plan): Promise<void> {
    const { refusal } = this.#directory;
    // z/OS lets any name be entered: if it was refused as a file, only a listing shows a directory.
    if (refusal !== undefined) {
      const { failure } = await this.#tree.lister.list(session, plan, () => false, refusal);
      if (failure !== undefined) throw failure;
    }
    this.#tree.cutOff(this.#directory, this.document.shownUrl);
  }

  async #listEntries(session: Session, plan: Plan): Promise<void> {
    const directory = this.#directory;
    const { circles, options, lister, gone } = this.#tree;
    const { place, parent, refusal } = directory;
    directory.checksums = options.checksums.directory(place.url, plan.cwds, parent?.checksums);
    const here = gone && new LocalFolder(place.path, options.rules.top);
    const isKeptEntry = (entry: TreeEntry): boolean => this.#note(entry, here);
    const listing = await lister.list(session, plan, isKeptEntry, refusal);
    const { failure } = listing;
    const doubt = listing.cut ?? whyDoubtful(listing, parent?.listing);
    if (doubt !== undefined) options.observer.warning(`${this.document.shownUrl}: ${doubt}`);
    directory.cut = failure?.message ?? doubt;
    if (failure !== undefined) {
      // The entries of a broken listing are fetched all the same.
      if (listing.count > 0) this.#accept(listing);
      if (failure instanceof DirectoryRefused) circles.refused(directory);
      throw failure;
    }
    const twin = circles.twinAbove(directory, listing.entries);
    if (twin !== undefined) return this.#leadsBack(twin);
    this.#accept(listing);
    if (here !== undefined) gone?.listed(directory, here);
  }

  #note(entry: TreeEntry, here: LocalFolder | undefined): boolean {
    const directory = this.#directory;
    here?.add(directory.localNameOf(entry.name));
    directory.checksums?.note(entry);
    const isMatch = isMatched(directory, entry);
    const isFileMatch = isMatch && entry.type === "file";
    this.#hasMatch ||= isMatch;
    this.#tree.hasMatch ||= this.#hasMatch && !directory.isOnTheWay;
    this.#tree.hasFileMatch ||= isFileMatch && !directory.isOnTheWay;
    return isKept(directory, entry);
  }

  #accept(listing: TreeListing): void {
    const directory = this.#directory;
    const { gone, options } = this.#tree;
    const { checksums, inventory, pathname } = options;
    if (inventory === undefined) {
      if (directory.isWholeTree) checksums.expected?.hasTree(pathname);
      makeTreeFolder(directory, gone);
    }
    directory.listing = listing;
  }

  #leadsBack(above: Above): void {
    const where = above === "above the top" ? "a directory above the tree" : above.shownUrl;
    const words = `${this.#directory.shownUrl}: left out: it leads back to ${where}`;
    this.#tree.options.observer.info(words);
  }

  async #readSums(session: Session, listing: TreeListing): Promise<void> {
    const { checksums } = this.#directory;
    if (checksums === undefined || listing.entries.length === 0) return;
    checksums.isInTree = (path) => path.includes("/") || listing.find(path) !== undefined;
    for (const sums of checksums.sumsFor()) await sums.read(session);
  }
}

/** Some servers list a directory as empty that they can't read. */
function whyDoubtful(listing: TreeListing, above: TreeListing | undefined): string | undefined {
  if (!listing.isEmpty || above?.showsItself !== true) return undefined;
  return "the listing lacks even the directory itself: something may be missing";
}

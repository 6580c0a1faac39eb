/** Lists one directory of a tree; the tasks of its entries follow. */
import { dirname, resolve } from "node:path";
import { FtpullError } from "../../errors.ts";
import { checkFolder, claimFolder } from "../../files/claims.ts";
import { checkInside, checkNoLinks, makeFolderInside, setFolderTime } from "../../files/folder.ts";
import { LocalFolder } from "../../files/gone.ts";
import { markMirror } from "../../files/mirror-mark.ts";
import { removeTreeLink } from "../../files/tree-link.ts";
import { found } from "../../files/regular-file.ts";
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
import { exactTime, type TreeEntry, type TreeListing } from "./tree-listing.ts";
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
    const { listing: earlier, patterns, parent } = this.#directory;
    const isListed = earlier !== undefined && earlier.failure === undefined;
    const listing = isListed ? earlier : await this.#list(session);
    if (listing === undefined) return;
    await this.#readSums(session, listing);
    await askTimes(session, this.#directory, listing.entries, tries);
    if (!this.#hasMatch && patterns.length > 0 && parent === undefined) throw noMatch();
  }

  further(): Iterator<Task> | undefined {
    const { place, listing, checksums } = this.#directory;
    this.#tree.count.ended(place.entry ?? { type: "directory", size: undefined });
    // A directory that couldn't be listed may have matching names.
    if (listing === undefined || listing.failure !== undefined) this.#tree.hasMatch = true;
    if (listing === undefined) return undefined;
    for (const sums of checksums?.sumsFor() ?? []) sums.giveUp();
    const taskFor = (document: Document, directory: Directory): Task =>
      new DirectoryTask(document, directory, this.#tree);
    return new EntryTasks(this.#directory, this.#tree, taskFor).all(listing.entries);
  }

  end(): void {
    const { inventory, sources } = this.#tree.options;
    const { listing, place, parent } = this.#directory;
    this.#tree.gone?.ended(this.#directory);
    if (listing !== undefined && inventory === undefined) {
      this.#setTime();
      sources.ended(place.path);
    }
    if (parent !== undefined) return;
    this.#tree.end();
    if (this.#directory.isOnTheWay && this.#hasMatch && !this.#tree.hasMatch)
      void this.#tree.options.report(failed(this.document.shownUrl, noMatch()));
  }

  /** Undefined for a directory that is left out, or leads back. @throws as `readListing` does */
  async #list(session: Session): Promise<TreeListing | undefined> {
    const directory = this.#directory;
    const { circles, options } = this.#tree;
    const plan = planInside(planOver(session, this.document));
    if (!directory.place.wanted.isDirectory) return undefined;
    if (directory.parent === undefined) this.#tree.begin();
    await options.inventory?.caughtUp();
    directory.listing = undefined;
    directory.cwds = plan.cwds;
    circles.checkDepth(directory);
    if (directory.level > options.selection.levels) {
      await this.#checkThere(session, plan);
      this.#tree.cutOff(directory, this.document.shownUrl);
      return undefined;
    }
    const above = await circles.sameAbove(session, directory);
    // Patterns are for so many levels: no circle goes on.
    return above === undefined || directory.patterns.length > 0
      ? this.#listEntries(session, plan)
      : this.#leadsBack(above);
  }

  async #listEntries(session: Session, plan: Plan): Promise<TreeListing | undefined> {
    const directory = this.#directory;
    const { circles, options, lister, gone } = this.#tree;
    const { place, parent, refusal } = directory;
    directory.checksums = options.checksums.directory(place.url, plan.cwds, parent?.checksums);
    const here = gone && new LocalFolder(place.path, options.rules.top);
    const isKeptEntry = (entry: TreeEntry): boolean => this.#note(entry, here);
    const listing = await lister.list(session, plan, isKeptEntry, refusal);
    const { failure, cut = whyDoubtful(listing, parent?.listing) } = listing;
    directory.cut = failure?.message ?? cut;
    if (cut !== undefined) options.observer.warning(`${this.document.shownUrl}: ${cut}`);
    const twin = failure === undefined ? circles.twinAbove(directory, listing.entries) : undefined;
    if (twin !== undefined) return this.#leadsBack(twin);
    // The entries of a broken listing are fetched all the same.
    if (failure === undefined || listing.count > 0) {
      this.#begin();
      directory.listing = listing;
    }
    if (failure === undefined && here !== undefined) gone?.listed(directory, here);
    if (failure instanceof DirectoryRefused) circles.refused(directory);
    if (failure !== undefined) throw failure;
    return listing;
  }

  /** z/OS lets any name be entered: if it was refused as a file, only a listing shows a directory. */
  async #checkThere(session: Session, plan: Plan): Promise<void> {
    const { refusal } = this.#directory;
    if (refusal === undefined) return;
    const { failure } = await this.#tree.lister.list(session, plan, () => false, refusal);
    if (failure !== undefined) throw failure;
  }

  #leadsBack(above: Directory | "above the top"): undefined {
    const where = above === "above the top" ? "a directory above the tree" : above.shownUrl;
    const words = `${this.#directory.shownUrl}: left out: it leads back to ${where}`;
    this.#tree.options.observer.info(words);
  }

  /** Notes an entry as the listing arrives; false for one that is left out. */
  #note(entry: TreeEntry, here: LocalFolder | undefined): boolean {
    const directory = this.#directory;
    here?.names.add(directory.localNameOf(entry.name));
    directory.checksums?.note(entry);
    this.#hasMatch ||= isMatched(directory, entry);
    this.#tree.hasMatch ||= this.#hasMatch && !directory.isOnTheWay;
    return isKept(directory, entry);
  }

  #begin(): void {
    const { place, parent, patterns } = this.#directory;
    const { rules, checksums, inventory, pathname } = this.#tree.options;
    if (inventory !== undefined) return;
    if (rules.staysInside) this.#checkPlace();
    const isWholeTree = parent === undefined && patterns.length === 0;
    if (isWholeTree) checksums.expected?.hasTree(pathname);
    // Without a folder of its own, a tree fills the one that the user chose.
    const fillsChosen =
      isWholeTree && place.cutDirs === 0 && resolve(place.path) === resolve(rules.top);
    this.#makeFolder(fillsChosen);
    if (fillsChosen) this.#mark();
  }

  /** Makes the folder, unless it waits for the first file that is chosen. */
  #makeFolder(isChosenByUser: boolean): void {
    const { parent, patterns, place } = this.#directory;
    const { rules, selection } = this.#tree.options;
    checkFolder(dirname(place.path));
    const isPatternsMatch = parent !== undefined && patterns.length > 0;
    const isDue = !selection.choosesFiles && !isPatternsMatch;
    if (isDue || isChosenByUser) makeFolderInside(place.path, rules.top);
    claimFolder(place.path, rules.top, rules.staysInside);
  }

  #mark(): void {
    const { shownUrl: url, place } = this.#directory;
    const { gone, options } = this.#tree;
    const { isMirror } = options.rules;
    const mark = markMirror(place.path, { url, isMirror, isAlone: gone !== undefined });
    if (mark !== undefined)
      options.observer.info(`made "${mark}": it allows a later run with --delete here`);
  }

  /** Removes an earlier run's link, and refuses others. @throws FtpullError "file" */
  #checkPlace(): void {
    const { parent, place } = this.#directory;
    const { rules } = this.#tree.options;
    const isOwn = parent !== undefined && parent.place.path !== place.path;
    if (isOwn && !rules.keepsExisting) removeTreeLink(place.path, rules.top);
    checkInside(place.path, rules.top);
    checkNoLinks(place.path, rules.top);
  }

  async #readSums(session: Session, listing: TreeListing): Promise<void> {
    const { checksums } = this.#directory;
    if (checksums === undefined || listing.entries.length === 0) return;
    checksums.isInTree = (path) => path.includes("/") || listing.find(path) !== undefined;
    for (const sums of checksums.sumsFor()) await sums.read(session);
  }

  #setTime(): void {
    const { place, parent, listing } = this.#directory;
    const { path, entry } = place;
    if (path === parent?.place.path || found(path) === undefined) return;
    const { rules, observer } = this.#tree.options;
    const listed = entry?.type === "directory" ? exactTime(entry) : undefined;
    const modified = listing?.modified ?? listed;
    if (!rules.keepsTime || modified === undefined || resolve(path) === resolve(rules.top)) return;
    try {
      checkFolder(path);
      setFolderTime(path, modified);
    } catch (error) {
      observer.warning((error as FtpullError).message);
    }
  }
}

/** Some servers list a directory as empty that they can't read. */
function whyDoubtful(listing: TreeListing, above: TreeListing | undefined): string | undefined {
  if (!listing.isEmpty || above?.showsItself !== true) return undefined;
  return "the listing lacks even the directory itself: something may be missing";
}

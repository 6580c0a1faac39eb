/** Lists one directory of a tree; the tasks of its entries follow. */
import { utimesSync } from "node:fs";
import { posix } from "node:path";
import { FtpullError, toFtpullError } from "../../errors.ts";
import { ifPossible } from "../../files/file-error.ts";
import { checkInside, checkNoLinks } from "../../files/links.ts";
import { makeFolder } from "../../files/private-file.ts";
import { found } from "../../files/regular-file.ts";
import { removeTreeLink } from "../../files/tree-link.ts";
import { isWithin, namesIn } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { FileRules } from "../file/download.ts";
import { noMatchHint } from "../hints.ts";
import { failed } from "../result.ts";
import { printEntries } from "../spider/print-entries.ts";
import { type Document, planInside, planOver, type Task } from "../task.ts";
import type { Tries } from "../task-tries.ts";
import { isKept, isMatched } from "./entry-filter.ts";
import { Entries } from "./entries.ts";
import { askTimes } from "./listed-facts.ts";
import type { Directory } from "./tree.ts";
import { exactTime, type TreeEntry } from "./tree-listing.ts";

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
    return new Entries(this.#directory, listing.entries).tasks();
  }

  end(): void {
    const { tree, place, parent, patterns, listing } = this.#directory;
    try {
      if (listing !== undefined && !tree.options.inventory) endLocalDirectory(this.#directory);
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
    if (options.inventory === undefined) makeLocalDirectory(directory);
    directory.listing = listing;
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
}

const mostLevels = 100;

/** Refuses a directory that is one above itself, or too deep. @throws FtpullError "protocol" */
function checkNoCircle({ level, place, above }: Directory): void {
  const unique = place.entry?.unique;
  const isAbove = unique !== undefined && above.some((one) => one.unique === unique);
  if (!isAbove && level <= mostLevels) return;
  const why = isAbove
    ? "it is a directory above itself"
    : `directories are more than ${mostLevels} levels deep: a link may lead in a circle`;
  throw new FtpullError("protocol", `cannot list the directory: ${why}`);
}

/** True for a link to a directory that PWD shows above it, or below a followed link of its name. */
async function leadsBack(session: Session, link: Directory): Promise<boolean> {
  if (link.above.some((one) => one.isLink && one.cwds.at(-1) === link.cwds.at(-1))) return true;
  link.pathname = await session.enterByName(link.cwds);
  const login = session.state.loginDirectory;
  if (link.pathname === undefined || login === undefined) return false;
  const end = namesIn(link.pathname);
  return link.above.some((one) => isWithin(namesIn(pathnameOf(one, login)), end));
}

/** The name of a directory by those above it, as PWD would say it. */
function pathnameOf({ parent, cwds, pathname }: Directory, login: string): string {
  if (pathname !== undefined) return pathname;
  if (parent === undefined) return posix.resolve("/", login, ...cwds);
  return posix.join(pathnameOf(parent, login), cwds.at(-1) ?? "");
}

/** Makes the local directory, unless it waits for the first file that is chosen. @throws FtpullError "file" */
function makeLocalDirectory({ place, parent, patterns, options }: Directory): void {
  const { rules, selection, checksums, pathname } = options;
  const { path } = place;
  if (parent === undefined && patterns.length === 0) checksums.noteTree(pathname, path);
  if (rules.staysInside) {
    const isOwn = parent !== undefined && parent.place.path !== path;
    if (isOwn && rules.existing.stays !== "always") removeTreeLink(path, path, rules);
    checkNoLinks(path, rules.top);
  } else checkInside(path, rules.top);
  const matchesPattern = parent !== undefined && patterns.length > 0;
  const waitsForFile = selection.choosesFiles || matchesPattern;
  if (!waitsForFile) makeFolder(path);
  claimLocalDirectory(path, rules);
}

/**
 * Gives the local directory the server's time: only a subdirectory has an entry in a listing, and with -nd it has no
 * local directory of its own.
 * @throws FtpullError "file" if another directory's files have come to it
 */
function endLocalDirectory({ place, parent, options }: Directory): void {
  const { path, entry } = place;
  claimLocalDirectory(path, options.rules);
  const time = entry && exactTime(entry);
  const isOwn = parent !== undefined && parent.place.path !== path;
  if (time && isOwn && options.rules.keepsTime) ifPossible(() => utimesSync(path, time, time));
}

/** Two names can be one directory, as where case makes no difference. */
function claimLocalDirectory(path: string, { own }: FileRules): void {
  const made = found(path);
  if (made !== undefined) own.claim(path, path, made);
}

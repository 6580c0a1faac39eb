/** A directory of a tree: it is listed, and the tasks of its entries follow. */
import { resolve } from "node:path";
import { FtpullError } from "../../errors.ts";
import { checkFolder, claimFolder } from "../../files/claims.ts";
import { checkInside, makeFolderInside, setFolderTime } from "../../files/folder.ts";
import { found } from "../../files/regular-file.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import { DirectoryRefused } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { encodeName } from "../../text/percent.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import { type Action, type Plan, planIn } from "../../url/plan.ts";
import type { ChecksumDirectory, PublishedList } from "../verify/checksum-directory.ts";
import type { Listable } from "../file/download.ts";
import { printEntries } from "../spider/print-entries.ts";
import { type Document, planInside, planOver, type Task } from "../task.ts";
import { isKept, isMatched, type NamePattern, type Wanted } from "./entry-filter.ts";
import { EntryTasks } from "./entry-tasks.ts";
import { exactTime, type TreeEntry, type TreeListing } from "./tree-listing.ts";
import type { Tree } from "./tree.ts";

export class NoMatch extends FtpullError {}

/** Where a directory is, on the server and here. */
export interface Place {
  /** Ends in a slash. */
  readonly url: FtpUrl;
  /** Where its files go. */
  readonly path: string;
  /** In so many levels below it, the files of directories go there, too. */
  readonly cut: number;
  readonly wanted: Wanted;
  /** Entry in the listing above; undefined for the tree's top. */
  readonly entry?: TreeEntry;
  readonly pattern?: NamePattern | undefined;
}

export class DirectoryTask implements Task, Listable {
  readonly document: Document;
  readonly place: Place;
  readonly tree: Tree;
  /** Path from the tree's top on, in octets; "" is the top. */
  readonly #octets: string;
  /** From 1. */
  readonly level: number;
  readonly #parent: DirectoryTask | undefined;
  /** The CWDs that reach it. */
  cwds: readonly string[] = [];
  /** Pathname from PWD, if that is known. */
  serverName: string | undefined;
  listing: TreeListing | undefined;
  /** Digest of the listed entries, if there are links among them. */
  digest: string | undefined;
  /** Where the checksums of its files may be, if they are looked for. */
  checksums: ChecksumDirectory | undefined;

  constructor(document: Document, place: Place, tree: Tree, parent?: DirectoryTask) {
    this.document = document;
    this.place = place;
    this.tree = tree;
    this.#parent = parent;
    this.#octets = (place.entry && parent?.pathOf(place.entry.name)) ?? "";
    this.level = (parent?.level ?? 0) + 1;
  }

  /** True for the tree's top and for links: PWD may show that they lead to a directory above. */
  get isAlias(): boolean {
    return this.place.entry?.type !== "directory";
  }

  skip(): undefined {
    const { rules, inventory } = this.tree.options;
    if (rules.staysInside && inventory === undefined) checkInside(this.place.path, rules.top);
  }

  /** True for a link, which may lead nowhere. If a bare name, as NLST's, is refused, something is missing. */
  get isLink(): boolean {
    const { type, size, seconds } = this.place.entry ?? {};
    return type === "link" || size !== undefined || seconds !== undefined;
  }

  run(session: Session): Promise<undefined> {
    return this.list(session, planOver(session, this.document));
  }

  /** Lists it, unless it isn't wanted, leads back or is too deep. @throws as `readListing` does */
  async list(session: Session, plan: Plan): Promise<undefined> {
    const { tree, place } = this;
    const { lister, circles, options } = tree;
    if (!place.wanted.isDirectory) return undefined;
    if (this.#parent === undefined) tree.begin();
    this.listing = undefined; // that of an earlier try
    const own = planInside(plan);
    this.cwds = own.cwds;
    circles.checkDepth(this);
    if (this.level > options.selection.levels) {
      tree.cutOff(this.document.shownUrl);
      return undefined;
    }
    const above = await circles.sameAbove(session, this);
    if (above !== undefined) {
      const [shownUrl, other] = [place.url, above.place.url].map(formatFtpUrl);
      options.observer.info(`${shownUrl}: it leads back to ${other}`);
      return undefined;
    }
    let hasMatch = false;
    this.checksums = options.checksums.directory(place.url, own.cwds, this.#parent?.checksums);
    const keeps = (entry: TreeEntry): boolean => {
      this.checksums?.note(entry);
      hasMatch ||= isMatched(this, entry);
      return isKept(this, entry);
    };
    const { shownUrl } = this.document;
    const listing = await lister.list(session, { plan: own, shownUrl, keeps });
    const { failure } = listing;
    if (failure === undefined && circles.showsCircle(this, listing.entries)) {
      const words = "it shows what the two directories above it show: a link leads in a circle";
      options.observer.info(`${formatFtpUrl(place.url)}: ${words}`);
      return undefined;
    }
    // The entries of a broken listing are fetched all the same.
    if (failure === undefined || listing.count > 0) {
      this.#begin();
      this.listing = listing;
      // The lines of a try that is repeated would be printed twice.
      if (options.inventory !== undefined && failure?.transient !== true)
        await printEntries(session, this, listing.entries, options.inventory);
    }
    if (failure instanceof DirectoryRefused) circles.refused(this);
    if (failure !== undefined) throw failure;
    await this.#readLists(session);
    if (!hasMatch && place.pattern !== undefined)
      throw new NoMatch("refused", "no name matches the pattern");
    return undefined;
  }

  /** The directories that it is inside of, the nearest first. */
  get above(): readonly DirectoryTask[] {
    return this.#parent === undefined ? [] : [this.#parent, ...this.#parent.above];
  }

  further(): Iterator<Task> | undefined {
    const { count } = this.tree;
    count.ended(this.place.entry ?? { type: "directory", size: undefined });
    const entries = this.listing?.entries;
    if (entries === undefined) return undefined;
    for (const list of this.#otherLists(entries)) list.giveUp();
    return new EntryTasks(this).all(entries);
  }

  end(): void {
    const { inventory, places } = this.tree.options;
    if (this.listing !== undefined && inventory === undefined) {
      this.#setTime();
      places.ended(this.place.path);
    }
    if (this.#parent === undefined) this.tree.end();
  }

  /** The directory that an entry is, or may be, which has the name of `path`; undefined if it is too deep. */
  below(
    document: Document,
    path: string,
    entry: TreeEntry,
    wanted: Wanted,
  ): DirectoryTask | undefined {
    const { tree, place } = this;
    const url = this.urlOf(entry.name, false);
    // A link may lead to a file: levels count for directories alone.
    if (entry.type === "directory" && this.level >= tree.options.selection.levels) {
      tree.cutOff(formatFtpUrl(url));
      return undefined;
    }
    const folder = place.cut > 0 ? place.path : path;
    const inside = { url, path: folder, cut: Math.max(0, place.cut - 1), wanted, entry };
    return new DirectoryTask(document, inside, tree, this);
  }

  /** Path from the tree's top on, as text; "" is the top. */
  get label(): string {
    return this.tree.options.decode(this.#octets);
  }

  labelOf(name: string): string {
    return this.tree.options.decode(this.pathOf(name));
  }

  /** The path of an entry from the tree's top on, in octets. */
  pathOf(name: string): string {
    return this.#octets === "" ? name : `${this.#octets}/${name}`;
  }

  /** Servers that strip leading blanks would take another entry for this one. */
  planOf(name: string, action: Action): DocumentPlan {
    const asked = name.replace(/^ /, "./ ");
    return planIn(this.cwds, asked, action, this.place.url.typecode, this.tree.options.rules);
  }

  /** The URL of an entry; without a final slash for what may be a file. */
  urlOf(name: string, mayBeFile: boolean): FtpUrl {
    const { url } = this.place;
    const end = mayBeFile ? [] : [""];
    return { ...url, segments: [...url.segments.slice(0, -1), encodeName(name), ...end] };
  }

  #begin(): void {
    const { path, pattern } = this.place;
    const { rules, checksums, inventory, selection } = this.tree.options;
    if (inventory !== undefined) return;
    const isWhole = this.#parent === undefined && pattern === undefined;
    if (isWhole) checksums.hasTree(this.tree.pathname);
    if (!selection.choosesFiles) makeFolderInside(path, rules.top);
    claimFolder(path, rules.top);
  }

  /** Reads the lists of checksums that are no files of the tree themselves, for all files that follow. */
  async #readLists(session: Session): Promise<void> {
    const { checksums } = this;
    const { entries = [] } = this.listing ?? {};
    if (checksums === undefined || entries.length === 0) return;
    let names: Set<string> | undefined;
    checksums.isInTree = (path) =>
      path.includes("/") || (names ??= new Set(entries.map(({ name }) => name))).has(path);
    for (const list of this.#otherLists(entries)) await list.read(session);
  }

  #otherLists(entries: readonly TreeEntry[]): readonly PublishedList[] {
    const lists = this.checksums?.listsFor() ?? [];
    if (lists.length === 0) return [];
    const files = new Set(entries.filter(({ type }) => type === "file").map(({ name }) => name));
    return lists.filter(({ file }) => !files.has(file.name));
  }

  /** Not of the directory that the user chose, nor of one that has no folder of its own. */
  #setTime(): void {
    const { path, entry } = this.place;
    if (path === this.#parent?.place.path || found(path) === undefined) return;
    const { rules, observer } = this.tree.options;
    const listed = entry?.type === "directory" ? exactTime(entry) : undefined;
    const modified = this.listing?.modified ?? listed;
    if (!rules.keepsTime || modified === undefined || resolve(path) === resolve(rules.top)) return;
    try {
      checkFolder(path);
      setFolderTime(path, modified);
    } catch (error) {
      observer.warning((error as FtpullError).message);
    }
  }
}

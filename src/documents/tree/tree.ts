/** A tree and its directories as data: where they are on the server and here, and what their tasks share. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { FtpullError } from "../../errors.ts";
import { localName } from "../../files/names.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Decode } from "../../text/encoding.ts";
import type { Glob } from "../../text/glob.ts";
import { encodeName } from "../../text/percent.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import { type Action, planIn } from "../../url/plan.ts";
import type { Observer } from "../events.ts";
import type { FileRules } from "../file/download.ts";
import { noMatchHint } from "../hints.ts";
import { failed, type Report } from "../result.ts";
import type { Inventory } from "../spider/inventory.ts";
import type { Document, Task } from "../task.ts";
import type { ChecksumDirectory } from "../verify/checksum-directory.ts";
import type { Checksums } from "../verify/checksums.ts";
import { Lister } from "./lister.ts";
import type { Selection } from "./selection.ts";
import type { TreeCount } from "./tree-count.ts";
import type { TreeEntry, TreeListing } from "./tree-listing.ts";

/** Options of a tree. `pathname` is that of the top on the server, as --exclude-directories names it. */
export interface TreeOptions {
  readonly selection: Selection;
  readonly rules: FileRules;
  readonly checksums: Checksums;
  readonly observer: Observer;
  readonly report: Report;
  readonly inventory: Inventory | undefined;
  readonly decode: Decode;
  readonly pathname: string;
  readonly links: LinkRule;
  readonly count: TreeCount;
  /** Makes the task that lists a directory; undefined for one that is left out. */
  readonly listTask: (directory: Directory, refusal?: Error) => Task | undefined;
}

/** "copy" is for trees of another shape than the server's, in which local links would lead nowhere. */
export type LinkRule = "keep" | "copy" | "follow" | "skip";

export class Tree {
  readonly options: TreeOptions;
  readonly lister = new Lister();
  /** Local links, by the URLs of the server's. */
  readonly localLinks = new Map<string, string>();
  #hasBegun = false;
  #hasCutOff = false;
  #hasMatch = false;

  constructor(options: TreeOptions) {
    this.options = options;
  }

  begin(): void {
    const { inventory, observer, count } = this.options;
    if (inventory === undefined && !this.#hasBegun) observer.tree(count);
    this.#hasBegun = true;
  }

  leftOut(shownUrl: string, why: string): undefined {
    this.options.observer.info(`${shownUrl}: left out: ${why}`);
  }

  /** Called for a directory below the last level: a pattern without -r says so once. */
  cutOff(shownUrl: string): void {
    const { selection, observer } = this.options;
    if (!selection.fetchesDirectories && !this.#hasCutOff)
      observer.warning(`${shownUrl}: left out: only -r fetches directories`);
    this.#hasCutOff = true;
  }

  /** Called for a name that the last of several patterns matches, or may match where a listing failed. */
  matched(): void {
    this.#hasMatch = true;
  }

  end({ document, patterns }: Place): void {
    const { count, observer, report } = this.options;
    const { url, shownUrl } = document;
    count.end();
    for (const [link, path] of this.localLinks)
      if (!existsSync(path)) observer.warning(`${link}: nothing is here where the link leads to`);
    if (patterns.length === 0 || this.#hasMatch) return;
    const hint = noMatchHint(url, shownUrl);
    const error = new FtpullError("refused", "no file matches the pattern", { hint });
    void report(failed(shownUrl, error));
  }
}

export type NamePattern = Glob & { readonly text: string };

/**
 * Where a directory is on the server and here. Files of `cutDirs` levels below go to the same local path; `patterns`
 * are for names of entries, then for names inside of matching directories. The tree's top has no `entry`.
 */
interface Place {
  readonly document: Document;
  readonly path: string;
  readonly cutDirs: number;
  readonly entry?: TreeEntry;
  readonly patterns: readonly NamePattern[];
}

export class Directory {
  readonly place: Place;
  readonly tree: Tree;
  /** The directories above it, the parent first. */
  readonly above: readonly ListedDirectory[];
  /** The directory's URL, which ends in a slash. */
  readonly url: FtpUrl;
  /** Level from 1, the tree's top or the directories that the last pattern is for; 0 above these. */
  readonly level: number;
  /** Names from the tree's top, in octets. */
  readonly names: readonly string[];

  constructor(place: Place, tree: Tree, above: readonly ListedDirectory[] = []) {
    const parent = above[0]?.directory;
    this.place = place;
    this.tree = tree;
    this.above = above;
    this.url = asDirectory(place.document.url);
    this.level = this.isOnTheWay ? 0 : (parent?.level ?? 0) + 1;
    this.names = place.entry === undefined ? [] : [...(parent?.names ?? []), place.entry.name];
  }

  get options(): TreeOptions {
    return this.tree.options;
  }

  get parent(): ListedDirectory | undefined {
    return this.above[0];
  }

  /** True if only directories are wanted, since patterns for names inside of them follow. */
  get isOnTheWay(): boolean {
    return this.place.patterns.length > 1;
  }

  get wantsFiles(): boolean {
    return !this.isOnTheWay && this.place.patterns[0]?.text.endsWith("/") !== true;
  }

  get isLink(): boolean {
    return this.place.entry?.type === "link";
  }

  get isBehindLink(): boolean {
    return this.isLink || this.parent?.directory.isBehindLink === true;
  }

  get top(): Directory {
    return this.above.at(-1)?.directory ?? this;
  }

  /** Path from the tree's top, in octets. */
  pathOf(name: string): string {
    return [...this.names, name].join("/");
  }

  localNameOf(name: string): string {
    return localName(name, this.options.decode);
  }

  localPathOf(name: string): string {
    return join(this.place.path, this.localNameOf(name));
  }

  /** The URL of an entry, as a file's. */
  urlOf(name: string): FtpUrl {
    return { ...this.url, segments: [...this.url.segments.slice(0, -1), encodeName(name)] };
  }
}

/** A directory with its listing, as a try leaves it for further ones, and for the tasks that follow. */
export interface ListedDirectory {
  readonly directory: Directory;
  readonly listing: TreeListing;
  /** Arguments of CWD, from the login directory. */
  readonly cwds: readonly string[];
  /** Pathname on the server of the directory to which a link leads, by PWD. */
  readonly pathname: string | undefined;
  readonly checksums: ChecksumDirectory | undefined;
}

export function directoryBelow(
  parent: ListedDirectory,
  entry: TreeEntry,
  document: Document,
): Directory {
  const { tree, place, above } = parent.directory;
  const { path, cutDirs, patterns } = place;
  const below = {
    document,
    path: cutDirs > 0 ? path : parent.directory.localPathOf(entry.name),
    cutDirs: Math.max(0, cutDirs - 1),
    entry,
    patterns: patterns.slice(1),
  };
  return new Directory(below, tree, [parent, ...above]);
}

/** A name with a leading blank becomes `./ name`: servers that strip blanks would take another entry. */
export function planOfEntry(
  { directory, cwds }: ListedDirectory,
  name: string,
  action: Action,
): DocumentPlan {
  const asked = name.replace(/^ /, "./ ");
  return planIn(cwds, asked, action, directory.url.typecode, directory.options.rules);
}

/** The URL with a slash at its end. */
export function asDirectory(url: FtpUrl): FtpUrl {
  if (url.segments.at(-1) === "") return url;
  const typecode = url.typecode === "D" ? undefined : url.typecode;
  return { ...url, segments: [...url.segments, ""], typecode };
}

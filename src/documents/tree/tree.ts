/** A tree and its directories as data: where they are on the server and here, and what their tasks share. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { toFtpullError } from "../../errors.ts";
import { localName } from "../../files/names.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Decode } from "../../text/encoding.ts";
import type { Glob } from "../../text/glob.ts";
import { encodeName } from "../../text/percent.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import { type Action, planIn } from "../../url/plan.ts";
import type { Observer } from "../events.ts";
import type { FileRules } from "../file/download.ts";
import { failed, type Report } from "../result.ts";
import type { Inventory } from "../spider/inventory.ts";
import type { Document, Task } from "../task.ts";
import type { ChecksumDirectory } from "../verify/checksum-directory.ts";
import type { Checksums } from "../verify/checksums.ts";
import { Lister } from "./lister.ts";
import type { Selection } from "./selection.ts";
import type { TreeCount } from "./tree-count.ts";
import type { TreeEntry, TreeListing } from "./tree-listing.ts";

/**
 * Options of a tree. `pathname` is that of the top on the server, as --exclude-directories names it; `listTask` makes
 * the task that lists a directory.
 */
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
  readonly listTask: (directory: Directory) => Task;
}

/** "copy" is for trees of another shape than the server's, in which local links would lead nowhere. */
export type LinkRule = "keep" | "copy" | "follow" | "skip";

export class Tree {
  readonly options: TreeOptions;
  readonly lister = new Lister();
  /** True if the last of several patterns has matched a name, or may match one that isn't listed. */
  hasMatch = false;
  /** Local links, by the URLs of the server's. */
  readonly localLinks = new Map<string, string>();
  #hasBegun = false;
  #hasCutOff = false;

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

  end(): void {
    this.options.count.hasEnded = true;
    for (const [url, path] of this.localLinks)
      if (!existsSync(path))
        this.options.observer.warning(`${url}: nothing is here where the link leads to`);
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
  readonly parent: Directory | undefined;
  /** The directory's URL, which ends in a slash. */
  readonly url: FtpUrl;
  /** Level from 1, the tree's top or the directories that the last pattern is for; 0 above these. */
  readonly level: number;
  cwds: readonly string[] = [];
  /** Pathname on the server of the directory to which a link leads, by PWD. */
  pathname: string | undefined;
  listing: TreeListing | undefined;
  /** The refusal of a file of this name: an empty listing that is refused, too, shows no directory. */
  refusal: Error | undefined;
  checksums: ChecksumDirectory | undefined;
  /** Those above it, the parent first. */
  readonly above: readonly Directory[];
  /** Names from the tree's top, in octets. */
  readonly names: readonly string[];

  constructor(place: Place, tree: Tree, parent?: Directory) {
    this.place = place;
    this.tree = tree;
    this.parent = parent;
    this.url = asDirectory(place.document.url);
    this.level = this.isOnTheWay ? 0 : (parent?.level ?? 0) + 1;
    this.above = parent === undefined ? [] : [parent, ...parent.above];
    this.names = place.entry === undefined ? [] : [...(parent?.names ?? []), place.entry.name];
  }

  below(entry: TreeEntry, document: Document): Directory {
    const { path, cutDirs } = this.place;
    const place = {
      document,
      path: cutDirs > 0 ? path : this.localPathOf(entry.name),
      cutDirs: Math.max(0, cutDirs - 1),
      entry,
      patterns: this.patterns.slice(1),
    };
    return new Directory(place, this.tree, this);
  }

  get options(): TreeOptions {
    return this.tree.options;
  }

  get patterns(): readonly NamePattern[] {
    return this.place.patterns;
  }

  /** MLSD's "unique" fact, which shows a directory that is one above itself. */
  get unique(): string | undefined {
    return this.listing?.unique ?? this.place.entry?.unique;
  }

  get isListed(): boolean {
    return this.listing !== undefined && this.listing.failure === undefined;
  }

  /** True if only directories are wanted, since patterns for names inside of them follow. */
  get isOnTheWay(): boolean {
    return this.patterns.length > 1;
  }

  get wantsFiles(): boolean {
    return !this.isOnTheWay && this.patterns[0]?.text.endsWith("/") !== true;
  }

  /** The task that lists it; undefined below the last level, which is noted. */
  listTask(): Task | undefined {
    const { selection, listTask, report } = this.options;
    if (this.level <= selection.levels) return listTask(this);
    const { shownUrl } = this.place.document;
    // A name of NLST that was refused as a file may be one all the same: z/OS lets any name be entered.
    if (this.refusal === undefined) this.tree.cutOff(shownUrl);
    else void report(failed(shownUrl, toFtpullError(this.refusal)));
    return undefined;
  }

  get isLink(): boolean {
    return this.place.entry?.type === "link";
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

  /** A name with a leading blank becomes `./ name`: servers that strip blanks would take another entry. */
  planOf(name: string, action: Action): DocumentPlan {
    const asked = name.replace(/^ /, "./ ");
    return planIn(this.cwds, asked, action, this.url.typecode, this.options.rules);
  }

  /** The URL of an entry, as a file's. */
  urlOf(name: string): FtpUrl {
    return { ...this.url, segments: [...this.url.segments.slice(0, -1), encodeName(name)] };
  }
}

/** The URL with a slash at its end. */
export function asDirectory(url: FtpUrl): FtpUrl {
  if (url.segments.at(-1) === "") return url;
  const typecode = url.typecode === "D" ? undefined : url.typecode;
  return { ...url, segments: [...url.segments, ""], typecode };
}

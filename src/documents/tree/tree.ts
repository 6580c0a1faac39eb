/** A tree, with what its tasks share, and how it ends; and its directories: where they are on the server and here. */
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
import type { SumsDirectory } from "../verify/sums-directory.ts";
import type { Verifiers } from "../verify/verifiers.ts";
import { Lister } from "./lister.ts";
import type { Selection } from "./selection.ts";
import type { TreeCount } from "./tree-count.ts";
import type { TreeEntry, TreeListing } from "./tree-listing.ts";

export interface TreeOptions {
  /** The top's local directory, to which the files of `cutDirs` levels below it go, too. */
  readonly path: string;
  readonly cutDirs: number;
  /** The top's pathname on the server, as --exclude-directories names it. */
  readonly pathname: string;
  /** Patterns for names of the top's entries, then for names inside of those that match. */
  readonly patterns: readonly NamePattern[];
  readonly selection: Selection;
  readonly rules: FileRules;
  readonly verifiers: Verifiers;
  readonly observer: Observer;
  readonly report: Report;
  readonly inventory: Inventory | undefined;
  readonly decode: Decode;
  readonly links: LinkRule;
  readonly count: TreeCount;
}

/** Makes the task that lists a directory; undefined for one that is left out. */
export type ListTask = (directory: Directory, refusal?: Error) => Task | undefined;

type NamePattern = Glob & { readonly text: string };

/** "copy" is for trees of another shape than the server's, in which local links would lead nowhere. */
export type LinkRule = "keep" | "copy" | "follow" | "skip";

export class Tree {
  readonly options: TreeOptions;
  readonly lister = new Lister();
  /** Local links, by the URLs of the server's. */
  readonly localLinks = new Map<string, string>();
  /** True once the last of the patterns matches a name, or may match one where a listing failed. */
  hasMatch = false;
  #hasCutOff = false;

  constructor(options: TreeOptions) {
    this.options = options;
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

  end({ url, shownUrl }: Document): void {
    const { count, observer, report, patterns } = this.options;
    count.hasEnded = true;
    for (const [link, path] of this.localLinks)
      if (!existsSync(path)) observer.warning(`${link}: nothing is here where the link leads to`);
    if (patterns.length === 0 || this.hasMatch) return;
    const hint = noMatchHint(url, shownUrl);
    const error = new FtpullError("refused", "no file matches the pattern", { hint });
    void report(failed(shownUrl, error));
  }
}

/** A directory's place on the server and here. `parent` is the one above, which has `entry`: the tree's top has none. */
export class Directory {
  readonly tree: Tree;
  readonly document: Document;
  readonly parent: ListedDirectory | undefined;
  readonly entry: TreeEntry | undefined;
  /** The directory's URL, which ends in a slash. */
  readonly url: FtpUrl;
  /** Names from the tree's top, in octets. */
  readonly names: readonly string[];
  readonly path: string;

  constructor(tree: Tree, document: Document, parent?: ListedDirectory, entry?: TreeEntry) {
    const { path, cutDirs } = tree.options;
    this.tree = tree;
    this.document = document;
    this.parent = parent;
    this.entry = entry;
    this.url = asDirectory(document.url);
    this.names = parent && entry ? [...parent.directory.names, entry.name] : [];
    this.path = join(path, ...this.names.slice(cutDirs).map((name) => this.localNameOf(name)));
  }

  get options(): TreeOptions {
    return this.tree.options;
  }

  /** The directories above it, the nearest first. */
  get above(): readonly ListedDirectory[] {
    return this.parent === undefined ? [] : [this.parent, ...this.parent.directory.above];
  }

  /** Level from 1, the tree's top or the directories that the last pattern is for. */
  get level(): number {
    return this.names.length + 1 - Math.max(0, this.options.patterns.length - 1);
  }

  /** The pattern for names of entries; undefined if any is wanted. */
  get pattern(): NamePattern | undefined {
    return this.options.patterns[this.names.length];
  }

  /** True if only directories are wanted, since patterns for names inside of them follow. */
  get isOnTheWay(): boolean {
    return this.level < 1;
  }

  get wantsFiles(): boolean {
    return !this.isOnTheWay && this.pattern?.text.endsWith("/") !== true;
  }

  get isLink(): boolean {
    return this.entry?.type === "link";
  }

  /** Path from the tree's top, in octets. */
  pathOf(name: string): string {
    return [...this.names, name].join("/");
  }

  localNameOf(name: string): string {
    return localName(name, this.options.decode);
  }

  localPathOf(name: string): string {
    return join(this.path, this.localNameOf(name));
  }

  /** The URL of an entry; a directory's ends in a slash. */
  urlOf(name: string, isDirectory = false): FtpUrl {
    const end = isDirectory ? [encodeName(name), ""] : [encodeName(name)];
    return { ...this.url, segments: [...this.url.segments.slice(0, -1), ...end] };
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
  readonly sums: SumsDirectory | undefined;
  /** True where the local directory was made for it: it has no files yet. */
  readonly isNewHere: boolean;
}

/** A name with a leading blank becomes `./ name`: servers that strip blanks would take another entry. */
export function planOfEntry(listed: ListedDirectory, name: string, action: Action): DocumentPlan {
  const { url, options } = listed.directory;
  return planIn(listed.cwds, name.replace(/^ /, "./ "), action, url.typecode, options.rules);
}

/** The URL with a slash at its end. */
export function asDirectory(url: FtpUrl): FtpUrl {
  if (url.segments.at(-1) === "") return url;
  const typecode = url.typecode === "D" ? undefined : url.typecode;
  return { ...url, segments: [...url.segments, ""], typecode };
}

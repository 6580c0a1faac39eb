/** A directory of a tree as data: where it is on the server and here, and what its listing has shown. */
import { join } from "node:path";
import { localName } from "../../files/names.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Glob } from "../../text/glob.ts";
import { encodeName } from "../../text/percent.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import { type Action, planIn } from "../../url/plan.ts";
import type { Observer } from "../events.ts";
import type { FileRules } from "../file/download.ts";
import type { Report } from "../result.ts";
import type { Inventory } from "../spider/inventory.ts";
import type { ChecksumDirectory } from "../verify/checksum-directory.ts";
import type { Checksums } from "../verify/checksums.ts";
import type { Places } from "./places.ts";
import type { Selection } from "./selection.ts";
import type { TreeEntry, TreeListing } from "./tree-listing.ts";

/** Rules and services that the directories of a tree share. */
export interface TreeOptions {
  readonly selection: Selection;
  readonly rules: FileRules;
  readonly places: Places;
  readonly checksums: Checksums;
  readonly observer: Observer;
  readonly report: Report;
  /** Output of --spider, in place of fetching. */
  readonly inventory: Inventory | undefined;
  /** Octets of a name to text. */
  readonly decode: (octets: string) => string;
  /** Pathname of the tree's top on the server, as --exclude-directories names it. */
  readonly pathname: string;
}

/** Kinds of which an entry is wanted: a link may turn out to be either. */
export interface Wanted {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
}

/** The pattern for the names of a directory's entries. */
export type NamePattern = Glob & { readonly text: string };

/** Where a directory is, on the server and here. */
export interface Place {
  /** Ends in a slash. */
  readonly url: FtpUrl;
  /** Local path, where its files go. */
  readonly path: string;
  /** Number of levels below it whose files go to the same local path. */
  readonly cutDirs: number;
  readonly wanted: Wanted;
  /** Entry in the listing above; undefined for the tree's top. */
  readonly entry?: TreeEntry;
  /** For names of its entries, then for those of the directories that match; default: all are wanted. */
  readonly patterns?: readonly NamePattern[];
}

export class Directory {
  readonly place: Place;
  readonly options: TreeOptions;
  readonly parent: Directory | undefined;
  /** Level from 1, which is that of the tree's top, or of the directories for the last pattern. */
  readonly level: number;
  /** CWDs that reach it; known once it is listed. */
  cwds: readonly string[] = [];
  /** Pathname on the server from PWD, if that is known. */
  pathname: string | undefined;
  listing: TreeListing | undefined;
  /** Why entries of it are left out, or may be missing; undefined if the listing has them all. */
  cut: string | undefined;
  /** Digest of the listed entries, if there are links among them. */
  digest: string | undefined;
  /** Where the checksums of its files may be, if they are looked for. */
  checksums: ChecksumDirectory | undefined;
  /** Path from the tree's top on, in octets; "" is the top. */
  readonly #octets: string;
  /** Beginning of its entries' local paths. */
  readonly #inside: string;

  constructor(place: Place, options: TreeOptions, parent?: Directory) {
    this.place = place;
    this.options = options;
    this.parent = parent;
    this.level = this.isOnTheWay ? 0 : (parent?.level ?? 0) + 1;
    this.#octets = (place.entry && parent?.pathOf(place.entry.name)) ?? "";
    this.#inside = join(place.path, "x").slice(0, -1);
  }

  /** The directory that `entry` is, or may be. */
  below(entry: TreeEntry, wanted: Wanted): Directory {
    const { path, cutDirs } = this.place;
    const own = cutDirs > 0 ? path : this.localPathOf(entry.name);
    const url = this.urlOf(entry.name, false);
    const patterns = this.patterns.slice(1);
    const place = { url, path: own, cutDirs: Math.max(0, cutDirs - 1), wanted, entry, patterns };
    return new Directory(place, this.options, this);
  }

  get patterns(): readonly NamePattern[] {
    return this.place.patterns ?? [];
  }

  /** True where only directories are wanted, for the patterns behind the first one. */
  get isOnTheWay(): boolean {
    return this.patterns.length > 1;
  }

  /** False where the patterns are for directories alone. */
  get wantsFiles(): boolean {
    return !this.isOnTheWay && this.patterns[0]?.text.endsWith("/") !== true;
  }

  /** The directories that it is inside of, the nearest first. */
  get above(): readonly Directory[] {
    return this.parent === undefined ? [] : [this.parent, ...this.parent.above];
  }

  /** True for the tree's top and for links: PWD may show that they lead to a directory above. */
  get isAlias(): boolean {
    return this.place.entry?.type !== "directory";
  }

  /** True for a link, which may lead nowhere. If a bare name, as NLST's, is refused, something is missing. */
  get isLink(): boolean {
    const { type, size, seconds } = this.place.entry ?? {};
    return type === "link" || size !== undefined || seconds !== undefined;
  }

  /** Path from the tree's top on, as text; "" is the top. */
  get label(): string {
    return this.options.decode(this.#octets);
  }

  labelOf(name: string): string {
    return this.options.decode(this.pathOf(name));
  }

  /** The path of an entry from the tree's top on, in octets. */
  pathOf(name: string): string {
    return this.#octets === "" ? name : `${this.#octets}/${name}`;
  }

  localPathOf(name: string): string {
    return this.#inside + localName(name, this.options.decode);
  }

  /** Servers that strip leading blanks would take another entry for this one. */
  planOf(name: string, action: Action): DocumentPlan {
    const asked = name.replace(/^ /, "./ ");
    return planIn(this.cwds, asked, action, this.place.url.typecode, this.options.rules);
  }

  /** The URL of an entry; without a final slash for what may be a file. */
  urlOf(name: string, mayBeFile: boolean): FtpUrl {
    const { url } = this.place;
    const end = mayBeFile ? [] : [""];
    return { ...url, segments: [...url.segments.slice(0, -1), encodeName(name), ...end] };
  }
}

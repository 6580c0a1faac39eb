/** A directory of a tree as data: its places on the server and on the disk, and its listing. */
import { join } from "node:path";
import { localName } from "../../files/names.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Glob } from "../../text/glob.ts";
import { encodeName } from "../../text/percent.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import { type Action, planIn } from "../../url/plan.ts";
import type { ChecksumDirectory } from "../verify/checksum-directory.ts";
import type { Task } from "../task.ts";
import type { TreeEntry, TreeListing } from "./tree-listing.ts";
import type { Tree, TreeOptions } from "./tree.ts";

/** A link may turn out to be a file or a directory: each may be wanted without the other. */
export interface Wanted {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
}

export type NamePattern = Glob & { readonly text: string };

/**
 * Where a directory is on the server and here. `url` ends in a slash; files of `cutDirs` levels below go to the
 * same local path; `patterns` are for names of entries, then for names inside of matching directories. The
 * tree's top has no `entry`.
 */
export interface Place {
  readonly url: FtpUrl;
  readonly path: string;
  readonly cutDirs: number;
  readonly wanted: Wanted;
  readonly entry?: TreeEntry;
  readonly patterns: readonly NamePattern[];
}

export class Directory {
  readonly place: Place;
  readonly tree: Tree;
  readonly parent: Directory | undefined;
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
    this.level = this.isOnTheWay ? 0 : (parent?.level ?? 0) + 1;
    this.above = parent === undefined ? [] : [parent, ...parent.above];
    this.names = place.entry === undefined ? [] : [...(parent?.names ?? []), place.entry.name];
  }

  below(entry: TreeEntry, wanted: Wanted): Directory {
    const { path, cutDirs } = this.place;
    const place = {
      url: this.urlOf(entry.name, { mayBeFile: false }),
      path: cutDirs > 0 ? path : this.localPathOf(entry.name),
      cutDirs: Math.max(0, cutDirs - 1),
      wanted,
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
    return this.listing?.unique ?? (this.isLink ? undefined : this.place.entry?.unique);
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
    return planIn(this.cwds, asked, action, this.place.url.typecode, this.options.rules);
  }

  urlOf(name: string, { mayBeFile }: { readonly mayBeFile: boolean }): FtpUrl {
    const { url } = this.place;
    const end = mayBeFile ? [] : [""];
    return { ...url, segments: [...url.segments.slice(0, -1), encodeName(name), ...end] };
  }
}

/** A directory for which a name may stand that may also be a file's; `list` makes the task that lists it. */
export interface Below {
  readonly directory: Directory;
  readonly list: () => Task | undefined;
}

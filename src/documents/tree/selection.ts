/** Selection of the files and directories of trees, by names as text: -A, -R, -X, times and levels. */
import { posix } from "node:path";
import { namesIn } from "../../ftp/path-steps.ts";
import { type Glob, hasWildcard, parseGlob } from "../../text/glob.ts";

/** Options that select. In `reject`, an element that ends in "/" is for directories; a `level` of 0 is no limit. */
interface SelectionRules {
  readonly accept: readonly string[];
  readonly reject: readonly string[];
  readonly excludeDirectories: readonly string[];
  readonly newerThan: Date | undefined;
  readonly olderThan: Date | undefined;
  readonly recursive: boolean;
  readonly level: number | undefined;
}

export class Selection {
  /** Levels of directories that are listed, from 1; Infinity is no limit. */
  readonly levels: number;
  readonly hasTimes: boolean;
  readonly choosesFiles: boolean;
  readonly fetchesDirectories: boolean;
  readonly #rules: SelectionRules;
  readonly #accepted: readonly Glob[];
  readonly #rejected: readonly Glob[];
  readonly #rejectedDirectories: readonly Glob[];
  /** Elements of -X: paths from the server's root, with a leading slash, or from the tree's top. */
  readonly #excluded: ReadonlyMap<string, Glob>;
  /** Elements of -X that have left nothing out so far. */
  readonly idleExclusions: Set<string>;

  constructor(rules: SelectionRules) {
    const { accept, reject, excludeDirectories, recursive, level } = rules;
    const files = reject.filter((element) => !element.endsWith("/"));
    const directories = reject.filter((element) => element.endsWith("/"));
    this.levels = recursive ? level || Infinity : 1;
    this.hasTimes = rules.newerThan !== undefined || rules.olderThan !== undefined;
    this.choosesFiles = this.hasTimes || accept.length > 0 || reject.length > 0;
    this.fetchesDirectories = recursive;
    this.#rules = rules;
    this.#accepted = accept.map(fileGlob);
    this.#rejected = files.map(fileGlob);
    this.#rejectedDirectories = directories.map((element) => parseGlob(element.slice(0, -1)));
    this.#excluded = new Map(excludeDirectories.map((element) => [element, pathGlob(element)]));
    this.idleExclusions = new Set(excludeDirectories);
  }

  hasFile(name: string): boolean {
    const isAccepted = this.#accepted.length === 0 || matchesAny(this.#accepted, name);
    return isAccepted && !matchesAny(this.#rejected, name);
  }

  /** `path` is from the tree's top; `top` is the top's pathname on the server. */
  hasDirectory(path: string, top: string): boolean {
    if (matchesAny(this.#rejectedDirectories, posix.basename(path))) return false;
    let isExcluded = false;
    for (const [element, glob] of this.#excluded) {
      if (!glob.matches(element.startsWith("/") ? `${top}/${path}` : path)) continue;
      this.idleExclusions.delete(element);
      isExcluded = true;
    }
    return !isExcluded;
  }

  hasPath(path: string, top: string): boolean {
    return this.reaches(path, top) && this.hasFile(posix.basename(path));
  }

  /** True if the directories above a file are wanted: for "a/b/c", "a" and "a/b". */
  reaches(path: string, top: string): boolean {
    const slashes = [...path.matchAll(/\//g)];
    return slashes.every(({ index }) => this.hasDirectory(path.slice(0, index), top));
  }

  /** A file without a time is fetched: nothing says that it is too old or too new. */
  hasTime(modified: Date | undefined): boolean {
    if (modified === undefined) return true;
    const { newerThan, olderThan } = this.#rules;
    const isNewer = newerThan === undefined || modified > newerThan;
    return isNewer && (olderThan === undefined || modified < olderThan);
  }
}

function matchesAny(globs: readonly Glob[], text: string): boolean {
  return globs.some((glob) => glob.matches(text));
}

/** An element without a wildcard is a suffix, as in wget. */
function fileGlob(element: string): Glob {
  if (hasWildcard(element)) return parseGlob(element);
  return { matches: (name) => name.endsWith(element) };
}

/** Matches a directory's path or the beginning of a path; no wildcard stands for "/". */
function pathGlob(element: string): Glob {
  const globs = namesIn(element).map(parseGlob);
  return {
    matches: (path) => {
      const names = namesIn(path);
      return globs.length <= names.length && globs.every((glob, at) => glob.matches(names[at]!));
    },
  };
}

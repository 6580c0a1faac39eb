/** What of trees is fetched: -A, -R, the times and the levels. Pure. */
import { type Glob, hasWildcard, parseGlob } from "../../text/glob.ts";

export interface Rules {
  /** Elements of -A and -R; one that ends in "/" is for directories. */
  readonly accept: readonly string[];
  readonly reject: readonly string[];
  readonly newerThan: Date | undefined;
  readonly olderThan: Date | undefined;
  readonly recursive: boolean;
  /** The directories inside each other that are listed; 0 is no limit. */
  readonly level: number;
}

/** Decides by decoded names. */
export class Selection {
  /** How many levels of directories are listed, from 1; Infinity is no limit. */
  readonly levels: number;
  readonly #rules: Rules;
  readonly #accepted: readonly Glob[];
  readonly #rejected: readonly Glob[];
  readonly #rejectedDirectories: readonly Glob[];

  constructor(rules: Rules) {
    const { accept, reject, recursive, level } = rules;
    const [directories, files] = [true, false].map((isDirectory) =>
      reject.filter((element) => element.endsWith("/") === isDirectory),
    ) as [string[], string[]];
    this.levels = recursive ? level || Infinity : 1;
    this.#rules = rules;
    this.#accepted = accept.map(fileGlob);
    this.#rejected = files.map(fileGlob);
    this.#rejectedDirectories = directories.map((element) => parseGlob(element.slice(0, -1)));
  }

  hasFile(name: string): boolean {
    const isAccepted =
      this.#accepted.length === 0 || this.#accepted.some((glob) => glob.matches(name));
    return isAccepted && !this.#rejected.some((glob) => glob.matches(name));
  }

  hasDirectory(name: string): boolean {
    return !this.#rejectedDirectories.some((glob) => glob.matches(name));
  }

  /** Whether --newer-than or --older-than is given. */
  get hasTimes(): boolean {
    return (this.#rules.newerThan ?? this.#rules.olderThan) !== undefined;
  }

  /** A file without a time is fetched: nothing says that it is too old or too new. */
  hasTime(modified: Date | undefined): boolean {
    if (modified === undefined) return true;
    const { newerThan, olderThan } = this.#rules;
    const isNewer = newerThan === undefined || modified > newerThan;
    return isNewer && (olderThan === undefined || modified < olderThan);
  }

  /** Why directories below the last level are left out, and what brings them. */
  get cutOffBy(): string {
    return this.#rules.recursive
      ? `-l ${this.levels} lists no deeper (-l 0 sets no limit)`
      : "only -r fetches directories";
  }
}

/** As in wget, an element without a wildcard is a suffix. */
function fileGlob(element: string): Glob {
  if (hasWildcard(element)) return parseGlob(element);
  return { matches: (name) => name.endsWith(element) };
}

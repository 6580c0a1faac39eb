/** Which names of a tree are fetched: -A, -R and the times. Pure. */
import { type Glob, hasWildcard, parseGlob } from "../../text/glob.ts";

export interface Rules {
  /** Elements of -A and -R; one that ends in "/" is for directories. */
  readonly accept: readonly string[];
  readonly reject: readonly string[];
  readonly newerThan: Date | undefined;
  readonly olderThan: Date | undefined;
}

/** Decides by decoded names. */
export class Selection {
  readonly #accepted: readonly Glob[];
  readonly #rejected: readonly Glob[];
  readonly #rejectedDirectories: readonly Glob[];
  constructor({ accept, reject }: Pick<Rules, "accept" | "reject">) {
    const [directories, files] = [true, false].map((isDirectory) =>
      reject.filter((element) => element.endsWith("/") === isDirectory),
    ) as [string[], string[]];
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
}

/** A file without a time is fetched: nothing says that it is too old or too new. */
export function hasTime({ newerThan, olderThan }: Rules, modified: Date | undefined): boolean {
  if (modified === undefined) return true;
  const isNewer = newerThan === undefined || modified > newerThan;
  return isNewer && (olderThan === undefined || modified < olderThan);
}

/** As in wget, an element without a wildcard is a suffix. */
function fileGlob(element: string): Glob {
  if (hasWildcard(element)) return parseGlob(element);
  return { matches: (name) => name.endsWith(element) };
}

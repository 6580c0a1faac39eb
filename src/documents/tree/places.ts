/** What the trees of a run have in common on this machine: no file and no directory gets two sources. */
import { dirname } from "node:path";
import type { FtpullError } from "../../errors.ts";
import { cannotWrite } from "../../files/file-error.ts";
import { ignoresCase, realPath } from "../../files/folder.ts";
import { withoutCase } from "./local-names.ts";

export class Places {
  /** The URL of each file, where trees could meet in one directory. */
  #sources: Map<string, string> | undefined;
  /** The first path of those that differ by case alone, unless it is their form without case. */
  readonly #twins = new Map<string, string>();
  /** Keyed by real path, since links can merge directories. */
  readonly #folders = new Map<string, string>();

  /** Called before two files could have one name: from then on, sources are noted. */
  canMeet(): void {
    this.#sources ??= new Map();
  }

  /** Notes the URL that a file comes from. @throws FtpullError "file" for a second one */
  claim(path: string, source: string): void {
    if (this.#sources === undefined) return;
    const first = this.#sources.get(path) ?? this.#sourceOfTwin(path, this.#sources) ?? source;
    if (first !== source) throw sameName(path, first);
    this.#sources.set(path, source);
  }

  #sourceOfTwin(path: string, sources: ReadonlyMap<string, string>): string | undefined {
    const key = withoutCase(path);
    const twin = this.#twins.get(key) ?? key;
    if (twin === key && path !== key) this.#twins.set(key, path);
    const source = twin === path ? undefined : sources.get(twin);
    return source !== undefined && ignoresCase(dirname(path)) ? source : undefined;
  }

  /** Notes a directory that was made. @throws FtpullError "file" if another one is the same */
  claimFolder(path: string): void {
    const target = realPath(path);
    const first = this.#folders.get(target) ?? path;
    if (first !== path)
      throw cannotWrite(path, `a symbolic link leads to "${first}", where another directory goes`);
    this.#folders.set(target, path);
  }
}

export function sameName(path: string, other: string): FtpullError {
  return cannotWrite(path, `${other} has the same local name`);
}

/**
 * Files and directories that this run has made or kept, by device and inode: where case or composed letters make no
 * difference, a file of another URL would replace one of them. Names are claimed before there is a file.
 */
import { lstatSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import type { FtpullError } from "../errors.ts";
import { hints } from "../hints.ts";
import { cannotWrite, withWriteErrors } from "./file-error.ts";

interface Own {
  readonly path: string;
  readonly url: string;
}

export class OwnFiles {
  readonly #byInode = new Map<string, Own>();
  readonly #inDirectory = new Map<string, string[]>();
  #urlByPath: Map<string, string> | undefined;

  /** Called before directories of the server that can meet in one: from then on, all names are noted. */
  canMeet(): void {
    this.#urlByPath ??= new Map();
  }

  /** Claims a name for which there may be no file yet. @throws FtpullError "file" for a second URL */
  claimName(path: string, url: string): void {
    const first = this.#urlByPath?.get(path) ?? url;
    if (first !== url) throw sameName(path, first).with({ hint: hints.byPath });
    this.#urlByPath?.set(path, url);
  }

  /**
   * Notes what is at the path. A directory's own path stands in place of a URL: several of the server may share it.
   * @throws FtpullError "file" if this run has it for another URL
   */
  claim(path: string, url: string, stats: Stats): void {
    this.check(path, url, stats);
    this.note(path, url, stats);
  }

  note(path: string, url: string, stats: Stats): void {
    const key = keyOf(stats);
    this.#byInode.set(key, { path, url });
    if (this.#urlByPath !== undefined) return;
    const directory = dirname(path);
    const keys = this.#inDirectory.get(directory);
    if (keys === undefined) this.#inDirectory.set(directory, [key]);
    else keys.push(key);
  }

  check(path: string, url: string, stats: Stats): void {
    const first = this.#byInode.get(keyOf(stats));
    if (first === undefined || first.url === url || !areOne(first.path, path)) return;
    const source = `this run has it for ${first.url}`;
    if (first.path === path) throw cannotWrite(path, source);
    const words = `here it is the same as "${first.path}"`;
    throw cannotWrite(path, first.url === first.path ? words : `${words}, and ${source}`);
  }

  /** Frees memory, when no other files come to the directory. */
  forget(directory: string): void {
    if (this.#urlByPath !== undefined) return;
    for (const key of this.#inDirectory.get(directory) ?? []) this.#byInode.delete(key);
    this.#inDirectory.delete(directory);
  }
}

export function sameName(path: string, otherUrl: string): FtpullError {
  return cannotWrite(path, `${otherUrl} has the same local name`);
}

/** Inodes can exceed 2^53, and are used again: equal keys are looked at more closely. Joined as in `formatFtpUrl`. */
function keyOf({ dev, ino }: Stats): string {
  return [dev, ino].join(":");
}

/** True for one file; two hard links of it are two. */
function areOne(one: string, other: string): boolean {
  const options = { throwIfNoEntry: false, bigint: true } as const;
  const look = (path: string) => withWriteErrors(path, () => lstatSync(path, options));
  const [first, second] = [look(one), look(other)];
  if (first === undefined || first.ino !== second?.ino || first.dev !== second.dev) return false;
  return !first.isFile() || first.nlink === 1n;
}

/** A small document, in memory until it is whole: for a thousand small files, folders would be most of the work. */
import { closeSync, fchmodSync, futimesSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { checkFolder } from "../claims.ts";
import { ifPossible } from "../file-error.ts";
import { isTaken } from "../regular-file.ts";
import { hasPartFolder } from "./part-folder.ts";
import { claimReplaced, firstNumbered, giveName, type IfTaken } from "./publish.ts";
import { alreadyThere, targetOf } from "./reserve-name.ts";
import { temporaryPath } from "./temporary.ts";

/** Larger documents aren't kept in memory, since a kill would lose them. */
const mostOctets = 64 * 1024;

const namesInUse = new Set<string>();

/**
 * Undefined if the document is too large, or has octets of an earlier run in its folder. `isFree` tells that nothing
 * had the path just now: it isn't looked up again.
 */
export function inMemory(
  path: string,
  ifTaken: IfTaken,
  size: number | undefined,
  isFree: boolean,
): SmallDocument | undefined {
  if (size === undefined || size > mostOctets) return undefined;
  const name = nameFor(path, ifTaken, isFree);
  return hasPartFolder(name) ? undefined : new SmallDocument(name, ifTaken, size);
}

function nameFor(path: string, ifTaken: IfTaken, isFree: boolean): string {
  if (ifTaken !== "number") return isFree ? path : targetOf(path, ifTaken);
  return firstNumbered(path, (name) => (namesInUse.has(name) || isTaken(name) ? undefined : name));
}

export class SmallDocument {
  readonly path: string;
  readonly #ifTaken: IfTaken;
  readonly #room: Buffer;
  #written = 0;

  constructor(path: string, ifTaken: IfTaken, size: number) {
    this.path = path;
    this.#ifTaken = ifTaken;
    this.#room = Buffer.alloc(size);
    namesInUse.add(path);
  }

  /** Keeps a chunk, without what is behind the document's size: the caller counts that. */
  write(chunk: Buffer): void {
    this.#written += chunk.copy(this.#room, this.#written);
  }

  get octets(): Buffer {
    return this.#room.subarray(0, this.#written);
  }

  /** False after any failure: the caller then publishes by a folder, whose failure has words. */
  tryToPublish(modified: Date | undefined): boolean {
    try {
      this.#publish(modified);
      return true;
    } catch {
      return false;
    }
  }

  #publish(modified: Date | undefined): void {
    const mode = claimReplaced(this.path, this.#ifTaken);
    const temporary = temporaryPath(this.path);
    try {
      // Some file systems report a full disk when the file is closed: it gets its name behind that.
      this.#write(temporary, mode, modified);
      // If a link has taken the directory's place since the first check, the temporary file may be behind the link.
      checkFolder(dirname(this.path));
      if (!giveName(temporary, this.path, this.#ifTaken)) throw alreadyThere(this.path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  #write(temporary: string, mode: number | undefined, modified: Date | undefined): void {
    const fd = openSync(temporary, "wx", mode);
    try {
      if (mode !== undefined) fchmodSync(fd, mode);
      writeFileSync(fd, this.octets);
      if (modified !== undefined) ifPossible(() => futimesSync(fd, modified, modified));
    } finally {
      closeSync(fd);
    }
  }

  releaseName(): void {
    namesInUse.delete(this.path);
  }
}

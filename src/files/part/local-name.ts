/** The name of a file here: how it is chosen, whether the file that has it may be replaced, and how it is given. */
import { renameSync, type Stats } from "node:fs";
import { isSameUrl } from "../../url/format.ts";
import { type Existing, numbersAll } from "../existing.ts";
import { cannotWrite } from "../file-error.ts";
import { followLinks } from "../links.ts";
import type { OwnFiles } from "../own-files.ts";
import { moveIfFree } from "../private-file.ts";
import { found, foundItself, hasBytes, isTaken } from "../regular-file.ts";
import { readState, writerOf } from "./part-state.ts";

/** A path, and what is there. */
interface Target {
  readonly path: string;
  readonly present: Stats | undefined;
}

export class LocalName {
  readonly existing: Existing;
  /** The path, and what was there when it was chosen. */
  target: Target;
  readonly #given: string;
  readonly #own: OwnFiles;

  constructor(path: string, existing: Existing, own: OwnFiles) {
    this.existing = existing;
    this.target = { path, present: undefined };
    this.#given = path;
    this.#own = own;
  }

  get isNumbered(): boolean {
    return this.existing.otherwise === "number";
  }

  /** With -c alone; an empty file is replaced all the same. */
  get mustStay(): boolean {
    return this.existing.otherwise === "continue" && hasBytes(found(this.target.path));
  }

  /** What has the name, and may stay. @throws FtpullError "file" if this run has it for another URL */
  presentFor(url: string): Stats | undefined {
    if (numbersAll(this.existing)) return undefined;
    const { path, present } = this.#look();
    if (present !== undefined) this.#own.check(path, url, present);
    return present;
  }

  /** Where names are numbered, the first one that is free, and has no partial file but an ended run's of this URL. */
  choose(url: string): void {
    this.target = this.isNumbered
      ? { path: freeName(this.#given, url), present: undefined }
      : this.#look();
  }

  /** The file that is made or replaced for the path: the end of a symbolic link, as with wget and curl. */
  #look(): Target {
    const path = this.#given;
    const itself = foundItself(path);
    if (!itself?.isSymbolicLink() || this.existing.replacesLinks) return { path, present: itself };
    const target = followLinks(path);
    return { path: target, present: found(target) };
  }

  /** @throws FtpullError "file" if the file that has the name may not be replaced by that of the URL */
  checkMayReplace(url: string): void {
    const { path, present } = this.target;
    const { stays, replacesLinks } = this.existing;
    if (present === undefined) return;
    if (present.isDirectory()) throw cannotWrite(path, "it is a directory");
    const isReplaceable = present.isFile() || (replacesLinks && present.isSymbolicLink());
    if (!isReplaceable) throw cannotWrite(path, "it is not a regular file");
    if (stays === "always") throw cannotWrite(path, "it is there already");
    this.#own.check(path, url, present);
  }

  /**
   * Gives a whole file the name. What has appeared there since the transfer began is replaced with -f only; a file that
   * isn't `isFixed` gets the next number instead. @throws FtpullError "file"
   */
  give(from: string, file: Stats, url: string, isFixed: boolean): void {
    const { path, present } = this.target;
    if (present !== undefined || this.existing.otherwise === "force") {
      this.target = { path, present: foundItself(path) };
      this.checkMayReplace(url);
      renameSync(from, path);
    } else if (!moveIfFree(from, path)) {
      if (isFixed || !this.isNumbered) throw this.#madeMeanwhile(path, url);
      this.choose(url);
      return this.give(from, file, url, isFixed);
    }
    this.#own.note(path, url, file);
  }

  #madeMeanwhile(path: string, url: string) {
    const present = foundItself(path);
    if (present !== undefined) this.#own.check(path, url, present);
    return cannotWrite(path, "another program has made it meanwhile");
  }
}

function freeName(path: string, url: string): string {
  let name = path;
  for (let number = 1; !isFree(name, url); number++) name = `${path}.${number}`;
  return name;
}

function isFree(name: string, url: string): boolean {
  if (isTaken(name)) return false;
  const state = readState(name);
  if (state === undefined) return true;
  return writerOf(name, state) === undefined && isSameUrl(state.url, url);
}

/** Local files of all trees of a run: no file gets two sources. */
import type { FtpullError } from "../../errors.ts";
import { forgetFolder } from "../../files/claims.ts";
import { cannotWrite } from "../../files/file-error.ts";

export class Places {
  /** The URL of each file, where trees could meet in one directory. */
  #sources: Map<string, string> | undefined;

  /** Called before two files could have one name: from then on, sources are noted. */
  canMeet(): void {
    this.#sources ??= new Map();
  }

  /** Notes the URL that a file comes from. @throws FtpullError "file" for a second one */
  claim(path: string, source: string): void {
    const first = this.#sources?.get(path) ?? source;
    if (first !== source) throw sameName(path, first);
    this.#sources?.set(path, source);
  }

  /** Called when all files of a directory are made. */
  ended(path: string): void {
    if (this.#sources === undefined) forgetFolder(path);
  }
}

export function sameName(path: string, other: string): FtpullError {
  return cannotWrite(path, `${other} has the same local name`);
}

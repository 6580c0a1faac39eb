/** The URLs from which local files come, in trees and with -c, -N or -nc: no file gets two. */
import type { FtpullError } from "../../errors.ts";
import { cannotWrite } from "../../files/file-error.ts";
import type { OwnFiles } from "../../files/own-files.ts";

const byPath = "to keep both, save them by their paths, with -x (without -nH, -nd and --cut-dirs)";

export class FileSources {
  readonly #own: OwnFiles;
  #urls: Map<string, string> | undefined;

  constructor(own: OwnFiles) {
    this.#own = own;
  }

  /** Called before trees that could meet: from then on, sources are noted. */
  canMeet(): void {
    this.#urls ??= new Map();
  }

  /** Notes where a file comes from. @throws FtpullError "file" for a second source */
  claim(path: string, source: string): void {
    const first = this.#urls?.get(path) ?? source;
    if (first !== source) throw sameName(path, first).with({ hint: byPath });
    this.#urls?.set(path, source);
  }

  ended(path: string): void {
    if (this.#urls === undefined) this.#own.forget(path);
  }
}

export function sameName(path: string, other: string): FtpullError {
  return cannotWrite(path, `${other} has the same local name`);
}

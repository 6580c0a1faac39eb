/** Files of the list of --checksums that the trees of a run have to have; a file that none has is a failure at the end. */
import { join } from "node:path";
import type { ChecksumList } from "../../checksums/checksum-list.ts";
import { differenceHere } from "../../checksums/document-hash.ts";
import { FtpullError } from "../../errors.ts";
import { localName } from "../../files/names.ts";
import { existingFile } from "../../files/regular-file.ts";
import { namesIn } from "../../ftp/path-steps.ts";
import { decoderFor } from "../../text/encoding.ts";
import { failed, type Result } from "../result.ts";
import type { Selection } from "../tree/selection.ts";

const decode = decoderFor();

export class ExpectedFiles {
  readonly #list: ChecksumList;
  readonly #selection: Selection;
  /** The local folders of the trees, by their tops' pathnames. */
  readonly #folders = new Map<string, string>();
  readonly #foundPaths = new Set<string>();

  constructor(list: ChecksumList, selection: Selection) {
    this.#list = list;
    this.#selection = selection;
  }

  /** Called when the top of a whole tree was listed; a pattern's files needn't be all. */
  hasTree(pathname: string, folder: string): void {
    this.#folders.set(pathname, folder);
  }

  /** Notes a file below `top`. A tree may have a million files that the list lacks: none of these is kept. */
  hasFile(path: string, top: string): void {
    if (this.#folders.has(top) && this.#list.at(path).length > 0) this.#foundPaths.add(path);
  }

  /** A listed file that no listing had may be here by way of a local link: it is read, as `sha256sum -c` would. */
  async *failures(): AsyncGenerator<Result> {
    for (const path of this.#list.paths()) {
      if (this.#foundPaths.has(path)) continue;
      const name = decode(path);
      const tops = [...this.#folders].filter(([top]) => this.#selection.hasPath(name, top));
      if (tops.length === 0) continue;
      const names = namesIn(path).map((each) => localName(each, decode));
      const file = tops.map(([, top]) => join(top, ...names)).find((each) => existingFile(each));
      const checksums = this.#list.at(path);
      const difference =
        file === undefined
          ? `the list of checksums has "${name}", which was not found`
          : await differenceHere(file, checksums);
      if (difference === undefined) continue;
      const words = file === undefined ? difference : `"${file}": ${difference}`;
      yield failed(undefined, new FtpullError("integrity", words));
    }
  }
}

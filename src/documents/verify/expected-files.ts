/** Files of the list of --checksums that the trees of a run have to have; a file that none has is a failure at the end. */
import { join } from "node:path";
import type { ChecksumList } from "../../checksums/checksum-list.ts";
import { FtpullError } from "../../errors.ts";
import { localName } from "../../files/names.ts";
import { existingFile } from "../../files/regular-file.ts";
import { namesIn } from "../../ftp/path-steps.ts";
import { decoderFor } from "../../text/encoding.ts";
import { utf8Octets } from "../../text/percent.ts";
import type { Observer } from "../events.ts";
import { differenceHere } from "../file/timestamping.ts";
import { failed, type Result } from "../result.ts";
import { directoriesOf, type Selection } from "../tree/selection.ts";

/**
 * A document, or a name that may be one. `name` and `path` are octets; `label`, the path, and `savedAs`, the
 * name of -O, are text.
 */
export interface Verifiable {
  readonly name: string;
  readonly path: string;
  readonly label: string;
  readonly savedAs?: string | undefined;
}

/** Paths that a list may have for a document, the best first: its octets, its local name in UTF-8, the name of -O. */
export function listedPathsOf({ path, label, savedAs }: Verifiable): readonly string[] {
  const own = [path, utf8Octets(label)];
  return savedAs === undefined ? own : [...own, utf8Octets(savedAs)];
}

const decode = decoderFor();

export class ExpectedFiles {
  readonly #list: ChecksumList;
  readonly #selection: Selection;
  readonly #observer: Observer;
  readonly #topPathnames = new Set<string>();
  readonly #foundPaths = new Set<string>();
  readonly #linksByPath = new Map<string, string>();

  constructor(list: ChecksumList, selection: Selection, observer: Observer) {
    this.#list = list;
    this.#selection = selection;
    this.#observer = observer;
  }

  /** Called when the top of a whole tree was listed; a pattern's files needn't be all. */
  hasTree(pathname: string): void {
    this.#topPathnames.add(pathname);
  }

  hasLink(label: string, link: string): void {
    this.#linksByPath.set(utf8Octets(label), link);
  }

  /** Notes a file below `top`. A tree may have a million files that the list lacks: none of these is kept. */
  hasFile(file: Verifiable, top: string): void {
    if (!this.#topPathnames.has(top)) return;
    const path = listedPathsOf(file).find((each) => this.#list.at(each).length > 0);
    if (path !== undefined) this.#foundPaths.add(path);
  }

  async *failures(): AsyncGenerator<Result> {
    const missing: string[] = [];
    for (const path of this.#list.paths()) {
      if (this.#foundPaths.has(path) || !this.#isSelected(path)) continue;
      const file = this.#fileBehindLink(path);
      if (file === undefined) {
        missing.push(path);
        continue;
      }
      const kept = { path: file, checksums: this.#list.at(path), observer: this.#observer };
      const difference = await differenceHere(kept);
      if (difference !== undefined) yield mismatch(`"${file}": ${difference}`);
    }
    for (const text of missingTexts(missing, this.#foundPaths)) yield mismatch(text);
  }

  #isSelected(path: string): boolean {
    return [...this.#topPathnames].some((top) => this.#selection.hasPath(decode(path), top));
  }

  #fileBehindLink(path: string): string | undefined {
    const link = [...directoriesOf(path), path].find((each) => this.#linksByPath.has(each));
    if (link === undefined) return undefined;
    const names = namesIn(path.slice(link.length)).map((name) => localName(name, decode));
    const file = join(this.#linksByPath.get(link)!, ...names);
    return existingFile(file) && file;
  }
}

function mismatch(text: string): Result {
  return failed(undefined, new FtpullError("integrity", text));
}

/** Messages about missing files; a directory of which no file was found is named once. */
function missingTexts(missing: readonly string[], found: Iterable<string>): string[] {
  const foundDirectories = new Set([...found].flatMap(directoriesOf));
  const groups = new Map<string, string[]>();
  for (const path of missing) {
    const directory = directoriesOf(path).find((above) => !foundDirectories.has(above));
    const named = directory === undefined ? path : `${directory}/`;
    const group = groups.get(named);
    if (group === undefined) groups.set(named, [path]);
    else group.push(path);
  }
  return [...groups].map(([named, [path = "", ...others]]) =>
    others.length === 0
      ? `the list of checksums has "${decode(path)}", which was not found`
      : `the list of checksums has ${others.length + 1} files below "${decode(named)}": none was found`,
  );
}

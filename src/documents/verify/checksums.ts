/** Verification of each document of a run: --checksum, --checksums and --verify. */
import { basename, join } from "node:path";
import { checksumFile } from "../../checksums/candidates.ts";
import type { ChecksumList } from "../../checksums/checksum-list.ts";
import type { Checksum } from "../../checksums/checksum.ts";
import { FtpullError } from "../../errors.ts";
import { localName } from "../../files/names.ts";
import { existingFile } from "../../files/regular-file.ts";
import { namesIn } from "../../ftp/path-steps.ts";
import { decoderFor } from "../../text/encoding.ts";
import { utf8Octets } from "../../text/percent.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Observer } from "../events.ts";
import { differenceHere } from "../file/timestamping.ts";
import { failed, type Result } from "../result.ts";
import { directoriesOf, type Selection } from "../tree/selection.ts";
import { AskedDirectory } from "./asked-directory.ts";
import { ChecksumDirectory } from "./checksum-directory.ts";
import { Verification } from "./verification.ts";

export interface ChecksumRules {
  readonly checksum: Checksum | undefined;
  readonly verify: boolean;
  readonly verifyAll: boolean;
  readonly recursive: boolean;
}

/** The list of --checksums, with the words that messages use for it. */
export interface GivenList {
  readonly content: ChecksumList;
  readonly source: string;
  readonly label: string;
}

/** A document, or a name that may be one. `name` and `path` are octets; `label` is the path as text. */
export interface Verifiable {
  readonly name: string;
  readonly path: string;
  readonly label: string;
}

const decode = decoderFor();

const mostKeptDirectories = 8;

export class Checksums {
  readonly #rules: ChecksumRules;
  readonly #selection: Selection;
  readonly #observer: Observer;
  readonly #list: GivenList | undefined;
  readonly #pathsInTrees = new Set<string>();
  readonly #links = new Map<string, string>();
  readonly #tops = new Set<string>();
  readonly #directories = new Map<string, ChecksumDirectory>();

  constructor(rules: ChecksumRules, selection: Selection, observer: Observer, list?: GivenList) {
    this.#rules = rules;
    this.#selection = selection;
    this.#observer = observer;
    this.#list = list;
  }

  get areListed(): boolean {
    return this.#list !== undefined;
  }

  atUrl(url: FtpUrl, document: Verifiable): Verification {
    return this.#verification(document, false, this.#askedDirectory(url));
  }

  inTree(entry: Verifiable, directory?: ChecksumDirectory): Verification {
    return this.#verification(entry, this.#rules.recursive, directory);
  }

  directory(url: FtpUrl, cwds: readonly string[], above?: ChecksumDirectory) {
    return this.#rules.verify ? new ChecksumDirectory(url, cwds, this.#observer, above) : undefined;
  }

  /** Called when the top of a whole tree was listed: the trees should have all files of the list. */
  hasTree(pathname: string): void {
    this.#tops.add(pathname);
  }

  /** Notes a local link of a tree, which leads to files of the list; `label` is its path from the top. */
  hasLink(label: string, link: string): void {
    if (this.#list !== undefined) this.#links.set(utf8Octets(label), link);
  }

  /** The failures of files that the list has and the trees lack, or have by way of links with other octets. */
  async *absent(): AsyncGenerator<Result> {
    const isWanted = (path: string): boolean =>
      [...this.#tops].some((top) => this.#selection.hasPath(decode(path), top));
    const paths = [...(this.#list?.content.paths() ?? [])];
    const missing: string[] = [];
    for (const path of paths.filter((each) => isWanted(each) && !this.#pathsInTrees.has(each))) {
      const here = this.#behindLink(path);
      if (here === undefined) missing.push(path);
      const checksums = this.#list?.content.at(path) ?? [];
      const kept = here && { path: here, checksums, observer: this.#observer };
      const difference = kept && (await differenceHere(kept));
      if (difference) yield mismatch(`"${here}": ${difference}`);
    }
    for (const text of missingTexts(missing, this.#pathsInTrees)) yield mismatch(text);
  }

  #behindLink(path: string): string | undefined {
    const link = [...directoriesOf(path), path].find((each) => this.#links.has(each));
    if (link === undefined) return undefined;
    const names = namesIn(path.slice(link.length)).map((name) => localName(name, decode));
    const here = join(this.#links.get(link)!, ...names);
    return existingFile(here) && here;
  }

  /** Notes a file of a tree, which may have a million files that no list names: only listed ones are kept. */
  found(document: Verifiable): void {
    const path = pathsOf(document).find((each) => this.#list?.content.at(each).length);
    if (path !== undefined) this.#pathsInTrees.add(path);
  }

  #verification(document: Verifiable, isPath: boolean, directory?: ChecksumDirectory) {
    const { checksum, verify, verifyAll } = this.#rules;
    const isList = checksumFile(document.name) !== undefined; // which needs no checksum itself
    const sought = isList ? undefined : directory;
    if (this.#list === undefined) {
      const words = "--checksum";
      const given = checksum && { checksums: [checksum], source: words, label: words };
      return new Verification(given, sought, verifyAll);
    }
    const { source, label } = this.#list;
    const checksums = this.#listed(document, isPath);
    const isListed = checksums.length > 0;
    const given = isListed ? { checksums, source, label: basename(source) } : undefined;
    const text = `${label} has no checksum of "${document.label}": it is not verified`;
    return new Verification(given, sought, verifyAll, () => {
      this.found(document);
      if (!isListed && !verify) this.#observer.warning(text);
    });
  }

  #listed(document: Verifiable, isPath: boolean): readonly Checksum[] {
    const content = this.#list?.content;
    const all = pathsOf(document).map((path) => (isPath ? content?.at(path) : content?.of(path)));
    return all.find((checksums) => checksums?.length) ?? [];
  }

  /** The same object for all documents of a directory that follow each other. */
  #askedDirectory(document: FtpUrl): ChecksumDirectory | undefined {
    if (!this.#rules.verify) return undefined;
    const url = { ...document, segments: [...document.segments.slice(0, -1), ""] };
    const key = formatFtpUrl(url);
    const directory = this.#directories.get(key) ?? new AskedDirectory(url, [], this.#observer);
    this.#directories.set(key, directory);
    const [first = ""] = this.#directories.keys();
    if (this.#directories.size > mostKeptDirectories) this.#directories.delete(first);
    return directory;
  }
}

/** The paths that a list may have for a document: its own octets, or its local name in UTF-8. */
function pathsOf({ path, label }: Verifiable): readonly string[] {
  return [path, utf8Octets(label)];
}

function mismatch(text: string): Result {
  return failed(undefined, new FtpullError("integrity", text));
}

/** Names for the message about missing files; a directory of which no file was found is named once. */
function missingTexts(missing: readonly string[], found: Iterable<string>): string[] {
  const foundDirectories = new Set([...found].flatMap(directoriesOf));
  const groups = new Map<string, string[]>();
  for (const name of missing) {
    const directory = directoriesOf(name).find((above) => !foundDirectories.has(above));
    const key = directory === undefined ? name : `${directory}/`;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(name);
  }
  return [...groups].map(([directory, names]) =>
    names.length === 1
      ? `the list of checksums has "${decode(names[0] ?? "")}", which was not found`
      : `the list of checksums has ${names.length} files below "${decode(directory)}": none was found`,
  );
}

/** --checksum and --checksums: which checksums each document of the run has to have. */
import { type ChecksumList, readChecksumList } from "../../checksums/checksum-list.ts";
import { basename } from "node:path";
import type { Checksum } from "../../checksums/checksum.ts";
import type { Observer } from "../../documents/events.ts";
import { failed, type Result } from "../../documents/result.ts";
import type { Evidence } from "../../documents/verify/evidence.ts";
import type { Selection } from "../../documents/tree/selection.ts";
import { FtpullError } from "../../errors.ts";
import { inputName } from "../../files/input-file.ts";
import type { Settings } from "../../options/command-line.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Requested } from "./requested.ts";

interface GivenList {
  readonly content: ChecksumList;
  /** A path or a URL. */
  readonly source: string;
  /** What messages call it. */
  readonly label: string;
}

/** Where documents are verified by a list, those that it lacks are named in a warning. */
export class ExpectedChecksums {
  readonly #settings: Settings;
  readonly #observer: Observer;
  readonly #list: GivenList | undefined;
  /** The paths of the list's files that trees have. */
  readonly #inTrees = new Set<string>();
  /** Names by URL, where the server has yet to show whether it is a file's. */
  readonly #unsure = new Map<string, { name: string; isListed: boolean }>();
  /** Where the trees are on the server. */
  readonly #tops = new Set<string>();

  /** Without a list, every document has the checksum of `settings`. */
  constructor(settings: Settings, observer: Observer, list?: GivenList) {
    this.#settings = settings;
    this.#observer = observer;
    this.#list = list;
    if (list !== undefined) warnOfStrangeLines(list, observer);
  }

  /** Reads what documents are verified by. @throws FtpullError "file" for a list that can't be read */
  static async read(settings: Settings, observer: Observer): Promise<ExpectedChecksums> {
    const { checksums: source } = settings;
    if (source === undefined) return new ExpectedChecksums(settings, observer);
    const list = { content: await readChecksumList(source), source, label: inputName(source) };
    return new ExpectedChecksums(settings, observer, list);
  }

  /** For a document of this name; with `url` if it may be none of the run's files, until `ended`. */
  of(name: string, url?: FtpUrl): Evidence | undefined {
    return this.#known(name, this.#list?.content.of(name) ?? [], url);
  }

  /**
   * For a file of a tree, by its path from the tree's top; with `url` as `of`, for what may be a
   * directory, and for a file that its time may leave out.
   */
  inTree(path: string, mayBeDirectory: boolean, url?: FtpUrl): Evidence | undefined {
    if (!mayBeDirectory) this.#found(path);
    return this.#known(path, this.#list?.content.at(path) ?? [], url);
  }

  /** Only files produce results. */
  ended({ url = "", status }: Result): void {
    const file = this.#unsure.get(url);
    if (file === undefined) return;
    this.#found(file.name);
    this.#unsure.delete(url);
    if (status !== "failed" && !file.isListed) this.#warn(file.name);
  }

  /** The top of a whole tree was listed: the trees should have all files of the list. */
  hasTree(pathname: string): void {
    this.#tops.add(pathname);
  }

  /** The failures of files that the list has and the trees lack. */
  *absent(selection: Selection): Generator<Result> {
    const isWanted = (path: string): boolean =>
      [...this.#tops].some((top) => selection.hasPath(path, top));
    const names = [...(this.#list?.content.paths() ?? [])];
    const missing = names.filter((name) => isWanted(name) && !this.#inTrees.has(name));
    for (const text of missingTexts(missing, this.#inTrees))
      yield failed(undefined, new FtpullError("integrity", text));
  }

  /** A tree may have a million files that no list names. */
  #found(path: string): void {
    if (this.#list?.content.at(path).length) this.#inTrees.add(path);
  }

  #known(name: string, checksums: readonly Checksum[], url?: FtpUrl): Evidence | undefined {
    const { checksum } = this.#settings;
    if (this.#list === undefined)
      return checksum && { checksums: [checksum], source: "--checksum", label: "--checksum" };
    const isListed = checksums.length > 0;
    if (url !== undefined) this.#unsure.set(formatFtpUrl(url), { name, isListed });
    else if (!isListed) this.#warn(name);
    const { source } = this.#list;
    return isListed ? { checksums, source, label: basename(source) } : undefined;
  }

  /** With --verify a list need not have all documents. */
  #warn(name: string): void {
    const words = `${this.#list?.label} has no checksum of "${name}": it is not verified`;
    if (!this.#settings.verify) this.#observer.warning(words);
  }
}

/** What is missing; a directory without any file that was found is named once. */
function missingTexts(missing: readonly string[], found: Iterable<string>): string[] {
  const foundDirectories = new Set([...found].flatMap(directoriesOf));
  const groups = new Map<string, string[]>();
  for (const name of missing) {
    const key = directoriesOf(name).find((directory) => !foundDirectories.has(directory)) ?? name;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [name]);
    else group.push(name);
  }
  return [...groups].map(([directory, names]) =>
    names.length === 1
      ? `the list of checksums has "${names[0]}", which was not found`
      : `the list of checksums has ${names.length} files below "${directory}": none was found`,
  );
}

/** Of "a/b/c": "a/" and "a/b/". */
function directoriesOf(name: string): string[] {
  return [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index + 1));
}

/** One checksum is for one document, which isn't a listing. @throws FtpullError "usage" */
export function checkSingleFile([first, second]: readonly Requested[]): void {
  if (second !== undefined) {
    const hint = "--checksums takes a list of checksums";
    const words = `--checksum is for one document, and ${second.shownUrl} is a second one`;
    throw new FtpullError("usage", words, { hint });
  }
  if (first?.presumed.action !== "list") return;
  const words = `--checksum is for a file, and ${first.shownUrl} is a listing`;
  throw new FtpullError("usage", words);
}

function warnOfStrangeLines({ content, label }: GivenList, observer: Observer): void {
  const { first, count } = content.strangeLines;
  if (count === 0) return;
  const more = count === 1 ? "" : `, nor are ${count - 1} more`;
  observer.warning(`line ${first} of ${label} is no checksum${more}`);
}

/** Verification of each document of a run: --checksum, --checksums and --verify. */
import { basename } from "node:path";
import { checksumFile } from "../../checksums/candidates.ts";
import type { ChecksumList } from "../../checksums/checksum-list.ts";
import type { Checksum, Evidence } from "../../checksums/checksum.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Observer } from "../events.ts";
import type { Selection } from "../tree/selection.ts";
import { AskedDirectory } from "./asked-directory.ts";
import { ChecksumDirectory } from "./checksum-directory.ts";
import { ExpectedFiles, listedPathsOf, type Verifiable } from "./expected-files.ts";
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

const mostKeptDirectories = 8;

export class Checksums {
  readonly expected: ExpectedFiles | undefined;
  readonly #rules: ChecksumRules;
  readonly #observer: Observer;
  readonly #list: GivenList | undefined;
  readonly #askedDirectories = new Map<string, ChecksumDirectory>();

  constructor(rules: ChecksumRules, selection: Selection, observer: Observer, list?: GivenList) {
    this.#rules = rules;
    this.#observer = observer;
    this.#list = list;
    this.expected = list && new ExpectedFiles(list.content, selection, observer);
  }

  atUrl(url: FtpUrl, document: Verifiable): Verification {
    const listed = this.#listed(document, (list, path) => list.of(path));
    const onWhole = (): void => {
      if (this.#staysUnverified(listed)) this.#observer.warnAlways(this.#unlistedText(document));
    };
    return this.#verification(document, listed, this.#askedDirectory(url), onWhole);
  }

  inTree(entry: Verifiable, top: string, directory?: ChecksumDirectory): Verification {
    const { recursive } = this.#rules;
    const listed = this.#listed(entry, (list, path) => (recursive ? list.at(path) : list.of(path)));
    const onWhole = (): void => {
      this.expected?.hasFile(entry, top);
      if (this.#staysUnverified(listed)) this.#observer.warning(this.#unlistedText(entry));
    };
    return this.#verification(entry, listed, directory, onWhole);
  }

  directory(url: FtpUrl, cwds: readonly string[], above?: ChecksumDirectory) {
    return this.#rules.verify ? new ChecksumDirectory(url, cwds, this.#observer, above) : undefined;
  }

  #listed(
    document: Verifiable,
    lookUp: (list: ChecksumList, path: string) => readonly Checksum[],
  ): Evidence | undefined {
    if (this.#list === undefined) return undefined;
    const { content, source } = this.#list;
    const found = listedPathsOf(document).map((path) => lookUp(content, path));
    const checksums = found.find((each) => each.length > 0);
    return checksums && { checksums, source, label: basename(source) };
  }

  #verification(
    document: Verifiable,
    listed: Evidence | undefined,
    directory: ChecksumDirectory | undefined,
    onWhole: () => void,
  ): Verification {
    const { checksum, verifyAll } = this.#rules;
    const label = "--checksum";
    const given = checksum ? { checksums: [checksum], source: label, label } : listed;
    const isSums = checksumFile(document.name) !== undefined;
    return new Verification({
      given,
      directory: isSums ? undefined : directory,
      isRequired: verifyAll,
      onWhole,
    });
  }

  #staysUnverified(listed: Evidence | undefined): boolean {
    return this.#list !== undefined && listed === undefined && !this.#rules.verify;
  }

  #unlistedText({ label, savedAs = label }: Verifiable): string {
    const names = savedAs === label ? `"${label}"` : `"${label}" or "${savedAs}"`;
    return `${this.#list?.label} has no checksum of ${names}: it is not verified`;
  }

  /** The same object for all documents of a directory that follow each other. */
  #askedDirectory(document: FtpUrl): ChecksumDirectory | undefined {
    if (!this.#rules.verify) return undefined;
    const url = { ...document, segments: [...document.segments.slice(0, -1), ""] };
    const key = formatFtpUrl(url);
    const directory =
      this.#askedDirectories.get(key) ?? new AskedDirectory(url, [], this.#observer);
    this.#askedDirectories.set(key, directory);
    const [oldest = ""] = this.#askedDirectories.keys();
    if (this.#askedDirectories.size > mostKeptDirectories) this.#askedDirectories.delete(oldest);
    return directory;
  }
}

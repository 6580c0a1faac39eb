/** Verification of each document of a run: --checksum, --checksums and --verify. */
import { basename, posix } from "node:path";
import { checksumFile } from "../../checksums/checksum-file.ts";
import type { ChecksumList } from "../../checksums/checksum-list.ts";
import type { Checksum } from "../../checksums/checksum.ts";
import { decoderFor } from "../../text/encoding.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Observer } from "../events.ts";
import type { Selection } from "../tree/selection.ts";
import { ChecksumDirectory, ListedDirectory } from "./checksum-directory.ts";
import { ExpectedFiles } from "./expected-files.ts";
import { Verification } from "./verification.ts";

export interface ChecksumRules {
  readonly checksum: Checksum | undefined;
  readonly verify: boolean;
  readonly recursive: boolean;
}

/** The list of --checksums, with the words that messages use for it. */
export interface GivenList {
  readonly content: ChecksumList;
  readonly source: string;
  readonly label: string;
}

const decode = decoderFor();
const mostKeptDirectories = 8;

export class Checksums {
  readonly expected: ExpectedFiles | undefined;
  readonly #rules: ChecksumRules;
  readonly #observer: Observer;
  readonly #list: GivenList | undefined;
  readonly #listedDirectories = new Map<string, ChecksumDirectory>();

  constructor(rules: ChecksumRules, selection: Selection, observer: Observer, list?: GivenList) {
    this.#rules = rules;
    this.#observer = observer;
    this.#list = list;
    this.expected = list && new ExpectedFiles(list.content, selection, observer);
  }

  /** Of a document by its URL; names and paths are octets. A list may have it under any path. */
  atUrl(url: FtpUrl, name: string): Verification {
    const path = posix.basename(name);
    const listed = this.#list?.content.of(path);
    const onWhole = (): void => {
      if (this.#staysUnverified(listed)) this.#observer.warnAlways(this.#unlistedText(path));
    };
    return this.#verification(path, listed, this.#directoryOf(url), onWhole);
  }

  /** Of a file by its path below the pathname `top`: lists of trees have such paths. */
  inTree(path: string, top: string, directory?: ChecksumDirectory): Verification {
    const content = this.#list?.content;
    const listed = this.#rules.recursive ? content?.at(path) : content?.of(path);
    const onWhole = (): void => {
      this.expected?.hasFile(path, top);
      if (this.#staysUnverified(listed)) this.#observer.warning(this.#unlistedText(path));
    };
    return this.#verification(path, listed, directory, onWhole);
  }

  directory(url: FtpUrl, cwds: readonly string[], above?: ChecksumDirectory) {
    return this.#rules.verify ? new ChecksumDirectory(url, cwds, this.#observer, above) : undefined;
  }

  #verification(
    path: string,
    listed: readonly Checksum[] = [],
    directory: ChecksumDirectory | undefined,
    onWhole: () => void,
  ): Verification {
    const { checksum, verify } = this.#rules;
    const source = checksum ? "--checksum" : (this.#list?.source ?? "");
    const checksums = checksum ? [checksum] : listed;
    const given = { checksums, source, label: basename(source) };
    const isSums = checksumFile(posix.basename(path)) !== undefined;
    return new Verification({
      given: checksums.length > 0 ? given : undefined,
      directory: isSums ? undefined : directory,
      isRequired: verify,
      onWhole,
    });
  }

  #staysUnverified(listed: readonly Checksum[] | undefined): boolean {
    return listed?.length === 0 && !this.#rules.verify;
  }

  #unlistedText(path: string): string {
    return `${this.#list?.label} has no checksum of "${decode(path)}": it is not verified`;
  }

  /** The same object for all documents of a directory that follow each other. */
  #directoryOf(document: FtpUrl): ChecksumDirectory | undefined {
    if (!this.#rules.verify) return undefined;
    const url = { ...document, segments: [...document.segments.slice(0, -1), ""] };
    const key = formatFtpUrl(url);
    const known = this.#listedDirectories.get(key);
    if (known !== undefined) return known;
    if (this.#listedDirectories.size >= mostKeptDirectories) this.#listedDirectories.clear();
    const directory = new ListedDirectory(url, [], this.#observer);
    this.#listedDirectories.set(key, directory);
    return directory;
  }
}

/** Verification of each file of a run: --checksum, --checksums and --verify. */
import { basename, posix } from "node:path";
import { checksumFile } from "../../checksums/checksum-file.ts";
import type { ChecksumList } from "../../checksums/checksum-list.ts";
import type { Checksum } from "../../checksums/checksum.ts";
import { inputName } from "../../files/input-file.ts";
import { decoderFor } from "../../text/encoding.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Observer } from "../events.ts";
import type { Selection } from "../tree/selection.ts";
import { ChecksumDirectory } from "./checksum-directory.ts";
import { ExpectedFiles } from "./expected-files.ts";
import { type Verification, Verifier } from "./verification.ts";

/** Options of verification; `checksums` is the path of the list. */
export interface ChecksumRules {
  readonly checksum: Checksum | undefined;
  readonly checksums: string | undefined;
  readonly verify: boolean;
  readonly recursive: boolean;
}

const decode = decoderFor();

/** Names of files that prove others: nothing beside them proves these. */
const signature = /\.(?:asc|sig|sign|gpg|minisig)$/i;

export class Checksums {
  readonly expected: ExpectedFiles | undefined;
  readonly #rules: ChecksumRules;
  readonly #observer: Observer;
  readonly #list: ChecksumList | undefined;
  #latest: { readonly shownUrl: string; readonly directory: ChecksumDirectory } | undefined;

  constructor(rules: ChecksumRules, selection: Selection, observer: Observer, list?: ChecksumList) {
    this.#rules = rules;
    this.#observer = observer;
    this.#list = list;
    this.expected = list && new ExpectedFiles(list, selection);
  }

  /** A file given by its URL has to have a checksum, if one is looked for. A list may have it under any path. */
  atUrl(url: FtpUrl, name: string): Verifier {
    const { checksum } = this.#rules;
    const path = posix.basename(name);
    const directory = this.#rules.verify && !isProof(path) ? this.#directoryOf(url) : undefined;
    const isRequired = directory !== undefined;
    const given = this.#given(checksum ? [checksum] : this.#list?.of(path), isRequired);
    const onMissing = this.#list && (() => this.#observer.warnAlways(this.#unlistedText(path)));
    return new Verifier(given, directory, onMissing);
  }

  /** A file by its path below the top of its tree: lists of trees have such paths. */
  inTree(path: string, directory?: ChecksumDirectory): Verifier {
    const list = this.#list;
    const given = this.#given(this.#rules.recursive ? list?.at(path) : list?.of(path));
    if (isProof(path)) return new Verifier(given);
    if (directory !== undefined)
      return new Verifier(given, directory, (url) => directory.miss(url));
    const warn = list && (() => this.#observer.warning(this.#unlistedText(path)));
    return new Verifier(given, undefined, warn);
  }

  directory(url: FtpUrl, cwds: readonly string[], above?: ChecksumDirectory) {
    if (!this.#rules.verify) return undefined;
    const place = { url: { ...url, typecode: undefined }, cwds, observer: this.#observer };
    return new ChecksumDirectory(place, true, above);
  }

  #given(checksums: readonly Checksum[] = [], isRequired = false): Verification {
    const { checksum, checksums: list = "" } = this.#rules;
    const source = checksum ? "--checksum" : list;
    const label = source === "-" ? inputName(source) : basename(source);
    return { checksums, source, label, isRequired };
  }

  #unlistedText(path: string): string {
    const label = inputName(this.#rules.checksums ?? "");
    return `${label} has no checksum of "${decode(path)}": it is not verified`;
  }

  /** The same object for all documents of a directory that follow each other. */
  #directoryOf(document: FtpUrl): ChecksumDirectory {
    const url = {
      ...document,
      segments: [...document.segments.slice(0, -1), ""],
      typecode: undefined,
    };
    const shownUrl = formatFtpUrl(url);
    if (this.#latest?.shownUrl !== shownUrl) {
      const directory = new ChecksumDirectory({ url, cwds: [], observer: this.#observer }, false);
      this.#latest = { shownUrl, directory };
    }
    return this.#latest.directory;
  }
}

function isProof(path: string): boolean {
  return signature.test(path) || checksumFile(posix.basename(path)) !== undefined;
}

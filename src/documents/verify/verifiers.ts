/** Verification of each file of a run: --checksum, --checksums and --verify; and the files that trees lack. */
import { basename, join, posix } from "node:path";
import { sumsFileName } from "../../checksums/sums-file-name.ts";
import type { ChecksumList } from "../../checksums/checksum-list.ts";
import type { Checksum } from "../../checksums/checksum.ts";
import { differenceHere } from "../../checksums/document-hash.ts";
import { FtpullError } from "../../errors.ts";
import { inputName } from "../../files/input-file.ts";
import { localName } from "../../files/names.ts";
import { existingFile } from "../../files/regular-file.ts";
import { namesIn } from "../../ftp/path-steps.ts";
import { decoderFor } from "../../text/encoding.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Observer } from "../events.ts";
import { failed, type Result } from "../result.ts";
import { SumsDirectory } from "./sums-directory.ts";
import type { Verification } from "./verification.ts";
import { Verifier } from "./verifier.ts";

/** Options of verification; `checksums` is the path of the list. */
interface ChecksumRules {
  readonly checksum: Checksum | undefined;
  readonly checksums: string | undefined;
  readonly verify: boolean;
  readonly recursive: boolean;
}

/** The paths below `top` that the options for trees want. */
interface Selected {
  hasPath(path: string, top: string): boolean;
}

const decode = decoderFor();

/** Names of files that prove others: nothing beside them proves these. */
const signature = /\.(?:asc|sig|sign|gpg|minisig)$/i;

export class Verifiers {
  readonly #rules: ChecksumRules;
  readonly #selection: Selected;
  readonly #observer: Observer;
  readonly #list: ChecksumList | undefined;
  /** The directory of the latest file that was given by its URL. */
  #latest: { readonly shownUrl: string; readonly directory: SumsDirectory } | undefined;
  /** The local directories of the trees, by their tops' pathnames. */
  readonly #trees = new Map<string, string>();
  /** Listed files that were found, by their paths below their tops' pathnames. */
  readonly #found = new Set<string>();

  constructor(rules: ChecksumRules, selection: Selected, observer: Observer, list?: ChecksumList) {
    this.#rules = rules;
    this.#selection = selection;
    this.#observer = observer;
    this.#list = list;
  }

  /** A file given by its URL has to have a checksum, if one is looked for. A list may have it under any path. */
  atUrl(url: FtpUrl, name: string): Verifier {
    const { checksum, verify } = this.#rules;
    const path = posix.basename(name);
    const given = this.#given(checksum ? [checksum] : this.#list?.of(path));
    const directory = verify && !isProof(path) ? this.#directoryOf(url) : undefined;
    const onMissing = this.#list && (() => this.#observer.warnAlways(this.#unlistedText(path)));
    return new Verifier(given, { directory, isRequired: directory !== undefined, onMissing });
  }

  /** A file by its path below the top of its tree: lists of trees have such paths. */
  inTree(path: string, directory?: SumsDirectory): Verifier {
    const list = this.#list;
    const given = this.#given(this.#rules.recursive ? list?.at(path) : list?.of(path));
    if (isProof(path)) return new Verifier(given);
    if (directory !== undefined)
      return new Verifier(given, { directory, onMissing: (url) => directory.miss(url) });
    const onMissing = list && (() => this.#observer.warning(this.#unlistedText(path)));
    return new Verifier(given, { onMissing });
  }

  directory(url: FtpUrl, cwds: readonly string[], above?: SumsDirectory) {
    if (!this.#rules.verify) return undefined;
    const place = { url: { ...url, typecode: undefined }, cwds, observer: this.#observer };
    return new SumsDirectory(place, true, above);
  }

  /** Called when the top of a whole tree was listed; a pattern's files needn't be all. */
  noteTree(pathname: string, directory: string): void {
    this.#trees.set(pathname, directory);
  }

  /** Notes a file by its path in a tree, which may have a million that the list lacks: none of these is kept. */
  noteFile(path: string, top: string): void {
    if (this.#list?.at(path).length) this.#found.add(`${top}/${path}`);
  }

  /** A listed file that no listing had may be here by way of a local link: it is read, as `sha256sum -c` would. */
  async *missing(): AsyncGenerator<Result> {
    for (const path of this.#list?.paths() ?? []) {
      const name = decode(path);
      const tops = [...this.#trees].filter(([top]) => this.#selection.hasPath(name, top));
      const isFound = tops.some(([top]) => this.#found.has(`${top}/${path}`));
      if (tops.length === 0 || isFound) continue;
      const names = namesIn(path).map((each) => localName(each, decode));
      const file = tops.map(([, top]) => join(top, ...names)).find((each) => existingFile(each));
      const checksums = this.#list?.at(path) ?? [];
      const difference =
        file === undefined
          ? `the list of checksums has "${name}", which was not found`
          : await differenceHere(file, checksums);
      if (difference === undefined) continue;
      const words = file === undefined ? difference : `"${file}": ${difference}`;
      yield failed(undefined, new FtpullError("integrity", words));
    }
  }

  #given(checksums: readonly Checksum[] = []): Verification {
    const { checksum, checksums: list = "" } = this.#rules;
    const source = checksum ? "--checksum" : list;
    const label = source === "-" ? inputName(source) : basename(source);
    return { checksums, source, label };
  }

  #unlistedText(path: string): string {
    const label = inputName(this.#rules.checksums ?? "");
    return `${label} has no checksum of "${decode(path)}": it is not verified`;
  }

  /** The same object for all documents of a directory that follow each other. */
  #directoryOf(document: FtpUrl): SumsDirectory {
    const segments = [...document.segments.slice(0, -1), ""];
    const url = { ...document, segments, typecode: undefined };
    const shownUrl = formatFtpUrl(url);
    if (this.#latest?.shownUrl !== shownUrl) {
      const directory = new SumsDirectory({ url, cwds: [], observer: this.#observer }, false);
      this.#latest = { shownUrl, directory };
    }
    return this.#latest.directory;
  }
}

function isProof(path: string): boolean {
  return signature.test(path) || sumsFileName(posix.basename(path)) !== undefined;
}

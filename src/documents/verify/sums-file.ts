/** A sums file on a server: it is retrieved when a document first needs it, and searched for the document's checksums. */
import { posix } from "node:path";
import type { ChecksumFile } from "../../checksums/candidates.ts";
import { ChecksumList } from "../../checksums/checksum-list.ts";
import type { Checksum, Evidence } from "../../checksums/checksum.ts";
import { FtpullError, Interrupted } from "../../errors.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import { loginDirectoryOf } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { decoderFor } from "../../text/encoding.ts";
import { encodeName } from "../../text/percent.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Observer } from "../events.ts";
import { type SumsSizes, retrieveSums } from "./retrieve-sums.ts";

export interface SumsDirectory {
  readonly url: FtpUrl;
  readonly cwds: readonly string[];
  readonly namesakes: ReadonlySet<string>;
  readonly observer: Observer;
  /** True if the tree may fetch a document at this path; undefined outside of trees. */
  readonly isInTree: ((path: string) => boolean) | undefined;
}

const decode = decoderFor();

const mostUnwanted = 100_000;

export class SumsFile {
  readonly file: ChecksumFile;
  sizes: SumsSizes = {};
  readonly #directory: SumsDirectory;
  /** Resolves with undefined if the file can't be used, which was logged. */
  #content: Promise<ChecksumList | undefined> | undefined;

  constructor(file: ChecksumFile, directory: SumsDirectory) {
    this.file = file;
    this.#directory = directory;
  }

  get source(): string {
    const { url } = this.#directory;
    const segments = [...url.segments.slice(0, -1), encodeName(this.file.name)];
    return formatFtpUrl({ ...url, segments });
  }

  async search(session: Session, document: DocumentPlan): Promise<Evidence | undefined> {
    const { file, source } = this;
    const checksums = await this.#checksumsOf(session, document);
    if (checksums === undefined) return undefined;
    if (checksums.length > 0)
      return { checksums, source, label: decode(file.name), doubt: () => this.forget() };
    if (file.document !== undefined)
      this.#directory.observer.warning(`${source}: it has no checksum of its document`);
    return undefined;
  }

  async #checksumsOf(session: Session, document: DocumentPlan) {
    const lookUp = (list: ChecksumList): readonly Checksum[] =>
      this.#lookUp(list, session, document);
    const list = await this.read(session, document.name);
    if (list === undefined) return undefined;
    const found = lookUp(list);
    // Outside of trees, a long file was read for another document: this one's checksum may be left out.
    const isLeftOut = list.hasLeftOutUnwanted && this.#directory.isInTree === undefined;
    if (found.length > 0 || !isLeftOut) return found;
    this.forget();
    const reread = await this.read(session, document.name);
    return reread && lookUp(reread);
  }

  #lookUp(list: ChecksumList, session: Session, { cwds, name }: DocumentPlan) {
    const { cwds: own, namesakes } = this.#directory;
    const top = loginDirectoryOf(session.state) ?? "";
    const pathnameOf = (inside: string): string =>
      posix.resolve("/", top, ...own, inside).replace(/^\/$/, "");
    if (this.file.document === undefined) {
      const path = [...cwds.slice(own.length), name].join("/");
      return list.seenFrom({ pathname: pathnameOf("."), namesakes }, path);
    }
    // A document's own sums file is beside it, even if its name has a slash.
    const place = { pathname: pathnameOf(posix.dirname(name)), namesakes: new Set<string>() };
    return list.seenFrom(place, posix.basename(name));
  }

  /**
   * Reads the file, once. Of a long file, only checksums of documents that the tree may fetch are kept or, outside
   * of trees, those of the document `wanted`. @throws what breaks the session
   */
  read(session: Session, wanted = ""): Promise<ChecksumList | undefined> {
    this.#content ??= this.#retrieve(session, wanted);
    return this.#content;
  }

  async #retrieve(session: Session, wanted: string): Promise<ChecksumList | undefined> {
    const { cwds, observer, isInTree } = this.#directory;
    const { name } = this.file;
    const isWanted =
      isInTree ?? ((path: string) => posix.basename(path) === posix.basename(wanted));
    const list = new ChecksumList(
      posix.basename(name),
      "the list",
      (path, kept) => kept < mostUnwanted || isWanted(path),
    );
    try {
      await retrieveSums(session, { cwds, name }, list, observer, this.sizes);
      return list;
    } catch (error) {
      if (isFinal(error)) {
        observer.warning(`${this.source}: not used to verify: ${error.message}`);
        return undefined;
      }
      this.forget(); // The next try asks for the size again, and reads the file again.
      throw error;
    }
  }

  /** Ends the use of a file that failed, or wasn't read: callers of `read` get undefined. */
  giveUp(): void {
    this.#content ??= Promise.resolve(undefined);
  }

  forget(): void {
    this.#content = undefined;
    this.sizes = {};
  }
}

/** True if a failure is about the requested file alone, and would come again. */
export function isFinal(error: unknown): error is FtpullError {
  if (error instanceof Interrupted) return false;
  return error instanceof FtpullError && !error.transient;
}

/** The checksums in one directory of a server and, in a tree, in those above it. Names and paths are octets. */
import { posix } from "node:path";
import { byRank, type ChecksumFile, checksumFile } from "../../checksums/candidates.ts";
import { ChecksumList } from "../../checksums/checksum-list.ts";
import { type Evidence, strengthOf } from "../../checksums/checksum.ts";
import { FtpullError, Interrupted } from "../../errors.ts";
import type { DocumentPlan, LocatedFile } from "../../ftp/document-steps.ts";
import { loginDirectoryOf } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Entry } from "../../listing/entry.ts";
import { decoderFor } from "../../text/encoding.ts";
import { encodeName } from "../../text/percent.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Observer } from "../events.ts";
import { type SumsSizes, retrieveSums } from "./retrieve-sums.ts";
import { serverEvidence } from "./server-checksum.ts";

const decode = decoderFor();

export class ChecksumDirectory {
  readonly url: FtpUrl;
  cwds: readonly string[];
  readonly observer: Observer;
  /** True if the tree may fetch a document at this path; undefined outside of trees. */
  isInTree: ((path: string) => boolean) | undefined;
  readonly #above: ChecksumDirectory | undefined;
  /** Sums files, by the document they belong to; key `undefined` holds those for the whole directory. */
  readonly #lists = new Map<string | undefined, SumsFile[]>();
  #hasMissed = false;

  /** `url` ends in a slash; in a tree, `above` is the parent directory. */
  constructor(url: FtpUrl, cwds: readonly string[], observer: Observer, above?: ChecksumDirectory) {
    this.url = { ...url, typecode: undefined };
    this.cwds = cwds;
    this.observer = observer;
    this.#above = above;
  }

  note({ name, type, size }: Pick<Entry, "name" | "size"> & { readonly type: string }): void {
    const list = type === "directory" ? undefined : this.sumsAt(name);
    if (list !== undefined && type === "file") list.sizes = { listedSize: size };
  }

  /** The sums file of this name, created by the first call; undefined if sums files have no such name. */
  sumsAt(name: string): SumsFile | undefined {
    // V8 keeps a whole listing in memory for a name that was cut out of it: the copy frees it.
    const file = checksumFile(Buffer.from(name).toString());
    if (file === undefined) return undefined;
    const lists = this.#lists.get(file.document) ?? [];
    this.#lists.set(file.document, lists);
    let list = lists.find((one) => one.file.name === name);
    if (list === undefined) lists.push((list = new SumsFile(file, this)));
    return list;
  }

  /** The sums files for this document alone, or those for the whole directory, the best first. */
  sumsFor(document?: string): readonly SumsFile[] {
    const lists = this.#lists.get(document) ?? [];
    return lists.toSorted((one, other) => byRank(one.file, other.file));
  }

  /**
   * Looks for a document's checksums: the strongest first, of one algorithm the nearest. The server's own
   * comes last: it fits even a file that is damaged there. @throws what breaks the session
   */
  async find(session: Session, plan: DocumentPlan, located: LocatedFile) {
    const above = this.#upwards.flatMap((directory) => directory.sumsFor());
    const lists = [...this.sumsFor(plan.name), ...above].toSorted(
      (one, other) => strengthOf(one.file.algorithm) - strengthOf(other.file.algorithm),
    );
    let evidence: Evidence | undefined;
    for (const list of lists) evidence ??= await list.search(session, plan);
    evidence ??= await serverEvidence(session, plan, located.facts.size);
    for (const list of this.sumsFor(plan.name)) list.forget(); // it is for this document alone
    return evidence;
  }

  miss(shownUrl: string): void {
    const words = `${shownUrl}: no checksum was found: not verified`;
    if (!this.#hasMissed) this.observer.info(words, "--verify-all makes that a failure");
    this.#hasMissed = true;
  }

  get #upwards(): readonly ChecksumDirectory[] {
    return this.#above === undefined ? [this] : [this, ...this.#above.#upwards];
  }
}

/** Number of checksums that a list keeps of any documents; of the rest, it keeps only wanted ones. */
const fewKept = 100_000;

/** A sums file, which is read once, and again after a checksum from it didn't fit. */
export class SumsFile {
  readonly file: ChecksumFile;
  sizes: SumsSizes = {};
  readonly #directory: ChecksumDirectory;
  /** Resolves with undefined if the list can't be used, which was logged. */
  #content: Promise<ChecksumList | undefined> | undefined;

  constructor(file: ChecksumFile, directory: ChecksumDirectory) {
    this.file = file;
    this.#directory = directory;
  }

  get source(): string {
    const { url } = this.#directory;
    const segments = [...url.segments.slice(0, -1), encodeName(this.file.name)];
    return formatFtpUrl({ ...url, segments });
  }

  async search(session: Session, { cwds, name }: DocumentPlan): Promise<Evidence | undefined> {
    const { file, source } = this;
    const { cwds: own, isInTree, observer } = this.#directory;
    // A document's own list is beside it, even if its name has a slash.
    const isOwn = file.document !== undefined;
    const path = isOwn ? posix.basename(name) : [...cwds.slice(own.length), name].join("/");
    const inside = isOwn ? posix.dirname(name) : ".";
    const top = loginDirectoryOf(session.state) ?? "";
    const directory = posix.resolve("/", top, ...own, inside).replace(/^\/$/, "");
    let content = await this.read(session, name);
    let checksums = content?.of(path, directory) ?? [];
    if (checksums.length === 0 && isInTree === undefined && content?.hasLeftOutUnwanted === true) {
      this.forget();
      content = await this.read(session, name);
      checksums = content?.of(path, directory) ?? [];
    }
    if (checksums.length > 0)
      return { checksums, source, label: decode(file.name), doubt: () => this.forget() };
    if (isOwn && content !== undefined)
      observer.warning(`${source}: it has no checksum of its document`);
    return undefined;
  }

  /**
   * Reads the file; further callers wait for it. Of a long list, it keeps what the tree may fetch, or the checksums
   * of `wanted`. @throws what breaks the session
   */
  read(session: Session, wanted = ""): Promise<ChecksumList | undefined> {
    if (this.#content !== undefined) return this.#content;
    const { cwds, observer, isInTree } = this.#directory;
    const { name } = this.file;
    const isWanted =
      isInTree ?? ((path: string) => posix.basename(path) === posix.basename(wanted));
    const list = new ChecksumList(
      posix.basename(name),
      "the list",
      (path, kept) => kept < fewKept || isWanted(path),
    );
    this.#content = retrieveSums(session, { cwds, name }, list, observer, this.sizes).then(
      () => list,
      (error: unknown) => {
        if (!isFinal(error)) throw error;
        observer.warning(`${this.source}: not used to verify: ${error.message}`);
        return undefined;
      },
    );
    this.#content.catch(() => this.forget()); // The next try asks for the size again, and reads the file again.
    return this.#content;
  }

  /** Ends the use of a list that failed, or wasn't read: callers of `read` get undefined. */
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
  return error instanceof FtpullError && !error.transient && !(error instanceof Interrupted);
}

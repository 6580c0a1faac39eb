/** The lists of one directory: each is read once, unless it is doubted. Names and paths are octets. */
import { posix } from "node:path";
import type { ChecksumFile } from "../../checksums/candidates.ts";
import { ChecksumList } from "../../checksums/checksum-list.ts";
import { FtpullError, Interrupted } from "../../errors.ts";
import { existingFile, readRange } from "../../files/regular-file.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { loginDirectoryOf } from "../../ftp/path-steps.ts";
import { decoderFor } from "../../text/encoding.ts";
import { encodeName } from "../../text/percent.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Observer } from "../events.ts";
import type { Evidence } from "./evidence.ts";
import { type ListSizes, retrieveList } from "./retrieve-list.ts";

/** A list keeps so many checksums of any documents, and then those that are wanted. */
const fewKept = 100_000;

const decode = decoderFor();

export class KnownLists {
  readonly #url: FtpUrl;
  readonly #observer: Observer;
  /** Undefined is a list that can't be used, which has been said. */
  readonly #lists = new Map<string, Promise<ChecksumList | undefined>>();
  readonly #sizes = new Map<string, ListSizes>();
  /** The names of the documents that were looked for. */
  readonly #wanted = new Set<string>();
  /** Whether the directory has one of its own name: a list that says "d/x" in "d" means that one's. */
  hasNamesake = false;
  /** Of a tree: which paths may be those of its documents. */
  isInTree: ((path: string) => boolean) | undefined;

  /** `url` is the directory's, and ends in a slash. */
  constructor(url: FtpUrl, observer: Observer) {
    this.#url = url;
    this.#observer = observer;
  }

  /** Notes what SIZE or a listing says of a list. */
  noteSize(name: string, sizes: ListSizes): void {
    this.#sizes.set(name, sizes);
  }

  /** What a list says of the document of `plan`, which is `depth` levels below. @throws as `read` */
  async search(
    session: Session,
    plan: DocumentPlan,
    { name, document }: ChecksumFile,
    depth: number,
  ): Promise<Evidence | undefined> {
    const cwds = plan.cwds.slice(0, plan.cwds.length - depth);
    const path = [...plan.cwds.slice(cwds.length), plan.name].join("/");
    const above = this.hasNamesake ? [] : [loginDirectoryOf(session.state) ?? "", ...cwds];
    const directory = posix.resolve("/", ...above).replace(/^\/$/, "");
    const place = { ...plan, cwds, name };
    const isTree = this.isInTree !== undefined;
    if (!isTree) this.#wanted.add(posix.basename(plan.name));
    let list = await this.read(session, place);
    let checksums = list?.of(path, directory);
    if (checksums?.length === 0 && !isTree && list?.isCut === true) {
      this.forget(name);
      list = await this.read(session, place);
      checksums = list?.of(path, directory);
    }
    const source = this.#urlOf(name);
    if (document !== undefined && checksums?.length === 0)
      this.#observer.warning(`${source}: it has no checksum of its document`);
    if (checksums === undefined || checksums.length === 0) return undefined;
    return { checksums, source, label: decode(name), doubt: () => this.forget(name) };
  }

  /** Reads the list that `plan` names; others wait for it. @throws what breaks the session */
  read(session: Session, plan: DocumentPlan): Promise<ChecksumList | undefined> {
    const { name } = plan;
    const sizes = this.#sizes.get(name);
    const fill = (list: ChecksumList) => retrieveList(session, plan, list, this.#observer, sizes);
    return this.#lists.get(name) ?? this.#reading(name, fill);
  }

  /** Reads a list from where it is stored as a document. */
  readStored(name: string, path: string): Promise<ChecksumList | undefined> {
    return this.#reading(name, async (list) => {
      const { size: octets = 0 } = existingFile(path) ?? {};
      for await (const piece of readRange(path, 0, octets)) list.read(piece);
      list.end();
    });
  }

  /** A list that has failed, or wasn't read, is not read any more. */
  giveUp(name: string): void {
    if (!this.#lists.has(name)) this.#lists.set(name, Promise.resolve(undefined));
  }

  /** The list is read again when it is wanted. */
  forget(name: string): void {
    this.#lists.delete(name);
    this.#sizes.delete(name);
  }

  #reading(
    name: string,
    fill: (list: ChecksumList) => Promise<void>,
  ): Promise<ChecksumList | undefined> {
    const list = new ChecksumList(
      name,
      "the list",
      "latin1",
      (path, kept) => kept < fewKept || this.#mayBeWanted(path),
    );
    const reading = fill(list).then(
      () => list,
      (error: unknown) => {
        if (!isFinal(error)) throw error;
        this.#observer.warning(`${this.#urlOf(name)}: not used to verify: ${error.message}`);
        return undefined;
      },
    );
    this.#lists.set(name, reading);
    reading.catch(() => this.forget(name)); // the next try asks for its size, and reads it, again
    return reading;
  }

  #mayBeWanted(path: string): boolean {
    return this.isInTree?.(path) ?? this.#wanted.has(path.slice(path.lastIndexOf("/") + 1));
  }

  #urlOf(name: string): string {
    const segments = [...this.#url.segments.slice(0, -1), encodeName(name)];
    return formatFtpUrl({ ...this.#url, segments });
  }
}

/** Whether a failure is about what was asked for alone, and would come again. */
export function isFinal(error: unknown): error is FtpullError {
  return error instanceof FtpullError && !error.transient && !(error instanceof Interrupted);
}

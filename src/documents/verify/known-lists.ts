/** The lists of one directory: each is read once, unless it is doubted. Names and paths are octets. */
import { posix } from "node:path";
import { ChecksumList } from "../../checksums/checksum-list.ts";
import type { Checksum } from "../../checksums/checksum.ts";
import { FtpullError, Interrupted } from "../../errors.ts";
import { existingFile, readRange } from "../../files/regular-file.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Observer } from "../events.ts";
import { type ListSource, retrieveList } from "./retrieve-list.ts";

/** A list keeps so many checksums of any documents, and then those that are wanted. */
const fewKept = 100_000;

type Sizes = Pick<ListSource, "size" | "listedSize">;

export class KnownLists {
  readonly #observer: Observer;
  readonly #urlOf: (name: string) => string;
  /** Undefined is a list that can't be used, which has been said. */
  readonly #lists = new Map<string, Promise<ChecksumList | undefined>>();
  readonly #sizes = new Map<string, Sizes>();
  /** The names of the documents that were looked for. */
  readonly #wanted = new Set<string>();
  /** Of a tree: which paths may be those of its documents. */
  isInTree: ((path: string) => boolean) | undefined;

  constructor(observer: Observer, urlOf: (name: string) => string) {
    this.#observer = observer;
    this.#urlOf = urlOf;
  }

  /** Notes what SIZE or a listing says of a list. */
  noteSize(name: string, sizes: Sizes): void {
    this.#sizes.set(name, sizes);
  }

  /** What ChecksumList.of gives in the list that `plan` names; undefined if that can't be used. */
  async search(
    session: Session,
    plan: DocumentPlan,
    path: string,
    directory: string,
  ): Promise<readonly Checksum[] | undefined> {
    if (this.isInTree === undefined) this.#wanted.add(posix.basename(path));
    const list = await this.read(session, plan);
    const found = list?.of(path, directory);
    const isLeftOut = found?.length === 0 && this.isInTree === undefined && list?.isCut;
    if (isLeftOut !== true) return found;
    this.forget(plan.name);
    return (await this.read(session, plan))?.of(path, directory);
  }

  /** Reads the list that `plan` names; others wait for it. @throws what breaks the session */
  read(session: Session, plan: DocumentPlan): Promise<ChecksumList | undefined> {
    const { name } = plan;
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const sizes = this.#sizes.get(name);
    const source = { observer: this.#observer, encoding: "latin1", ...sizes } as const;
    const reading = this.#filled(name, (list) => retrieveList(session, plan, list, source));
    this.#lists.set(name, reading);
    reading.catch(() => this.forget(name)); // the next try asks for its size, and reads it, again
    return reading;
  }

  /** Reads a list from where it is stored as a document. */
  async readStored(name: string, path: string): Promise<void> {
    const stored = this.#filled(name, async (list) => {
      const { octets = 0 } = existingFile(path) ?? {};
      for await (const piece of readRange(path, 0, octets)) list.read(piece.toString("latin1"));
      list.end();
    });
    this.#lists.set(name, stored);
    await stored;
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

  /** A new list, or undefined after a warning. */
  async #filled(
    name: string,
    fill: (list: ChecksumList) => Promise<void>,
  ): Promise<ChecksumList | undefined> {
    const list = new ChecksumList(
      name,
      "the list",
      (path, kept) => kept < fewKept || this.#mayBeWanted(path),
    );
    try {
      await fill(list);
      return list;
    } catch (error) {
      if (!isFinal(error)) throw error;
      this.#observer.warning(`${this.#urlOf(name)}: not used to verify: ${error.message}`);
      return undefined;
    }
  }

  #mayBeWanted(path: string): boolean {
    return this.isInTree?.(path) ?? this.#wanted.has(path.slice(path.lastIndexOf("/") + 1));
  }
}

/** Whether a failure is about what was asked for alone, and would come again. */
export function isFinal(error: unknown): error is FtpullError {
  return error instanceof FtpullError && !error.transient && !(error instanceof Interrupted);
}

/** A file of a server with checksums. Names and paths are octets. */
import type { ChecksumFile } from "../../checksums/candidates.ts";
import { ChecksumList } from "../../checksums/checksum-list.ts";
import { FtpullError, Interrupted } from "../../errors.ts";
import { existingFile, readRange } from "../../files/regular-file.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { encodeName } from "../../text/percent.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Observer } from "../events.ts";
import { type ListSizes, retrieveList } from "./retrieve-list.ts";

/** What the lists of one directory have in common. */
export interface ListPlace {
  /** The directory's, which ends in a slash. */
  readonly url: FtpUrl;
  readonly observer: Observer;
  /** Which checksums are kept of a list that has many: those of paths that may be wanted. */
  mayBeWanted(path: string): boolean;
}

/** A list keeps so many checksums of any documents, and then those that are wanted. */
const fewKept = 100_000;

/** It is read once, unless it is doubted. */
export class PublishedList {
  readonly file: ChecksumFile;
  /** What SIZE or a listing says of it. */
  sizes: ListSizes = {};
  readonly #place: ListPlace;
  /** Undefined is a list that can't be used, which has been said. */
  #content: Promise<ChecksumList | undefined> | undefined;

  constructor(file: ChecksumFile, place: ListPlace) {
    this.file = file;
    this.#place = place;
  }

  /** Without a password. */
  get source(): string {
    const { url } = this.#place;
    const segments = [...url.segments.slice(0, -1), encodeName(this.file.name)];
    return formatFtpUrl({ ...url, segments });
  }

  /** Reads the list in the directory of `plan`; others wait for it. @throws what breaks the session */
  read(session: Session, plan: DocumentPlan): Promise<ChecksumList | undefined> {
    const place = { ...plan, name: this.file.name };
    const { observer } = this.#place;
    const fill = (list: ChecksumList) => retrieveList(session, place, list, observer, this.sizes);
    return this.#content ?? this.#filled(fill);
  }

  /** Reads the list from where it is stored as a document. */
  readStored(path: string): Promise<ChecksumList | undefined> {
    return this.#filled(async (list) => {
      const { size: octets = 0 } = existingFile(path) ?? {};
      for await (const piece of readRange(path, 0, octets)) list.read(piece);
      list.end();
    });
  }

  /** If it has failed, or wasn't read, it is not read any more. */
  giveUp(): void {
    this.#content ??= Promise.resolve(undefined);
  }

  /** It is read again when it is wanted. */
  forget(): void {
    this.#content = undefined;
    this.sizes = {};
  }

  #filled(fill: (list: ChecksumList) => Promise<void>): Promise<ChecksumList | undefined> {
    const place = this.#place;
    const list = new ChecksumList(
      this.file.name,
      "the list",
      "latin1",
      (path, kept) => kept < fewKept || place.mayBeWanted(path),
    );
    this.#content = fill(list).then(
      () => list,
      (error: unknown) => {
        if (!isFinal(error)) throw error;
        place.observer.warning(`${this.source}: not used to verify: ${error.message}`);
        return undefined;
      },
    );
    this.#content.catch(() => this.forget()); // the next try asks for its size, and reads it, again
    return this.#content;
  }
}

/** Whether a failure is about what was asked for alone, and would come again. */
export function isFinal(error: unknown): error is FtpullError {
  return error instanceof FtpullError && !error.transient && !(error instanceof Interrupted);
}

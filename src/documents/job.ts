/** A job: what is to be done for one URL, before and after its destination is made. */
import type { Checksum } from "../checksums/checksum.ts";
import type { Destination } from "../files/destination.ts";
import type { FileFacts } from "../ftp/document-steps.ts";
import type { NextRequest } from "../ftp/pipelining.ts";
import type { SessionPool } from "../ftp/session-pool.ts";
import type { ListingFormatter } from "../listing/format.ts";
import type { EbcdicEncoding } from "../text/ebcdic.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import type { Plan } from "../url/plan.ts";
import type { AttemptState } from "./attempt-state.ts";
import type { Observer } from "./events.ts";
import type { SerialQueue } from "./serial-queue.ts";

/** Where and how a listing is shown. */
export interface ListingOutput {
  /** Whether the server's lines are shown as they come. */
  readonly isRaw: boolean;
  readonly destination: Destination;
  /** A new formatter for one listing. */
  readonly formatter: () => ListingFormatter;
  /** Lists one directory at a time: the lines of several would be mixed. */
  readonly queue: SerialQueue;
  /** The document whose lines were shown last. */
  lastShown: AttemptState | undefined;
}

/** A job that waits for its turn. */
export interface QueuedJob {
  readonly url: FtpUrl;
  /** The URL without its password. */
  readonly shownUrl: string;
  /** What the URL stands for, as far as it can be told without asking a server. */
  readonly presumed: Plan;
  /** The same on every server; undefined where that depends on the encoding of its names (S10). */
  readonly plan: Plan | undefined;
  /** The document's own name. */
  readonly name: string;
  /** Where a file goes, if that name is free. */
  readonly path: string;
  /**
   * The file that the document replaces, resumes or skips; undefined if it may get another name.
   * Jobs with the same file are done in order, one after the other.
   */
  readonly file: string | undefined;
  /** The checksums that the file must have; its destination verifies them. */
  readonly expected: readonly Checksum[];
}

/** A job that is being done. */
export interface Job extends QueuedJob {
  /** The plan for a server whose names are UTF-8, or are not (S10). */
  planFor(isUtf8: boolean): Plan;
  /** Where a file goes. */
  readonly destination: Destination;
  /** The command that resumes the partial file. */
  continuation(): string;
  readonly listing: ListingOutput;
  /** Whether a name that turns out to be a directory may be listed in its place (P8). */
  readonly listsInstead: boolean;
  /** The code page of TYPE E (D3). */
  readonly ebcdicEncoding: EbcdicEncoding;
  /** Whether the file gets the server's modification time. */
  readonly keepsTime: boolean;
  /** Over how many data connections a large file may come. */
  readonly segments: number;
  /** Why a file with these facts needn't be fetched; undefined when it is wanted. */
  readonly skips: ((facts: FileFacts) => Promise<string | undefined>) | undefined;
}

/** What a try has besides the job. */
export interface FetchContext {
  readonly state: AttemptState;
  readonly observer: Observer;
  /** Where further sessions come from. */
  readonly pool: SessionPool;
  /** What the session will be asked for after this document. */
  readonly following: () => NextRequest;
}

/** A job: what to do for one URL, before and after its destination is made. */
import type { Checksum } from "../checksums/checksum.ts";
import type { Destination } from "../files/destination.ts";
import type { FileFacts } from "../ftp/document-steps.ts";
import type { NextRequest } from "../ftp/behind-retrieve.ts";
import type { SessionPool } from "../ftp/session-pool.ts";
import type { Session } from "../ftp/session.ts";
import type { ListingFormatter } from "../listing/format.ts";
import type { ListingCommand } from "../listing/parse-listing.ts";
import type { EbcdicEncoding } from "../text/ebcdic.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import type { Plan } from "../url/plan.ts";
import type { AttemptState } from "./attempt-state.ts";
import type { Observer } from "./events.ts";
import type { SerialQueue } from "./queue/serial-queue.ts";
import type { Inventory } from "./spider/inventory.ts";

/** Where and how a listing is shown. */
export interface ListingOutput {
  /** Whether the server's lines are shown unchanged. */
  readonly isRaw: boolean;
  readonly destination: Destination;
  /** The only command to be sent; undefined where the server's abilities decide. */
  readonly command?: "LIST -a" | undefined;
  /** For the directory that `plan` leads to from the server of `url`; see `ReceiverFor`. */
  readonly formatterFor: (
    url: FtpUrl,
    plan: Plan,
    command: ListingCommand,
    asItComes: boolean,
  ) => ListingFormatter;
  /** Lists one directory at a time, so that their lines don't mix. */
  readonly queue: SerialQueue;
  lastShown: AttemptState | undefined;
}

/** Why a document isn't fetched; "left out" is no result of the run. */
export type Skip =
  "left out" | { readonly reason: "exists" | "unchanged"; readonly explanation: string };

/** A job that waits for its turn. */
export interface QueuedJob {
  readonly url: FtpUrl;
  /** The URL without its password. */
  readonly shownUrl: string;
  /** The plan as far as it can be told without asking a server. */
  readonly presumed: Plan;
  /** Undefined where it depends on the encoding of the server's names (S10). */
  readonly plan: Plan | undefined;
  readonly name: string;
  /** Where a file goes, if that name is free. */
  readonly path: string;
  /** What it replaces, resumes or skips, if known; jobs with the same file run in order. */
  readonly file: string | undefined;
  readonly expected: readonly Checksum[];
  /** Undefined where it belongs to no tree. */
  readonly branch?: Branch | undefined;
}

/** What a job of a tree has besides. */
export interface Branch {
  /** Of a file: size and exact time, by which a local one is compared. */
  readonly facts?: FileFacts | undefined;
  /** Of a tree's directory or link: its path from the top on, as text. */
  readonly label?: string;
  /** What the listing says that the server may not say again. */
  readonly listedSize?: number | undefined;
  /** Whether the entry is a link, which may lead nowhere. */
  readonly isLink?: boolean;
  /** Whether the name is only wanted if it is a directory's. */
  readonly leavesFilesOut?: boolean;
  /** Whether it asks about files of a directory that is made: no local file makes it unnecessary. */
  readonly isQuestion?: boolean;
  /** Lists the directory that the name stands for, or asks about its files; undefined for a file. */
  list?(session: Session, plan: Plan, job: Job, context: ListingContext): Promise<void>;
  /** Called once, when the job has ended in whatever way: the jobs that follow from it. */
  end(): Iterator<QueuedJob> | undefined;
}

/** A job that is being done. */
export interface Job extends QueuedJob {
  /** The plan for a server whose names are UTF-8 or not (S10). */
  planFor(isUtf8: boolean): Plan;
  readonly destination: Destination;
  /** The command that resumes the partial file. */
  continuation(): string;
  readonly listing: ListingOutput;
  /** Whether a name that turns out to be a directory's may be listed (P8). */
  readonly listsInstead: boolean;
  /** The code page of TYPE E (D3). */
  readonly ebcdicEncoding: EbcdicEncoding;
  /** Whether the file gets the server's modification time. */
  readonly keepsTime: boolean;
  /** The most data connections for a large file. */
  readonly segments: number;
  /** Where to print what was found, in place of fetching it. */
  readonly inventory: Inventory | undefined;
  /** Why a file with these facts needn't be fetched; undefined when it must be. */
  readonly skips: ((facts: FileFacts) => Promise<Skip | undefined>) | undefined;
}

/** What a try to list a directory of a tree has besides the job. */
export interface ListingContext {
  readonly state: AttemptState;
  /** The next listing that this session may be asked for; changed files may come before it. */
  readonly coming: () => Plan | undefined;
}

/** What a try has besides the job. */
export interface FetchContext extends ListingContext {
  readonly observer: Observer;
  readonly pool: SessionPool;
  /** What the session will be asked for after this document. */
  readonly following: () => NextRequest;
}

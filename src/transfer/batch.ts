/**
 * All documents of a run, one after the other or several at once: a failure doesn't stop the others (M3).
 */
import { type FtpullError, Interrupted, toFtpullError } from "../errors.ts";
import { ClosedOutput } from "../local/output-stream.ts";
import { persist, type RetryPolicy } from "./attempts.ts";
import { DocumentAttempt } from "./document-attempt.ts";
import type { Observer } from "./events.ts";
import { withHint } from "./hints.ts";
import type { Job } from "./job.ts";
import type { SessionPool } from "./session-pool.ts";

/** Told about each document that doesn't arrive, as soon as that is known. */
export interface BatchReport {
  skipped(job: Job, reason: string): void;
  failed(job: Job, error: FtpullError): void;
  /** The run ends in the middle of this document; `hint` says how to go on where that can be done. */
  interrupted(job: Job, hint: string | undefined): void;
}

/** What the documents of a run have in common. */
interface Batch {
  readonly pool: SessionPool;
  readonly policy: RetryPolicy;
  readonly observer: Observer;
  readonly report: BatchReport;
  /** How many documents are fetched at once. */
  readonly jobs: number;
}

/**
 * Fetches every job's document.
 * @throws Interrupted; ClosedOutput when nobody reads any more; every other failure goes to the batch's report
 */
export async function fetchAll(jobs: readonly Job[], batch: Batch): Promise<void> {
  const queue = jobs.values();
  const workers = Array.from({ length: batch.jobs }, () => work(queue, batch));
  // Each worker lets go of its document before the first failure is passed on.
  const results = await Promise.allSettled(workers);
  await batch.pool.close();
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined) throw failure.reason;
}

/** Takes the next document from the queue that all workers share, until there is none. */
async function work(queue: Iterator<Job>, batch: Batch): Promise<void> {
  let next: Job | undefined;
  // Whoever asks for the next document has taken it: another worker can't.
  const look = (): Job | undefined => (next ??= queue.next().value);
  for (let job; (job = look()) !== undefined;) {
    next = undefined;
    await fetchOne(job, look, batch);
  }
}

async function fetchOne(
  job: Job,
  next: () => Job | undefined,
  { pool, policy, observer, report }: Batch,
): Promise<void> {
  try {
    const skipped = await persist(new DocumentAttempt(job, pool, observer, next), policy);
    if (skipped !== undefined) report.skipped(job, skipped);
  } catch (error) {
    const hint = await keep(job);
    if (error instanceof ClosedOutput) throw error;
    if (error instanceof Interrupted) {
      report.interrupted(job, hint);
      throw error;
    }
    report.failed(job, withHint(toFtpullError(error), job.url, hint));
  }
}

/** Lets go of the destination; resolves with how a later run can go on, where something is kept. */
async function keep(job: Job): Promise<string | undefined> {
  const command = job.continuation();
  try {
    await job.listing.destination.close();
    const octets = await job.destination.close();
    if (octets === 0) return undefined;
    return `the ${octets} octets that arrived are kept: go on with: ${command}`;
  } catch {
    // The failure that led here matters more than what it leaves behind.
    return undefined;
  }
}

/**
 * All documents of a run, one after the other or several at once: a failure doesn't stop the others (M3).
 */
import { type FtpullError, Interrupted, toFtpullError } from "../errors.ts";
import { ClosedOutput } from "../files/output/output-stream.ts";
import type { SessionPool } from "../ftp/session-pool.ts";
import { DocumentAttempt, type Next } from "./document-attempt.ts";
import type { Observer } from "./events.ts";
import { withHint } from "./hints.ts";
import { JobQueue, type Line } from "./job-queue.ts";
import type { Job } from "./job.ts";
import { retry, type RetryPolicy } from "./retry.ts";
import { Slots } from "./slots.ts";

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
  const queue = new JobQueue(jobs, (job) => isSkipped(job, batch));
  const slots = new Slots(batch.jobs);
  const workers = Array.from({ length: batch.jobs }, () => work(queue, slots, batch));
  // Each worker lets go of its document before the first failure is passed on.
  const results = await Promise.allSettled(workers);
  await batch.pool.close();
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined) throw failure.reason;
}

/** Takes the next documents from the queue that all workers share, until there are none. */
async function work(queue: JobQueue, slots: Slots, batch: Batch): Promise<void> {
  let next: Line | undefined;
  // A line that was asked for is taken: no other worker gets it.
  const look = (): Line | undefined => (next ??= queue.take());
  for (let line; (line = look()) !== undefined;) {
    next = undefined;
    for (const [index, job] of line.entries()) {
      await fetchOne(job, () => following(line!, index, look), slots, batch);
    }
    queue.close(line);
  }
}

/** What a worker will do after the job at `index` of a line. Looking further may lengthen the line. */
function following(line: Line, index: number, look: () => Line | undefined): Next {
  const next = line.length > index + 1 ? undefined : look();
  return line.length > index + 1 ? "same file" : next?.[0];
}

async function fetchOne(job: Job, next: () => Next, slots: Slots, batch: Batch): Promise<void> {
  const { pool, policy, observer, report } = batch;
  await slots.take();
  try {
    if (isSkipped(job, batch)) return;
    const attempt = new DocumentAttempt(job, pool, observer, slots, next);
    const skipped = await retry(attempt, policy);
    if (skipped !== undefined) report.skipped(job, skipped);
  } catch (error) {
    const hint = await keep(job);
    if (error instanceof ClosedOutput) throw error;
    if (error instanceof Interrupted) {
      report.interrupted(job, hint);
      throw error;
    }
    report.failed(job, withHint(toFtpullError(error), job.url, hint));
  } finally {
    slots.leave();
  }
}

/** Whether nothing is to be asked for a job, which is reported; it may be another time. */
function isSkipped(job: Job, { report }: Batch): boolean {
  try {
    const reason = job.isThere?.();
    if (reason !== undefined) report.skipped(job, reason);
    return reason !== undefined;
  } catch (error) {
    report.failed(job, toFtpullError(error));
    return true;
  }
}

/** Lets go of the destination; resolves with how a later run can go on, where something is kept. */
async function keep(job: Job): Promise<string | undefined> {
  const command = job.continuation();
  try {
    await job.listing.destination.keep();
    const octets = await job.destination.keep();
    if (octets === 0) return undefined;
    return `the ${octets} octets that arrived are kept: go on with: ${command}`;
  } catch {
    // The failure that led here matters more than what it leaves behind.
    return undefined;
  }
}

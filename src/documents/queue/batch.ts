/** All documents of a run, one or several at once; a failure doesn't stop the others (M3). */
import { ClosedOutput, Interrupted, toFtpullError } from "../../errors.ts";
import type { SessionPool } from "../../ftp/session-pool.ts";
import type { RetryPolicy } from "../../tries.ts";
import { type Ahead, DocumentAttempt, type Next } from "../document-attempt.ts";
import type { Observer } from "../events.ts";
import { type CommandFor, withHint } from "../hints.ts";
import type { Job, QueuedJob, Skip } from "../job.ts";
import { failed, type Report, type Result } from "../result.ts";
import { retry } from "../retry.ts";
import { Backlog } from "./backlog.ts";
import { JobQueue, type Line } from "./job-queue.ts";
import { type Unknown, unknown } from "./read-ahead.ts";

/** What the documents of a run have in common. */
export interface Batch {
  readonly pool: SessionPool;
  readonly policy: RetryPolicy;
  readonly observer: Observer;
  readonly report: Report;
  /** How many documents are fetched at once. */
  readonly jobs: number;
  /** Makes the destination of a job. */
  readonly open: (job: QueuedJob) => Job;
  /** Why local files make a job unnecessary; undefined when it must be done. */
  readonly skips: (job: QueuedJob) => Skip | undefined;
  /** The command, for hints, that fetches a URL as this run does. */
  readonly commandFor: CommandFor;
  /** Whether the caller tells how an interrupted run goes on: once, not for each document. */
  readonly tellsRest: boolean;
}

/** Fetches every job's document. @throws Interrupted; ClosedOutput; what `jobs` throws */
export async function fetchAll(jobs: AsyncIterable<QueuedJob>, batch: Batch): Promise<void> {
  const backlog = new Backlog(jobs);
  const queue = new JobQueue(backlog, (job) => isSkipped(job, batch));
  // With several workers, another one may take it.
  const coming = (): QueuedJob | undefined => (batch.jobs === 1 ? backlog.coming() : undefined);
  const fetch = (job: QueuedJob, next: () => Next): Promise<void> =>
    fetchOne(job, { next, coming }, batch).finally(() => backlog.ended(job));
  const workers = Array.from({ length: batch.jobs }, () =>
    work(queue, fetch).finally(() => backlog.stop()),
  );
  // Every worker closes its document before the first failure is passed on.
  const results = await Promise.allSettled(workers);
  await batch.pool.close();
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined) throw failure.reason;
}

async function work(
  queue: JobQueue,
  fetch: (job: QueuedJob, next: () => Next) => Promise<void>,
): Promise<void> {
  let next: Line | Unknown | undefined = unknown;
  // A line that was looked at is taken: no other worker gets it.
  const look = (): typeof next => (next = next === unknown ? queue.takeIfKnown() : next);
  for (let line; (line = next === unknown ? await queue.take() : next) !== undefined;) {
    next = unknown;
    const [first] = line;
    for (let job; (job = line.shift()) !== undefined;)
      // Those before it may have made it unnecessary.
      if (job === first || !queue.skips(job)) await fetch(job, () => following(line!, look));
    queue.close(first?.file);
  }
}

/** The job after the last one taken from `line`. Looking further may lengthen the line. */
function following(line: Line, look: () => Line | Unknown | undefined): Next {
  const next = line.length > 0 ? unknown : look();
  return line.length > 0 || next === unknown ? unknown : next?.[0];
}

async function fetchOne(queued: QueuedJob, ahead: Ahead, batch: Batch): Promise<void> {
  const { now } = batch.policy;
  const job = batch.open(queued);
  const attempt = new DocumentAttempt(job, batch.pool, batch.observer, ahead);
  const begun = now();
  const result = await resultOf(job, attempt, batch);
  if (result === undefined) return;
  const reported = batch.report({ ...result, seconds: (now() - begun) / 1000 });
  // The end of the run doesn't wait for a slow reader.
  if (result.error instanceof Interrupted) throw result.error;
  await reported;
}

async function resultOf(
  job: Job,
  attempt: DocumentAttempt,
  { policy, observer, commandFor, tellsRest }: Batch,
): Promise<Result | undefined> {
  try {
    const skip = await retry(attempt, policy);
    if (skip === undefined) return attempt.done();
    const result = skipped(job, skip);
    return result && { ...result, ...attempt.facts };
  } catch (error) {
    const { octets, kept, hint } = await keep(job);
    if (error instanceof ClosedOutput) throw error;
    const failure = toFtpullError(error);
    const isInterrupted = failure instanceof Interrupted;
    const remains = tellsRest ? kept : hint;
    if (isInterrupted)
      observer.info(`${job.shownUrl}: interrupted${remains === undefined ? "" : `; ${remains}`}`);
    const told = isInterrupted ? failure : withHint(failure, job, hint, commandFor);
    return { ...failed(job.shownUrl, told), ...attempt.facts, octets };
  }
}

/** Reports a job that needn't be done; a later call may decide otherwise. */
function isSkipped(job: QueuedJob, { skips, report }: Batch): boolean {
  try {
    const skip = skips(job);
    const result = skip && skipped(job, skip);
    if (result !== undefined) void report(result);
    return skip !== undefined;
  } catch (error) {
    void report(failed(job.shownUrl, toFtpullError(error)));
    return true;
  }
}

function skipped({ shownUrl, path, branch }: QueuedJob, skip: Skip): Result | undefined {
  if (skip === "left out") return undefined;
  const inTree = branch !== undefined;
  return { url: shownUrl, status: "skipped", exit: 0, file: path, ...skip, inTree };
}

/** Keeps what arrived; resolves with its octets and how a later run can resume it. */
async function keep(job: Job): Promise<{ octets?: number; kept?: string; hint?: string }> {
  const command = job.continuation();
  try {
    const octets = await job.destination.keep();
    await job.listing.destination.keep(); // with -O it is the same one
    if (octets === 0) return { octets };
    const kept = `the ${octets} octets that arrived are kept`;
    return { octets, kept, hint: `${kept}: go on with: ${command}` };
  } catch {
    // The failure that led here matters more.
    return {};
  }
}

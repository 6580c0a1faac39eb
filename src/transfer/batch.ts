/**
 * All documents of a run, one after the other: a failure doesn't stop the others (M3).
 */
import { type FtpullError, Interrupted, toFtpullError } from "../errors.ts";
import type { Observer } from "./events.ts";
import { fetchDocument } from "./fetch.ts";
import type { Arrival, Job, Outcome } from "./job.ts";
import type { SessionPool } from "./session-pool.ts";

/** Told about each document as soon as its fate is known. */
export interface BatchReport {
  done(job: Job, arrival: Arrival): void;
  skipped(job: Job, reason: string): void;
  failed(job: Job, error: FtpullError): void;
}

/**
 * Fetches every job's document.
 * @throws Interrupted; every other failure goes to `report`
 */
export async function fetchAll(
  jobs: Iterable<Job>,
  pool: SessionPool,
  observer: Observer,
  report: BatchReport,
): Promise<void> {
  try {
    for (const job of jobs) await fetchOne(job, pool, observer, report);
  } finally {
    await pool.close();
  }
}

async function fetchOne(
  job: Job,
  pool: SessionPool,
  observer: Observer,
  report: BatchReport,
): Promise<void> {
  try {
    const outcome = await attempt(job, pool, observer);
    if ("skipped" in outcome) report.skipped(job, outcome.skipped);
    else report.done(job, outcome);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    report.failed(job, toFtpullError(error));
  }
}

async function attempt(job: Job, pool: SessionPool, observer: Observer): Promise<Outcome> {
  const plan = job.dependsOnUtf8 ? undefined : job.planFor(true);
  const session = await pool.acquire(job.url, plan);
  try {
    return await fetchDocument(session, job, observer);
  } finally {
    await pool.release(job.url, session);
  }
}

/**
 * The jobs that are still to be done, in order, as they become known. Jobs for one file run one
 * after the other: the worker that takes the first one does the later ones too.
 */
import type { QueuedJob } from "../job.ts";
import type { Backlog } from "./backlog.ts";
import { type Unknown, unknown } from "./read-ahead.ts";

/** Jobs for one file, in order; while the line is open, more may be added at its end. */
export type Line = QueuedJob[];

export class JobQueue {
  readonly #jobs: Backlog;
  readonly #isSkipped: (job: QueuedJob) => boolean;
  /** Lines that workers have taken, by file. */
  readonly #open = new Map<string, Line>();

  /** `isSkipped` tells whether a job needn't be done, and reports it. */
  constructor(jobs: Backlog, isSkipped: (job: QueuedJob) => boolean) {
    this.#jobs = jobs;
    this.#isSkipped = isSkipped;
  }

  /** The next job whose file is free, in an open line; undefined when none is left. */
  async take(): Promise<Line | undefined> {
    for (let job; (job = await this.#jobs.next()) !== undefined;) {
      const line = this.#begin(job);
      if (line !== undefined) return line;
    }
    return undefined;
  }

  /** The same without a wait: unknown when the next job isn't read yet. */
  takeIfKnown(): Line | Unknown | undefined {
    for (let job; (job = this.#jobs.nextIfKnown()) !== undefined;) {
      const line = job === unknown ? unknown : this.#begin(job);
      if (line !== undefined) return line;
    }
    return undefined;
  }

  close(file: string | undefined): void {
    if (file !== undefined) this.#open.delete(file);
  }

  /** Whether the job needn't be done; then it has ended. */
  skips(job: QueuedJob): boolean {
    const isSkipped = this.#isSkipped(job);
    if (isSkipped) this.#jobs.ended(job);
    return isSkipped;
  }

  /** No line for a skipped job, or when another line has its file. */
  #begin(job: QueuedJob): Line | undefined {
    const { file } = job;
    const open = file === undefined ? undefined : this.#open.get(file);
    if (open !== undefined) open.push(job);
    if (open !== undefined || this.skips(job)) return undefined;
    const line = [job];
    if (file !== undefined) this.#open.set(file, line);
    return line;
  }
}

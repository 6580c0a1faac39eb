/**
 * The jobs that are still to be done, in order, as they become known. Those whose documents have
 * one file come one after the other: the worker that takes the first one does the later ones too.
 */
import type { QueuedJob } from "./job.ts";
import { type ReadAhead, type Unknown, unknown } from "./read-ahead.ts";

/** Jobs for one file, in order. As long as it is open, more may be added at its end. */
export type Line = QueuedJob[];

export class JobQueue {
  readonly #jobs: ReadAhead<QueuedJob>;
  readonly #isSkipped: (job: QueuedJob) => boolean;
  /** The lines that are taken, by file. */
  readonly #open = new Map<string, Line>();

  /** `isSkipped` tells of a job that would be the next one whether there is nothing to do for it. */
  constructor(jobs: ReadAhead<QueuedJob>, isSkipped: (job: QueuedJob) => boolean) {
    this.#jobs = jobs;
    this.#isSkipped = isSkipped;
  }

  /** The next job of which the file is free, in an open line; undefined when no such job is left. */
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

  /** All jobs for the file are done: it is free. */
  close(file: string | undefined): void {
    if (file !== undefined) this.#open.delete(file);
  }

  /** No line when another one has the job's file, or when the job is skipped. */
  #begin(job: QueuedJob): Line | undefined {
    const { file } = job;
    const open = file === undefined ? undefined : this.#open.get(file);
    if (open !== undefined || this.#isSkipped(job)) return void open?.push(job);
    const line = [job];
    if (file !== undefined) this.#open.set(file, line);
    return line;
  }
}

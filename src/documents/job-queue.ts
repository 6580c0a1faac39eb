/**
 * The jobs that are still to be done, in order. Those whose documents have one file come one
 * after the other: the worker that takes the first one does the later ones too.
 */
import type { Job } from "./job.ts";

/** Jobs for one file, in order. As long as it is open, more may be added at its end. */
export type Line = readonly Job[];

export class JobQueue {
  readonly #jobs: Iterator<Job>;
  readonly #isSkipped: (job: Job) => boolean;
  /** The lines that are taken, by file. */
  readonly #open = new Map<string, Job[]>();

  /** `isSkipped` tells of a job that would be the next one whether there is nothing to do for it. */
  constructor(jobs: Iterable<Job>, isSkipped: (job: Job) => boolean) {
    this.#jobs = jobs[Symbol.iterator]();
    this.#isSkipped = isSkipped;
  }

  /** The next job of which the file is free, in an open line; undefined when no such job is left. */
  take(): Line | undefined {
    for (let job: Job | undefined; (job = this.#jobs.next().value) !== undefined;) {
      const { file } = job;
      const line = file === undefined ? undefined : this.#open.get(file);
      if (line !== undefined) line.push(job);
      else if (!this.#isSkipped(job)) return this.#begin(job);
    }
    return undefined;
  }

  /** All jobs of the line are done: its file is free. */
  close(line: Line): void {
    const file = line[0]?.file;
    if (file !== undefined) this.#open.delete(file);
  }

  #begin(job: Job): Line {
    const line = [job];
    if (job.file !== undefined) this.#open.set(job.file, line);
    return line;
  }
}

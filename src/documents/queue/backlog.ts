/**
 * The jobs that are known and not taken: those that follow from others, the latest first, then
 * those of the run's URLs.
 */
import type { QueuedJob } from "../job.ts";
import { ReadAhead, type Unknown, unknown } from "./read-ahead.ts";

export class Backlog {
  readonly #urls: ReadAhead<QueuedJob>;
  /** The jobs of directories that were listed; those of the last one come next. */
  readonly #further: Iterator<QueuedJob>[] = [];
  /** Jobs that others may follow from. */
  readonly #open = new Set<QueuedJob>();
  #isStopped = false;

  constructor(jobs: AsyncIterable<QueuedJob>) {
    this.#urls = new ReadAhead(jobs);
  }

  /** Takes the next job; undefined at the end. @throws what the stream of URLs throws */
  async next(): Promise<QueuedJob | undefined> {
    for (;;) {
      const next = this.nextIfKnown();
      if (next !== unknown) return next;
      await this.#urls.change();
    }
  }

  /** Takes the next job if it is known; undefined at the end. */
  nextIfKnown(): QueuedJob | Unknown | undefined {
    if (this.#isStopped) return undefined;
    const next = this.#nextFurther() ?? this.#urls.nextIfKnown();
    if (next === undefined && this.#open.size > 0) return unknown;
    if (next !== undefined && next !== unknown && next.branch?.list !== undefined)
      this.#open.add(next);
    return next;
  }

  /** The directory that is next, if it is known; it isn't taken. */
  coming(): QueuedJob | undefined {
    const next = this.#isStopped ? undefined : this.#nextFurther();
    if (next !== undefined) this.#further.push([next].values());
    return next?.presumed.action === "list" && !next.branch?.isQuestion ? next : undefined;
  }

  /** Takes the jobs that follow from one that has ended. */
  ended(job: QueuedJob): void {
    const further = job.branch?.end();
    if (further !== undefined) this.#further.push(further);
    if (this.#open.delete(job)) this.#urls.wake();
  }

  /** Gives no further job; pending calls get undefined. */
  stop(): void {
    this.#isStopped = true;
    this.#urls.stop();
  }

  #nextFurther(): QueuedJob | undefined {
    for (let last; (last = this.#further.at(-1)) !== undefined; this.#further.pop()) {
      const { value, done } = last.next();
      if (!done) return value;
    }
    return undefined;
  }
}

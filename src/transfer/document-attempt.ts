/**
 * The tries for one document: each on a session of its own choice, each building on what
 * the ones before have brought.
 */
import { type FtpullError, Interrupted, toFtpullError } from "../errors.ts";
import { NoWayBack } from "../session/working-directory.ts";
import type { Attempt } from "./attempts.ts";
import type { Observer } from "./events.ts";
import { fetchDocument } from "./fetch.ts";
import type { Headway, Job, Outcome } from "./job.ts";
import type { SessionPool } from "./session-pool.ts";

export class DocumentAttempt implements Attempt<Outcome> {
  readonly #job: Job;
  readonly #pool: SessionPool;
  readonly #observer: Observer;
  readonly #headway: Headway = { octets: 0, anew: false, single: false };

  constructor(job: Job, pool: SessionPool, observer: Observer) {
    this.#job = job;
    this.#pool = pool;
    this.#observer = observer;
  }

  /**
   * A connection that broke because commands travelled together costs no try, nor does one from
   * which there is no way to the document (M2).
   */
  async run(): Promise<Outcome> {
    const habits = this.#pool.habitsOf(this.#job.url);
    const pipelining = habits.pipelining;
    try {
      return await this.#fetch();
    } catch (error) {
      if (error instanceof NoWayBack) return this.#fetch();
      if (!pipelining || habits.pipelining || error instanceof Interrupted) throw error;
      const { message, transient } = toFtpullError(error);
      // A server that refused the host and closed has said why (S2): asking otherwise changes nothing.
      if (!transient) throw error;
      this.#observer.note(`${message}: sending one command at a time from now on`);
      return this.#fetch();
    }
  }

  progress(): number {
    return this.#headway.octets;
  }

  async beginAgain(): Promise<boolean> {
    if (!this.#job.destination.rewindable) return false;
    await this.#job.destination.discard();
    // A plain file that is not the document's beginning stays until the document is whole.
    this.#headway.anew = true;
    return true;
  }

  retrying(error: FtpullError, remaining: number | undefined, waitMs: number): void {
    const tries =
      remaining === undefined ? "" : ` (${remaining} ${remaining === 1 ? "try" : "tries"} left)`;
    const seconds = (waitMs / 1000).toFixed(1);
    this.#observer.note(
      `${this.#job.shownUrl}: ${error.message}; trying again in ${seconds} s${tries}`,
    );
  }

  beginningAgain(because: string): void {
    this.#observer.note(`${this.#job.shownUrl}: ${because}; beginning again`);
  }

  async #fetch(): Promise<Outcome> {
    const job = this.#job;
    const plan = job.dependsOnUtf8 ? undefined : job.planFor(true);
    const session = await this.#pool.acquire(job.url, plan);
    try {
      const means = { headway: this.#headway, observer: this.#observer, pool: this.#pool };
      return await fetchDocument(session, job, means);
    } finally {
      await this.#pool.release(job.url, session);
    }
  }
}

/** The tries for one document: each gets a session, and resumes what earlier ones stored. */
import { type FtpullError, Interrupted, toFtpullError } from "../errors.ts";
import { NoWayBack } from "../ftp/path-steps.ts";
import type { NextRequest } from "../ftp/behind-retrieve.ts";
import type { SessionPool } from "../ftp/session-pool.ts";
import type { Session } from "../ftp/session.ts";
import type { Plan } from "../url/plan.ts";
import { AttemptState } from "./attempt-state.ts";
import type { Observer } from "./events.ts";
import { fetchDocument } from "./fetch.ts";
import type { Job, QueuedJob, Skip } from "./job.ts";
import { type Unknown, unknown } from "./queue/read-ahead.ts";
import type { Result } from "./result.ts";
import { type Attempt, type BeginAgain, Outgrown } from "./retry.ts";

/** The next job; undefined for none, unknown before it is read or while it depends on this one. */
export type Next = QueuedJob | Unknown | undefined;

/** The jobs after this one. */
export interface Ahead {
  /** Takes the next one. */
  readonly next: () => Next;
  /** The directory that is next, unless jobs follow from this one; it isn't taken. */
  readonly coming: () => QueuedJob | undefined;
}

/** Resolves with why the document was skipped; undefined where it arrived. */
export class DocumentAttempt implements Attempt<Skip | undefined> {
  readonly #job: Job;
  readonly #pool: SessionPool;
  readonly #observer: Observer;
  readonly #ahead: Ahead;
  readonly #state: AttemptState;

  constructor(job: Job, pool: SessionPool, observer: Observer, ahead: Ahead) {
    this.#job = job;
    this.#pool = pool;
    this.#observer = observer;
    this.#ahead = ahead;
    this.#state = new AttemptState(observer);
  }

  /** Cost no try, once each: broken pipelining, no way back (M2). */
  async run(): Promise<Skip | undefined> {
    const capabilities = this.#pool.capabilitiesOf(this.#job.url);
    const repeated = new Set<string>();
    for (;;) {
      const { pipelining } = capabilities;
      try {
        return await this.#fetch();
      } catch (error) {
        const remedy = remedyFor(error, pipelining && !capabilities.pipelining);
        if (remedy === undefined || repeated.has(remedy)) throw error;
        repeated.add(remedy);
        if (remedy !== "") this.#observer.info(`${toFtpullError(error).message}: ${remedy}`);
      }
    }
  }

  /** Undefined for a directory of a tree, whose entries have results of their own. */
  done(): Result | undefined {
    const { shownUrl: url, destination, listing, expected, branch, inventory } = this.#job;
    const { facts, resumed, octets, listed } = this.#state;
    const status = "done";
    if (facts === undefined && branch !== undefined) return undefined;
    if (inventory !== undefined) return { url, status, exit: 0, ...facts };
    if (facts === undefined)
      return { url, status, exit: 0, file: listing.destination.label, octets: listed };
    const { size, modified } = facts;
    return {
      url,
      status,
      exit: 0,
      file: destination.label,
      octets: resumed === undefined ? size : octets, // a whole file of an earlier run isn't fetched
      resumed: resumed ?? size ?? 0,
      size,
      modified,
      sha256: expected.find(({ algorithm }) => algorithm === "sha256")?.hex,
    };
  }

  /** What the server has said of the document. */
  get facts(): Pick<Result, "size" | "modified"> {
    const { size, modified } = this.#state.facts ?? {};
    return { size, modified };
  }

  progress(): number {
    return this.#state.octets;
  }

  async beginAgain(reason: BeginAgain): Promise<boolean> {
    const { destination, shownUrl } = this.#job;
    const { keeps, message } = reason;
    this.#state.isOutgrown = reason instanceof Outgrown;
    if (this.#state.isOutgrown) return true;
    if (!destination.rewindable) return false;
    await (keeps ? destination.keep() : destination.discard());
    // A plain file that is not the document's beginning stays until the document is whole.
    this.#state.anew = true;
    this.#state.octets = 0;
    this.#observer.info(`${shownUrl}: ${message}; beginning again`);
    return true;
  }

  retrying({ message }: FtpullError, words: string): void {
    this.#observer.info(`${this.#job.shownUrl}: ${message}; ${words}`);
  }

  async #fetch(): Promise<Skip | undefined> {
    const job = this.#job;
    const session = await this.#pool.acquire(job.url, job.plan);
    try {
      return await fetchDocument(session, job, {
        state: this.#state,
        observer: this.#observer,
        pool: this.#pool,
        following: () => this.#following(session),
        coming: () => this.#servable(session, this.#ahead.coming()),
      });
    } finally {
      await this.#pool.release(job.url, session);
    }
  }

  /** The next document's plan, if it is known and this session will serve it. */
  #following(session: Session): NextRequest {
    const { url } = this.#job;
    const next = this.#ahead.next();
    // Another document waits, perhaps for a connection that never comes: it gets the session.
    if (next === unknown || this.#pool.isAwaited(url)) return undefined;
    if (next === undefined) return "quit";
    return this.#servable(session, next);
  }

  #servable(session: Session, next: QueuedJob | undefined): Plan | undefined {
    const { url, plan } = next ?? {};
    const isServed = url && plan && this.#pool.canServe(session, this.#job.url, url, plan);
    return isServed ? plan : undefined;
  }
}

/** What the next try changes ("" isn't reported); undefined if the failure costs a try. */
function remedyFor(error: unknown, brokePipelining: boolean): string | undefined {
  if (error instanceof Interrupted) return undefined;
  if (error instanceof NoWayBack) return "";
  // A server that refused the host and closed has said why (S2): a change won't help.
  const isHelped = brokePipelining && toFtpullError(error).transient;
  return isHelped ? "sending one command at a time from now on" : undefined;
}

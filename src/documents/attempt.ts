/** The tries for one task: each gets a session, and tells the queue's next task to it. */
import { Interrupted, toFtpullError } from "../errors.ts";
import type { NextRequest } from "../ftp/behind-retrieve.ts";
import type { DocumentPlan } from "../ftp/document-steps.ts";
import { NoWayBack } from "../ftp/path-steps.ts";
import type { Login } from "../ftp/server-sessions.ts";
import type { SessionPool } from "../ftp/session-pool.ts";
import type { Session } from "../ftp/session.ts";
import type { DocumentProgress, DocumentStart, Observer } from "./events.ts";
import type { Result } from "./result.ts";
import { type BeginAgain, GrewDuringTransfer, type Repeatable } from "./retry.ts";
import { certainPlan, type Task } from "./task.ts";
import { type Ahead, unknown } from "./task-queue.ts";
import { ChecksumUnanswered } from "./verify/server-checksum.ts";
import { type Verified, verifiedText } from "./verify/verification.ts";

export class Attempt implements Repeatable<Result | undefined> {
  readonly login: Login;
  readonly observer: Observer;
  readonly #task: Task;
  readonly #pool: SessionPool;
  readonly #ahead: Ahead;
  #session: Session | undefined;
  #progress: DocumentProgress | undefined;
  /** The most octets that a try has brought since the last beginning: more than before is progress. */
  octets = 0;

  constructor(task: Task, pool: SessionPool, observer: Observer, ahead: Ahead) {
    this.#task = task;
    this.#pool = pool;
    this.login = pool.loginOf(task.document.url);
    this.observer = observer;
    this.#ahead = ahead;
  }

  /** These failures are repeated once each without counting as a try: `remedyFor` has them. */
  async run(): Promise<Result | undefined> {
    const { server, capabilities } = this.login;
    const repeated = new Set<Remedy>();
    for (;;) {
      const session = await server.acquire(this.login, certainPlan(this.#task.document));
      const { pipelining } = capabilities; // as the pool's own tries have left it
      try {
        return await this.#runOver(session);
      } catch (error) {
        const remedy = remedyFor(error, pipelining && !capabilities.pipelining);
        if (remedy === undefined || repeated.has(remedy)) throw error;
        repeated.add(remedy);
        if (remedy === "no checksums")
          this.observer.info(`${toFtpullError(error).message}: going on without its checksums`);
      }
    }
  }

  /** Data is about to arrive. */
  begin(start: DocumentStart): void {
    this.#progress = this.observer.begin(start);
  }

  advance(octets: number): void {
    this.octets = Math.max(this.octets, octets);
    this.#progress?.advance(octets);
  }

  /** The data has ended; `whole` tells whether the document has arrived, and was verified by what. */
  ended(whole: boolean, verified?: Verified): void {
    this.#progress?.end(whole, verified && verifiedText(verified));
    this.#progress = undefined;
  }

  /** Request that follows in this session, taken from the queue. */
  next(): NextRequest {
    const next = this.#ahead.next();
    // Another document waits, perhaps for a connection that never comes: it gets the session.
    if (next === unknown || this.login.server.isAwaited) return undefined;
    return next === undefined ? "quit" : this.#servable(next);
  }

  /** The directory that the session will be asked for if no task follows from this one. */
  nextListing(): DocumentPlan | undefined {
    const plan = this.#servable(this.#ahead.coming());
    return plan?.action === "list" ? plan : undefined;
  }

  async beginAgain(reason: BeginAgain): Promise<boolean> {
    if (!(await this.#task.beginAgain?.(reason))) return false;
    if (reason instanceof GrewDuringTransfer) return true;
    this.octets = 0;
    this.say(`${reason.message}; beginning again`);
    return true;
  }

  say(text: string): void {
    this.observer.info(`${this.#task.document.shownUrl}: ${text}`);
  }

  async #runOver(session: Session): Promise<Result | undefined> {
    this.#session = session;
    try {
      return await this.#task.run(session, this);
    } finally {
      this.#session = undefined;
      await this.login.server.release(session);
    }
  }

  #servable(task: Task | undefined): DocumentPlan | undefined {
    const session = this.#session;
    if (session === undefined || task === undefined) return undefined;
    const plan = certainPlan(task.document);
    if (plan === undefined || this.login.server.hasPauses) return undefined;
    if (this.#pool.loginOf(task.document.url) !== this.login) return undefined;
    return session.reaches(plan) ? plan : undefined;
  }
}

type Remedy = "new session" | "single commands" | "no checksums";

/** Change with which the task is repeated at once; undefined if the failure costs a try. */
function remedyFor(error: unknown, brokePipelining: boolean): Remedy | undefined {
  if (error instanceof Interrupted) return undefined;
  if (error instanceof NoWayBack) return "new session"; // M2
  if (error instanceof ChecksumUnanswered) return "no checksums";
  // A server that refused the host and closed has said why (S2): a change won't help.
  const isHelped = brokePipelining && toFtpullError(error).transient;
  return isHelped ? "single commands" : undefined;
}

/** The sessions of one server, for all logins: a caller gets an idle session, or a new one. */
import { Changed } from "../changed.ts";
import { type ErrorKind, FtpullError, hasReason, toFtpullError } from "../errors.ts";
import type { GotFile } from "../net/proxy-get.ts";
import { nextTry, type RetryPolicy } from "../tries.ts";
import type { Plan } from "../url/plan.ts";
import { learn, type ServerCapabilities } from "./capabilities.ts";
import type { Session } from "./session.ts";

/** A server that bans clients for wrong passwords counts those that come within a second. */
const leastWaitAtPasswordMs = 1000;

const kindsOfLoginFailure = new Set<ErrorKind>(["login", "tls", "usage", "file", "other"]);

/**
 * A user at a server; sessions of different logins can't replace each other. Aborting the `signal` of `connect`
 * ends the session, and its later work.
 */
export interface ServerLogin {
  readonly server: ServerSessions;
  readonly connect: (signal: AbortSignal, plan: Plan | undefined) => Promise<Session>;
  /** Asks the proxy for a file by GET; for a server to which it refuses CONNECT. */
  readonly get: (plan: Plan) => Promise<GotFile>;
  /** The reason why the login gets no session any more. */
  refusal?: FtpullError;
  /** True once a session is open: its password is right. */
  isLetIn?: boolean;
  /** True once a connection was lost at a password that isn't known to be right: it is sent once more only. */
  isPasswordLost?: boolean;
}

/**
 * One session is opened at a time. So a wrong password is tried once, all callers share a failed try, and whether a
 * refusal means "no more than these" or "nobody" is told by the sessions that are open.
 */
export class ServerSessions {
  readonly capabilities: ServerCapabilities;
  readonly #policy: RetryPolicy;
  #lastTurn: Promise<void> | undefined;
  readonly #closing = new AbortController();
  /** Aborted when the run is interrupted or ends. */
  readonly #ended: AbortSignal;
  readonly #log: (text: string) => void;
  /** Failed tries to open a session, in a row: all files that wait for one share them. */
  #failures = 0;
  /** The last failure, once the tries are used up. */
  #givenUp: FtpullError | undefined;
  readonly #sessions = new Map<Session, ServerLogin>();
  readonly #idle: Session[] = [];
  readonly #changed = new Changed();
  #isOpening = false;
  #waitingCount = 0;
  #mostSessions = Infinity;

  constructor(
    policy: RetryPolicy,
    running: AbortSignal,
    pipelining: boolean,
    log: (text: string) => void,
  ) {
    this.capabilities = { pipelining };
    this.#policy = policy;
    this.#ended = AbortSignal.any([running, this.#closing.signal]);
    this.#log = log;
  }

  get isAwaited(): boolean {
    return this.#waitingCount > 0;
  }

  /** Resolves when the next file may begin: all but the first one after the pause of --wait. */
  nextTurn(): Promise<void> {
    const { wait, pauseMs = 0 } = this.#policy;
    const turn = pauseMs > 0 ? this.#lastTurn?.then(() => wait(pauseMs)) : undefined;
    return (this.#lastTurn = turn ?? Promise.resolve());
  }

  /** A session for exclusive use until `release`. @throws FtpullError, lasting, if given up or refused; Interrupted */
  async acquire(login: ServerLogin, plan: Plan | undefined): Promise<Session> {
    this.#waitingCount++;
    try {
      return (await this.#next(login, plan, true))!;
    } finally {
      this.#waitingCount--;
    }
  }

  /** A session beside others; undefined if the server lets no more in. */
  acquireFurther(login: ServerLogin, plan: Plan | undefined): Promise<Session | undefined> {
    return this.#next(login, plan, false);
  }

  async release(session: Session): Promise<void> {
    if (session.usable) this.#idle.push(session);
    else await this.#end(session);
    this.#changed.wake();
  }

  async close(): Promise<void> {
    const ended = this.#endIdle({ kept: 0, isLast: true }); // first: the abort would end them without QUIT
    this.#closing.abort();
    await ended;
    while (this.#isOpening) await this.#changed.wait();
    await this.#endIdle({ kept: 0, isLast: true });
  }

  /** An idle session, else a new one, else one to wait for; undefined where none is to be had and `waits` is false. */
  async #next(
    login: ServerLogin,
    plan: Plan | undefined,
    waits: boolean,
  ): Promise<Session | undefined> {
    for (;;) {
      this.#throwIfEnded(login);
      const index = this.#idle.findLastIndex((idle) => this.#sessions.get(idle) === login);
      if (index === -1) {
        const inUse = this.#sessions.size - this.#idle.length;
        if (!this.#isOpening && inUse < this.#mostSessions) void this.#openIdle(login, plan);
        else if (!this.#isOpening && !waits) return undefined;
        await this.#changed.wait();
        continue;
      }
      const idle = this.#idle.splice(index, 1)[0]!;
      if (await idle.prepare(plan)) return idle;
      await this.#end(idle);
      this.#changed.wake();
    }
  }

  #throwIfEnded({ refusal = this.#givenUp }: ServerLogin): void {
    this.#ended.throwIfAborted();
    if (refusal !== undefined)
      throw refusal.transient ? refusal.with({ transient: false }) : refusal;
  }

  /** Opens a session for the caller that waits longest. A failure counts as a try of all, and ends with a pause. */
  async #openIdle(login: ServerLogin, plan: Plan | undefined): Promise<void> {
    const { pipelining } = this.capabilities;
    const others = [...this.#sessions.values()];
    this.#isOpening = true;
    try {
      await this.#endIdle({ kept: this.#mostSessions - 1 });
      const signal = AbortSignal.any([this.#ended]); // Node warns of many listeners on one signal.
      const opened = await login.connect(signal, plan);
      this.#idle.push(opened);
      this.#sessions.set(opened, login);
      this.#failures = 0;
      login.isLetIn = true;
    } catch (thrown) {
      const error = toFtpullError(thrown);
      const brokePipelining = pipelining && !this.capabilities.pipelining;
      if (!this.#isFull(login, others, error)) await this.#failed(login, error, brokePipelining);
      // A connection closed because of the limit says nothing about pipelining.
      else learn(this, { pipelining });
    }
    this.#isOpening = false;
    this.#changed.wake();
  }

  /** True if the failure shows the server's limit of sessions: another one works, of this login for a login's failure. */
  #isFull(login: ServerLogin, others: readonly ServerLogin[], error: FtpullError): boolean {
    const isLogins = kindsOfLoginFailure.has(error.kind);
    const isBeside = isLogins ? others.includes(login) : others.length > 0;
    // Beside another login, too, a connection lost at the password counts as the password's.
    const isPasswordLost = hasReason(error, "lost at password") && !login.isLetIn;
    if (this.#ended.aborted || isPasswordLost || !isBeside) return false;
    if (this.#mostSessions === Infinity) this.#log(`fewer connections at once: ${error.message}`);
    this.#mostSessions = Math.max(1, this.#sessions.size);
    return true;
  }

  /** Counts a failed try, and waits before the next one. Failures of pipelining and hang-ups at a prompt cost nothing. */
  async #failed(login: ServerLogin, error: FtpullError, brokePipelining: boolean): Promise<void> {
    if (this.#ended.aborted) return;
    const isPasswordLost = hasReason(error, "lost at password");
    const isLost = isPasswordLost && !login.isLetIn;
    const isRefused = kindsOfLoginFailure.has(error.kind) && !error.transient;
    if (isRefused || (isLost && login.isPasswordLost)) {
      login.refusal = error;
      return;
    }
    login.isPasswordLost ||= isLost;
    const isFree = error.transient && brokePipelining && !isPasswordLost;
    if (isFree || hasReason(error, "lost at question")) return;
    const next = error.transient ? nextTry(++this.#failures, this.#policy) : undefined;
    if (next === undefined) {
      this.#givenUp = error;
      return;
    }
    this.#log(`${error.message}; ${next.words}`);
    const leastMs = isPasswordLost ? leastWaitAtPasswordMs : 0;
    // An interruption is noticed by the callers.
    await this.#policy.wait(Math.max(leastMs, next.waitMs)).catch(() => undefined);
  }

  async #endIdle({ kept, isLast = false }: { kept: number; isLast?: boolean }): Promise<void> {
    const surplus = Math.min(this.#idle.length, this.#sessions.size - kept);
    const ending = this.#idle.splice(0, Math.max(0, surplus));
    await Promise.all(ending.map((session) => this.#end(session, isLast)));
  }

  async #end(session: Session, isLast = false): Promise<void> {
    await session.quit({ isLast });
    this.#sessions.delete(session);
  }
}

/**
 * The sessions of one server, for all logins, and how many the server allows. Callers wait for
 * whichever comes first: a session that is released, or one that is opened for them.
 */
import { Changed } from "../changed.ts";
import { type ErrorKind, type FtpullError, toFtpullError } from "../errors.ts";
import type { RetryPolicy } from "../tries.ts";
import type { Plan } from "../url/plan.ts";
import { type Say, ServerTries } from "./server-tries.ts";
import type { ServerCapabilities } from "./session-options.ts";
import type { Session } from "./session.ts";

/** Failures that are about one login: other logins of the server may work. */
const ofLogin = new Set<ErrorKind>(["login", "tls", "usage", "file", "other"]);

/** A user at a server; sessions of different logins can't replace each other. */
export interface Login {
  readonly server: ServerSessions;
  readonly capabilities: ServerCapabilities;
  /** Opens a session for a document of `plan`; aborting `signal` ends it, and its later work. */
  readonly connect: (signal: AbortSignal, plan: Plan | undefined) => Promise<Session>;
  /** Number of waiting callers for which no session is being opened yet. */
  unserved: number;
  /** Refusal of the login by the server, which lasts for the rest of the run. */
  refusal?: FtpullError;
}

/** A caller that waits. */
interface Request {
  /** The one that was opened for it. */
  session?: Session;
  /** Whether another one was found for it. */
  isServed: boolean;
}

export class ServerSessions {
  readonly #policy: RetryPolicy;
  readonly #running: AbortSignal;
  readonly #closing = new AbortController();
  readonly #say: Say;
  readonly #changed = new Changed();
  readonly #tries: ServerTries;
  readonly #idle: Session[] = [];
  /** Sessions that are logged in, idle or in use. */
  readonly #logins = new Map<Session, Login>();
  /** Sessions that are being opened, and those with the ones in use. */
  #opening = 0;
  #active = 0;
  #limit = Infinity;
  #waiting = 0;
  /** When the last document that was announced may begin. */
  #turn: Promise<void> | undefined;

  constructor(policy: RetryPolicy, running: AbortSignal, say: Say) {
    this.#policy = policy;
    this.#running = running;
    this.#say = say;
    this.#tries = new ServerTries(policy, say);
  }

  /** Whether there is a pause before each further document. */
  get hasPauses(): boolean {
    return this.#policy.pauseMs !== undefined;
  }

  /** Whether a caller waits for a session. */
  get isAwaited(): boolean {
    return this.#waiting > 0;
  }

  /** Resolves when a further document may begin: each has its pause, and none is before the first. */
  turn(): Promise<void> {
    const { wait, pauseMs } = this.#policy;
    const turn = this.#turn?.then(() => pauseMs && wait(pauseMs()));
    return (this.#turn = turn ?? Promise.resolve());
  }

  /**
   * A session for exclusive use until `release`.
   * @throws FtpullError, not transient, if the server was given up or refuses the login; Interrupted
   */
  async acquire(login: Login, plan: Plan | undefined): Promise<Session> {
    const request: Request = { isServed: false };
    login.unserved++;
    this.#waiting++;
    try {
      while (request.session === undefined) {
        this.#running.throwIfAborted();
        this.#throwRefusal(login);
        const idle = this.#takeIdle(login);
        // A session that is opened meanwhile is another caller's.
        request.isServed = idle !== undefined;
        if (idle === undefined) {
          if (this.#mayOpen && login.unserved > 0) void this.#openFor(request, login, plan);
          await this.#changed.wait();
        } else if (await this.#prepare(idle, plan)) return idle;
      }
      return request.session;
    } finally {
      request.isServed = true;
      if (request.session === undefined) login.unserved--;
      this.#waiting--;
    }
  }

  /** Opens or takes a session beside others, without a wait; undefined at the server's limit. `ending` ends its work. */
  async acquireFurther(
    login: Login,
    plan: Plan | undefined,
    ending?: AbortSignal,
  ): Promise<Session | undefined> {
    this.#throwRefusal(login);
    const idle = this.#takeIdle(login);
    if (idle !== undefined && (await this.#prepare(idle, plan))) return idle;
    return this.#mayOpen ? this.#open(login, plan, ending) : undefined;
  }

  /** Takes a session back; it is ended if it isn't usable. */
  async release(session: Session): Promise<void> {
    if (!session.usable) return this.#discard(session);
    this.#idle.push(session);
    this.#active--;
    this.#changed.wake();
  }

  /** Ends idle sessions, and those that are being opened. */
  async close(): Promise<void> {
    const ended = this.#endIdle(); // first: after the abort they wouldn't wait for QUIT's reply
    this.#closing.abort();
    await ended;
    while (this.#opening > 0) await this.#changed.wait();
    await this.#endIdle();
  }

  get #mayOpen(): boolean {
    const isAlone = !this.#tries.hasFailed || this.#opening === 0;
    return this.#active < this.#limit && !this.#tries.isPausing && isAlone;
  }

  #throwRefusal({ refusal }: Login): void {
    if (refusal !== undefined) throw refusal;
    this.#tries.throwIfGivenUp();
  }

  /** Removes and returns the idle session of this login that was used last. */
  #takeIdle(login: Login): Session | undefined {
    const index = this.#idle.findLastIndex((session) => this.#logins.get(session) === login);
    if (index === -1) return undefined;
    this.#active++;
    return this.#idle.splice(index, 1)[0];
  }

  /** False, and the session is ended, if it can't serve the caller. */
  async #prepare(session: Session, plan: Plan | undefined): Promise<boolean> {
    if (await session.prepare(plan)) return true;
    await this.#discard(session);
    this.#running.throwIfAborted();
    return false;
  }

  /** Opens a session for a request, or for others if that is served before. */
  async #openFor(request: Request, login: Login, plan: Plan | undefined): Promise<void> {
    login.unserved--;
    const session = await this.#open(login, plan).catch(() => undefined); // it was judged
    if (session !== undefined && !request.isServed) request.session = session;
    else login.unserved++;
    if (session !== undefined && request.isServed) return this.release(session);
    this.#changed.wake();
  }

  /** Undefined where the failure shows the server's limit. @throws FtpullError, which was judged */
  async #open(
    login: Login,
    plan: Plan | undefined,
    ending = this.#running,
  ): Promise<Session | undefined> {
    const begun = { number: this.#tries.number, pipelining: login.capabilities.pipelining };
    const signal = AbortSignal.any([this.#running, this.#closing.signal, ending]);
    let failure: FtpullError;
    this.#active++;
    this.#opening++;
    try {
      await this.#endIdle(this.#limit - this.#active);
      const session = await login.connect(signal, plan);
      this.#logins.set(session, login);
      this.#tries.succeeded();
      return session;
    } catch (thrown) {
      this.#active--;
      if (signal.aborted) throw thrown;
      failure = toFtpullError(thrown);
    } finally {
      this.#opening--;
      this.#changed.wake();
    }
    return this.#judge(failure, login, begun);
  }

  /** Decides whose matter a failure is: the limit's, the login's or the server's. */
  async #judge(
    error: FtpullError,
    login: Login,
    { number, pipelining }: { readonly number: number; readonly pipelining: boolean },
  ): Promise<undefined> {
    const { capabilities } = login;
    // Sessions that are being opened at the same time may succeed.
    while (!this.#works(login, error) && this.#opening > 0) await this.#changed.wait();
    if (this.#works(login, error)) {
      // A connection closed because of the limit says nothing about pipelining.
      capabilities.pipelining = pipelining;
      if (this.#limit === Infinity) this.#say(`fewer connections at once: ${error.message}`);
      this.#limit = Math.max(1, Math.min(this.#limit, this.#logins.size + this.#opening));
      return undefined;
    }
    if (ofLogin.has(error.kind) && !error.transient) login.refusal = error;
    else if (number === this.#tries.number && this.#waiting > 0)
      void this.#tries
        .failed(error, pipelining && !capabilities.pipelining)
        .then(() => this.#changed.wake());
    throw error;
  }

  /** Whether a session works although another one couldn't be opened. */
  #works(login: Login, { kind }: FtpullError): boolean {
    const isGone = (session: Session): boolean => this.#idle.includes(session) && !session.usable;
    return [...this.#logins].some(
      ([session, other]) => (!ofLogin.has(kind) || other === login) && !isGone(session),
    );
  }

  /** Ends idle sessions until at most `most` are left. */
  async #endIdle(most = 0): Promise<void> {
    const surplus = this.#idle.splice(0, Math.max(0, this.#idle.length - most));
    await Promise.all(surplus.map((session) => this.#end(session)));
  }

  /** Ends a session that was in use. */
  async #discard(session: Session): Promise<void> {
    await this.#end(session);
    this.#active--;
    this.#changed.wake();
  }

  /** Ends a session that isn't in the pool any more. */
  async #end(session: Session): Promise<void> {
    this.#logins.delete(session);
    await session.quit();
  }
}

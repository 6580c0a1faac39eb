/** The sessions of one server, for all logins: a caller gets one that is released, or is opened for it. */
import { Changed } from "../changed.ts";
import { type ErrorKind, FtpullError, toFtpullError } from "../errors.ts";
import type { RetryPolicy } from "../tries.ts";
import type { Plan } from "../url/plan.ts";
import { type Log, ServerTries } from "./server-tries.ts";
import type { ServerCapabilities } from "./session-options.ts";
import type { Session } from "./session.ts";

/** Failures that are about one login: other logins of the server may work. */
const loginFailures = new Set<ErrorKind>(["login", "tls", "usage", "file", "other"]);

/** A user at a server; sessions of different logins can't replace each other. */
export interface Login {
  readonly server: ServerSessions;
  /** Opens a session for a document of `plan`; aborting `signal` ends it, and its later work. */
  readonly connect: (signal: AbortSignal, plan: Plan | undefined) => Promise<Session>;
  /** Refusal of the login by the server, which lasts for the rest of the run. */
  refusal?: FtpullError;
}

interface StateAtOpening {
  readonly number: number;
  readonly pipelining: boolean;
  readonly logins: readonly Login[];
}

interface Caller {
  readonly login: Login;
  readonly plan: Plan | undefined;
  readonly take: (session: Session) => void;
  readonly fail: (reason: Error) => void;
}

export class ServerSessions {
  readonly capabilities: ServerCapabilities;
  readonly #policy: RetryPolicy;
  readonly #running: AbortSignal;
  readonly #closing = new AbortController();
  readonly #log: Log;
  readonly #tries: ServerTries;
  readonly #idle: Session[] = [];
  readonly #loggedIn = new Map<Session, Login>();
  readonly #waiting = new Set<Caller>();
  readonly #openedFor = new Set<Caller>();
  #opening = 0;
  readonly #opened = new Changed();
  #openingOrInUse = 0;
  #limit = Infinity;
  #turn: Promise<void> | undefined;

  constructor(policy: RetryPolicy, running: AbortSignal, pipelining: boolean, log: Log) {
    this.capabilities = { pipelining };
    this.#policy = policy;
    this.#running = running;
    this.#log = log;
    this.#tries = new ServerTries(policy, log);
  }

  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  /** Resolves when a further document may begin: each but the first has its pause. */
  turn(): Promise<void> {
    const { wait, pauseMs } = this.#policy;
    const turn = this.#turn?.then(() => pauseMs && wait(pauseMs()));
    return (this.#turn = turn ?? Promise.resolve());
  }

  /** For exclusive use until `release`. @throws FtpullError, not transient, if given up or refused; Interrupted */
  acquire(login: Login, plan: Plan | undefined): Promise<Session> {
    return new Promise((take, fail) => {
      this.#waiting.add({ login, plan, take, fail });
      this.#serve();
    });
  }

  /** A session beside others, without a wait; undefined while none may be opened. `ending` ends its work. */
  async acquireFurther(
    login: Login,
    plan: Plan | undefined,
    ending?: AbortSignal,
  ): Promise<Session | undefined> {
    const refusal = this.#refusalOf(login);
    if (refusal !== undefined) throw refusal;
    const idle = this.#takeIdle(login);
    if (await idle?.prepare(plan)) return idle;
    if (idle !== undefined) await this.release(idle, false);
    if (!this.#mayOpen) return undefined;
    return this.#open(login, plan, ending).finally(() => this.#serve());
  }

  async release(session: Session, isUsable = session.usable): Promise<void> {
    if (isUsable) this.#idle.push(session);
    else await this.#end(session);
    this.#openingOrInUse--;
    this.#serve();
  }

  async close(): Promise<void> {
    const ended = this.#endIdle(); // first: after the abort they wouldn't wait for QUIT's reply
    this.#closing.abort();
    await ended;
    while (this.#opening > 0) await this.#opened.wait();
    await this.#endIdle();
  }

  #serve(): void {
    for (const caller of this.#waiting) {
      const refusal = this.#refusalOf(caller.login);
      const idle = refusal === undefined ? this.#takeIdle(caller.login) : undefined;
      if (refusal !== undefined || idle !== undefined) this.#waiting.delete(caller);
      if (refusal !== undefined) caller.fail(refusal);
      else if (idle !== undefined) void this.#prepareFor(caller, idle);
      else if (this.#mayOpen && this.#lacksSession(caller)) void this.#openFor(caller);
    }
  }

  #refusalOf({ refusal }: Login): Error | undefined {
    return this.#running.aborted ? this.#running.reason : (refusal ?? this.#tries.givenUp);
  }

  get #mayOpen(): boolean {
    const isAlone = !this.#tries.hasFailed || this.#opening === 0;
    return this.#openingOrInUse < this.#limit && !this.#tries.isPausing && isAlone;
  }

  /** False if a session is being opened for the caller, or for one that doesn't need it any more. */
  #lacksSession(caller: Caller): boolean {
    if (this.#openedFor.has(caller)) return false;
    const isAlike = ({ login }: Caller): boolean => login === caller.login;
    return [...this.#waiting].filter(isAlike).length > [...this.#openedFor].filter(isAlike).length;
  }

  #takeIdle(login: Login): Session | undefined {
    const index = this.#idle.findLastIndex((session) => this.#loggedIn.get(session) === login);
    if (index === -1) return undefined;
    this.#openingOrInUse++;
    return this.#idle.splice(index, 1)[0];
  }

  async #prepareFor(caller: Caller, session: Session): Promise<void> {
    if (await session.prepare(caller.plan)) return caller.take(session);
    this.#waiting.add(caller);
    return this.release(session, false);
  }

  async #openFor(caller: Caller): Promise<void> {
    this.#openedFor.add(caller);
    const session = await this.#open(caller.login, caller.plan).catch(() => undefined); // `#open` has judged the failure
    this.#openedFor.delete(caller);
    if (session !== undefined && !this.#waiting.delete(caller)) return this.release(session);
    if (session !== undefined) caller.take(session);
    this.#serve();
  }

  /** Undefined if the failure shows the server's limit. @throws FtpullError, after `#judge` */
  async #open(
    login: Login,
    plan: Plan | undefined,
    ending = this.#running,
  ): Promise<Session | undefined> {
    const { pipelining } = this.capabilities;
    const begun = { number: this.#tries.number, pipelining, logins: this.#workingLogins() };
    const signal = AbortSignal.any([this.#running, this.#closing.signal, ending]);
    this.#openingOrInUse++;
    this.#opening++;
    const opened = await this.#endIdle(this.#limit - this.#openingOrInUse)
      .then(() => login.connect(signal, plan))
      .catch(toFtpullError);
    this.#opening--;
    this.#opened.wake();
    if (!(opened instanceof FtpullError)) {
      this.#loggedIn.set(opened, login);
      this.#tries.succeeded();
      return opened;
    }
    this.#openingOrInUse--;
    if (signal.aborted) throw opened;
    return this.#judge(opened, login, begun);
  }

  async #judge(error: FtpullError, login: Login, begun: StateAtOpening): Promise<undefined> {
    const { number, pipelining, logins } = begun;
    const { capabilities } = this;
    const showsLimit = (other: Login): boolean => !loginFailures.has(error.kind) || other === login;
    // A refusal that would be lasting is the limit's, too, if the session beside it has ended since.
    const wasBeside = !error.transient && logins.some(showsLimit);
    const isLimit = (): boolean => wasBeside || this.#workingLogins().some(showsLimit);
    // Sessions that are being opened at the same time may succeed.
    while (!isLimit() && this.#opening > 0) await this.#opened.wait();
    if (isLimit()) {
      // A connection closed because of the limit says nothing about pipelining.
      capabilities.pipelining = pipelining;
      if (this.#limit === Infinity) this.#log(`fewer connections at once: ${error.message}`);
      this.#limit = Math.max(1, Math.min(this.#limit, this.#loggedIn.size + this.#opening));
      return undefined;
    }
    if (loginFailures.has(error.kind) && !error.transient) login.refusal = error;
    else if (number === this.#tries.number && this.isAwaited)
      void this.#tries
        .failed(error, pipelining && !capabilities.pipelining)
        .then(() => this.#serve());
    throw error;
  }

  #workingLogins(): readonly Login[] {
    const isGone = (session: Session): boolean => this.#idle.includes(session) && !session.usable;
    return [...this.#loggedIn].flatMap(([session, login]) => (isGone(session) ? [] : [login]));
  }

  async #endIdle(most = 0): Promise<void> {
    const surplus = this.#idle.splice(0, Math.max(0, this.#idle.length - most));
    await Promise.all(surplus.map((session) => this.#end(session)));
  }

  async #end(session: Session): Promise<void> {
    this.#loggedIn.delete(session);
    await session.quit();
  }
}

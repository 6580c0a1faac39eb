/** The sessions of one server, for all logins: a caller gets an idle session, or a new one. */
import { Changed } from "../changed.ts";
import { type ErrorKind, FtpullError, toFtpullError } from "../errors.ts";
import type { RetryPolicy } from "../tries.ts";
import type { Plan } from "../url/plan.ts";
import { type Log, ServerTries } from "./server-tries.ts";
import type { ServerCapabilities } from "./session-options.ts";
import type { Session } from "./session.ts";
import { Turns } from "./turns.ts";

const kindsOfLoginFailure = new Set<ErrorKind>(["login", "tls", "usage", "file", "other"]);

/**
 * A user at a server; sessions of different logins can't replace each other. Aborting the `signal` of `connect`
 * ends the session, and its later work. The password is unproven until it has let a session in: several refusals
 * of a wrong one can lock the account.
 */
export interface Login {
  readonly server: ServerSessions;
  readonly connect: (signal: AbortSignal, plan: Plan | undefined) => Promise<Session>;
  isPasswordUnproven: boolean;
  lastingRefusal?: FtpullError;
}

interface StateAtOpening {
  readonly tryNumber: number;
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
  readonly turns: Turns;
  readonly #running: AbortSignal;
  readonly #closing = new AbortController();
  readonly #log: Log;
  readonly #tries: ServerTries;
  readonly #idle: Session[] = [];
  readonly #sessions = new Map<Session, Login>();
  readonly #waiting = new Set<Caller>();
  readonly #openedFor = new Set<Caller>();
  #openingCount = 0;
  readonly #openingEnded = new Changed();
  #openingOrInUseCount = 0;
  #sessionLimit = Infinity;

  constructor(policy: RetryPolicy, running: AbortSignal, pipelining: boolean, log: Log) {
    this.capabilities = { pipelining };
    this.turns = new Turns(policy);
    this.#running = running;
    this.#log = log;
    this.#tries = new ServerTries(policy, log);
  }

  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  /** A session for exclusive use until `release`. @throws FtpullError, lasting, if given up or refused; Interrupted */
  acquire(login: Login, plan: Plan | undefined): Promise<Session> {
    return new Promise((take, fail) => {
      this.#waiting.add({ login, plan, take, fail });
      this.#serve();
    });
  }

  /** A session beside others, without a wait; undefined while none may be opened. `ending` ends the session's work. */
  async acquireFurther(
    login: Login,
    plan: Plan | undefined,
    ending?: AbortSignal,
  ): Promise<Session | undefined> {
    const refusal = this.#refusalOf(login);
    if (refusal !== undefined) throw refusal;
    const idle = this.#takeIdle(login);
    if (idle !== undefined) {
      if (await idle.prepare(plan)) return idle;
      await this.#discard(idle);
    }
    if (!this.#mayOpen(login)) return undefined;
    return this.#open(login, plan, ending).finally(() => this.#serve());
  }

  async release(session: Session): Promise<void> {
    if (!session.usable) return this.#discard(session);
    this.#idle.push(session);
    this.#openingOrInUseCount--;
    this.#serve();
  }

  async #discard(session: Session): Promise<void> {
    await this.#end(session);
    this.#openingOrInUseCount--;
    this.#serve();
  }

  async close(): Promise<void> {
    const ended = this.#endIdle(); // first: after the abort they wouldn't wait for QUIT's reply
    this.#closing.abort();
    await ended;
    while (this.#openingCount > 0) await this.#openingEnded.wait();
    await this.#endIdle();
  }

  #serve(): void {
    for (const caller of this.#waiting) this.#serveCaller(caller);
  }

  #serveCaller(caller: Caller): void {
    const refusal = this.#refusalOf(caller.login);
    if (refusal !== undefined) {
      this.#waiting.delete(caller);
      return caller.fail(refusal);
    }
    const idle = this.#takeIdle(caller.login);
    if (idle !== undefined) {
      this.#waiting.delete(caller);
      void this.#prepareFor(caller, idle);
    } else if (this.#mayOpen(caller.login) && this.#lacksSession(caller))
      void this.#openFor(caller);
  }

  #refusalOf({ lastingRefusal }: Login): Error | undefined {
    if (this.#running.aborted) return this.#running.reason as Error;
    return lastingRefusal ?? this.#tries.givenUp;
  }

  #mayOpen(login: Login): boolean {
    if (this.#isPasswordOnTrial(login)) return false;
    if (this.#tries.isPausing || this.#openingOrInUseCount >= this.#sessionLimit) return false;
    return this.#openingCount === 0 || !this.#tries.hasFailed;
  }

  #isPasswordOnTrial(login: Login): boolean {
    return login.isPasswordUnproven && [...this.#openedFor].some((other) => other.login === login);
  }

  /** False if a session is being opened for the caller, or for another one that has got a session since. */
  #lacksSession(caller: Caller): boolean {
    if (this.#openedFor.has(caller)) return false;
    const isAlike = ({ login }: Caller): boolean => login === caller.login;
    return [...this.#waiting].filter(isAlike).length > [...this.#openedFor].filter(isAlike).length;
  }

  #takeIdle(login: Login): Session | undefined {
    const session = this.#idle.findLast((idle) => this.#sessions.get(idle) === login);
    if (session === undefined) return undefined;
    this.#idle.splice(this.#idle.indexOf(session), 1);
    this.#openingOrInUseCount++;
    return session;
  }

  async #prepareFor(caller: Caller, session: Session): Promise<void> {
    if (await session.prepare(caller.plan)) return caller.take(session);
    this.#waiting.add(caller);
    return this.#discard(session);
  }

  async #openFor(caller: Caller): Promise<void> {
    this.#openedFor.add(caller);
    const session = await this.#open(caller.login, caller.plan).catch(() => undefined); // `#open` has judged the failure
    this.#openedFor.delete(caller);
    if (session !== undefined) {
      const isStillWaiting = this.#waiting.delete(caller);
      if (!isStillWaiting) return this.release(session);
      caller.take(session);
    }
    this.#serve();
  }

  async #open(
    login: Login,
    plan: Plan | undefined,
    ending = this.#running,
  ): Promise<Session | undefined> {
    const { pipelining } = this.capabilities;
    const begun = { tryNumber: this.#tries.number, pipelining, logins: this.#workingLogins() };
    const signal = AbortSignal.any([this.#running, this.#closing.signal, ending]);
    this.#openingOrInUseCount++;
    this.#openingCount++;
    const opened = await this.#endIdle(this.#sessionLimit - this.#openingOrInUseCount)
      .then(() => login.connect(signal, plan))
      .catch(toFtpullError);
    this.#openingCount--;
    this.#openingEnded.wake();
    if (!(opened instanceof FtpullError)) {
      this.#sessions.set(opened, login);
      login.isPasswordUnproven = false;
      this.#tries.succeeded();
      return opened;
    }
    this.#openingOrInUseCount--;
    if (signal.aborted) throw opened;
    return this.#judge(opened, login, begun);
  }

  /** Finds out whether a failure shows the server's limit of sessions. @throws the failure, if not */
  async #judge(error: FtpullError, login: Login, begun: StateAtOpening): Promise<undefined> {
    while (!this.#isOneTooMany(error, login, begun) && this.#openingCount > 0)
      await this.#openingEnded.wait();
    if (this.#isOneTooMany(error, login, begun)) return this.#lowerLimit(error, begun.pipelining);
    const isFirstOfTry = begun.tryNumber === this.#tries.number;
    if (kindsOfLoginFailure.has(error.kind) && !error.transient) login.lastingRefusal = error;
    else if (isFirstOfTry && this.isAwaited) void this.#tryAgain(error, begun.pipelining);
    throw error;
  }

  /** True if other sessions work beside the failed one; a failed login is judged by its own sessions. */
  #isOneTooMany(error: FtpullError, login: Login, begun: StateAtOpening): boolean {
    // A refusal that would be lasting is the limit's, too, if the session beside it has ended since.
    const working = [...this.#workingLogins(), ...(error.transient ? [] : begun.logins)];
    return kindsOfLoginFailure.has(error.kind) ? working.includes(login) : working.length > 0;
  }

  #lowerLimit(error: FtpullError, wasPipelining: boolean): undefined {
    // A connection closed because of the limit says nothing about pipelining.
    this.capabilities.pipelining = wasPipelining;
    if (this.#sessionLimit === Infinity) this.#log(`fewer connections at once: ${error.message}`);
    const remaining = this.#sessions.size + this.#openingCount;
    this.#sessionLimit = Math.max(1, Math.min(this.#sessionLimit, remaining));
  }

  async #tryAgain(error: FtpullError, wasPipelining: boolean): Promise<void> {
    await this.#tries.failed(error, wasPipelining && !this.capabilities.pipelining);
    this.#serve();
  }

  #workingLogins(): readonly Login[] {
    const isLost = (session: Session): boolean => this.#idle.includes(session) && !session.usable;
    return [...this.#sessions].flatMap(([session, login]) => (isLost(session) ? [] : [login]));
  }

  async #endIdle(kept = 0): Promise<void> {
    const surplus = this.#idle.splice(0, Math.max(0, this.#idle.length - kept));
    await Promise.all(surplus.map((session) => this.#end(session)));
  }

  async #end(session: Session): Promise<void> {
    this.#sessions.delete(session);
    await session.quit();
  }
}

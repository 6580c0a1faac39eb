/** The sessions of one server, for all logins: a caller gets an idle session, or a new one. */
import { Changed } from "../changed.ts";
import { type ErrorKind, FtpullError, hasReason, toFtpullError } from "../errors.ts";
import type { GotFile } from "../net/proxy-get.ts";
import { nextTry, type RetryPolicy } from "../tries.ts";
import type { Plan } from "../url/plan.ts";
import { ServerCapabilities } from "./capabilities.ts";
import { isOfPipelining } from "./control/exchanges.ts";
import type { Session } from "./session.ts";

/** Shows a line about the server. */
export type Log = (level: "info" | "detail", text: string) => void;

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
}

/** What the tries of a login have shown: a right password, a connection lost at one, or a refusal for good. */
type Standing = "let in" | "password lost" | FtpullError;

/** What a failure to open a session means. */
type Meaning =
  | ("no more sessions" | "login refused" | "password lost")
  | ("single commands" | "costs nothing" | "costs a try");

/**
 * One session is opened at a time. So a wrong password is tried once, all callers share a failed try, and whether a
 * refusal means "no more than these" or "nobody" is told by the sessions that are open. The life of a session:
 *
 * | a session that | is taken by | and becomes |
 * | --- | --- | --- |
 * | isn't open | `#openIdle`, when a caller finds none idle | idle, or a failure, as `meaningOf` says |
 * | is idle | `#next`, for a caller of the same login | in use, or ended if `prepare` can't get it ready |
 * | is idle | `#openIdle`, where the server lets no more in | ended, to make room for another login's |
 * | is idle | `close`, at the end of the run | ended |
 * | is in use | `close`, once standard output has no reader | ended by `release`, as its task fails |
 * | is in use | `release` | idle, or ended if it can't be used any more |
 *
 * A caller of `acquire` waits in `#next` for each change, until it has a session, or the login or the server has no
 * more tries (`#throwIfRefused`).
 */
export class ServerSessions {
  readonly capabilities: ServerCapabilities;
  readonly #policy: RetryPolicy;
  #lastTurn: Promise<void> | undefined;
  readonly #closing = new AbortController();
  /** Aborted when the run is interrupted or ends. */
  readonly #ended: AbortSignal;
  readonly #log: Log;
  /** Failed tries to open a session, in a row: all files that wait for one share them. */
  #failures = 0;
  /** The last failure, once the tries are used up. */
  #givenUp: FtpullError | undefined;
  readonly #standings = new Map<ServerLogin, Standing>();
  readonly #sessions = new Map<Session, ServerLogin>();
  readonly #idle: Session[] = [];
  readonly #changed = new Changed();
  #isOpening = false;
  #waitingCount = 0;
  #mostSessions = Infinity;

  constructor(policy: RetryPolicy, running: AbortSignal, pipelining: boolean, log: Log) {
    this.capabilities = new ServerCapabilities(pipelining);
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

  async close(reason?: Error): Promise<void> {
    const ended = this.#endIdle({ kept: 0, isLast: true }); // first: the abort would end them without QUIT
    this.#closing.abort(reason);
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
      this.#ended.throwIfAborted();
      this.#throwIfRefused(login);
      const idle = this.#takeIdle(login);
      if (idle === undefined) {
        const inUse = this.#sessions.size - this.#idle.length;
        if (!this.#isOpening && inUse < this.#mostSessions) void this.#openIdle(login, plan);
        else if (!this.#isOpening && !waits) return undefined;
        await this.#changed.wait();
      } else {
        if (await idle.prepare(plan)) return idle;
        await this.#end(idle);
        this.#changed.wake();
      }
    }
  }

  #takeIdle(login: ServerLogin): Session | undefined {
    const index = this.#idle.findLastIndex((idle) => this.#sessions.get(idle) === login);
    return index === -1 ? undefined : this.#idle.splice(index, 1)[0];
  }

  #throwIfRefused(login: ServerLogin): void {
    const standing = this.#standings.get(login);
    const refusal = standing instanceof FtpullError ? standing : this.#givenUp;
    if (refusal !== undefined)
      throw refusal.transient ? refusal.with({ transient: false }) : refusal;
  }

  /** Opens a session for the caller that waits longest. */
  async #openIdle(login: ServerLogin, plan: Plan | undefined): Promise<void> {
    const others = [...this.#sessions.values()];
    this.#isOpening = true;
    try {
      await this.#endIdle({ kept: this.#mostSessions - 1 });
      const signal = AbortSignal.any([this.#ended]); // Node warns of many listeners on one signal.
      const opened = await login.connect(signal, plan);
      this.#idle.push(opened);
      this.#sessions.set(opened, login);
      this.#failures = 0;
      this.#standings.set(login, "let in");
    } catch (thrown) {
      const error = toFtpullError(thrown);
      const standing = this.#standings.get(login);
      const beside = { own: others.includes(login), any: others.length > 0 };
      const meaning = meaningOf(error, standing, beside);
      // An interruption is noticed by the callers.
      if (!this.#ended.aborted) await this.#conclude(meaning, error, login).catch(() => undefined);
    }
    this.#isOpening = false;
    this.#changed.wake();
  }

  async #conclude(meaning: Meaning, error: FtpullError, login: ServerLogin): Promise<void> {
    if (meaning === "no more sessions") this.#openNoMore(error);
    if (meaning === "login refused") this.#standings.set(login, error);
    if (meaning === "password lost") this.#standings.set(login, meaning);
    if (meaning === "password lost" || meaning === "single commands") this.#sendSingly(error);
    if (meaning === "costs a try" || meaning === "password lost") await this.#countTry(error);
  }

  #sendSingly({ message }: FtpullError): void {
    if (!this.capabilities.pipelining) return;
    this.capabilities.learn({ pipelining: false });
    this.#log("detail", `${message}: sending one command at a time from now on`);
  }

  #openNoMore({ message }: FtpullError): void {
    if (this.#mostSessions === Infinity) this.#log("info", `fewer connections at once: ${message}`);
    this.#mostSessions = Math.max(1, this.#sessions.size);
  }

  /** Counts a try for all callers: they wait for the next one, or none of them gets another. */
  async #countTry(error: FtpullError): Promise<void> {
    const next = error.transient ? nextTry(++this.#failures, this.#policy) : undefined;
    if (next === undefined) this.#givenUp = error;
    else {
      this.#log("info", `${error.message}; ${next.words}`);
      await this.#policy.wait(next.waitMs);
    }
  }

  async #endIdle({ kept, isLast = false }: { kept: number; isLast?: boolean }): Promise<void> {
    const surplus = Math.min(this.#idle.length, this.#sessions.size - kept);
    const ending = this.#idle.splice(0, Math.max(0, surplus));
    await Promise.all(ending.map((session) => this.#end(session, isLast)));
  }

  async #end(session: Session, isLast = false): Promise<void> {
    if (isOfPipelining(session.failure)) this.#sendSingly(session.failure);
    await session.quit({ isLast });
    this.#sessions.delete(session);
  }
}

/**
 * | failure | beside a session that works | otherwise |
 * | --- | --- | --- |
 * | at a password that isn't known to be right | password lost: costs a try, and single commands from now on; the second one refuses the login | the same |
 * | lasting, about the login | no more sessions, if the other one is of this login | login refused |
 * | of pipelining (`isOfPipelining`) | no more sessions | single commands from now on: costs nothing |
 * | at a question to the user | no more sessions | costs nothing |
 * | any other | no more sessions | costs a try |
 */
function meaningOf(
  error: FtpullError,
  standing: Standing | undefined,
  beside: { readonly own: boolean; readonly any: boolean },
): Meaning {
  const isLogins = kindsOfLoginFailure.has(error.kind);
  if (hasReason(error, "lost at password") && standing !== "let in")
    return standing === "password lost" ? "login refused" : "password lost";
  if (isLogins ? beside.own : beside.any) return "no more sessions";
  if (isLogins && !error.transient) return "login refused";
  if (isOfPipelining(error)) return "single commands";
  return hasReason(error, "lost at question") ? "costs nothing" : "costs a try";
}

/**
 * The sessions of one server, for all logins, and the limit of their number. The limit is found
 * when a further session cannot be opened.
 */
import { toFtpullError, type ErrorKind, type FtpullError } from "../errors.ts";
import type { Session } from "./session.ts";

/** Failures that count as the limit only if another session has the same login. */
const ofLogin = new Set<ErrorKind>(["login", "tls", "usage", "file", "other"]);

/** Sessions with different `Login`s cannot replace each other. */
export class ServerSessions<Login> {
  readonly #idle: Session[] = [];
  /** Those that are logged in, idle or in use. */
  readonly #logins = new Map<Session, Login>();
  /** The number of the last successful opening of each login. */
  readonly #letIn = new Map<Login, number>();
  #openings = 0;
  #opening = 0;
  /** How many are in use or being opened. */
  #active = 0;
  #limit = Infinity;
  /** Whether the user was told of the limit. */
  isLimitShown = false;
  /** Called when a session is released. */
  readonly #waiting: (() => void)[] = [];
  /** Called when an opening has succeeded or failed. */
  #settling: (() => void)[] = [];

  /** Whether a caller waits for a session. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves when the limit allows a further session in use. */
  async vacancy(): Promise<void> {
    while (this.#active >= this.#limit) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Counts a further session as in use; false at the limit. */
  enter(): boolean {
    if (this.#active >= this.#limit) return false;
    this.#active++;
    return true;
  }

  leave(): void {
    this.#active--;
    this.#waiting.shift()?.();
  }

  /** Removes and returns the idle session of this login that was used last. */
  takeIdle(login: Login): Session | undefined {
    const index = this.#idle.findLastIndex((session) => this.#logins.get(session) === login);
    return index === -1 ? undefined : this.#idle.splice(index, 1)[0];
  }

  putBack(session: Session): void {
    this.#idle.push(session);
  }

  /** Ends a session that isn't idle. */
  async end(session: Session): Promise<void> {
    this.#logins.delete(session);
    await session.quit();
  }

  /** Ends idle sessions until at most `most` are left. */
  async endIdle(most = 0): Promise<void> {
    const surplus = this.#idle.splice(0, Math.max(0, this.#idle.length - most));
    await Promise.all(surplus.map((session) => this.end(session)));
  }

  /**
   * Opens a further session. Resolves with the failure if it shows the server's limit: another
   * session works, or one was opened meanwhile.
   * @throws what `connect` throws if there is no other session, or if `signal` was aborted
   */
  async open(
    login: Login,
    connect: () => Promise<Session>,
    signal: AbortSignal,
  ): Promise<Session | FtpullError> {
    // Idle sessions of other logins count for the limit too.
    const others = this.#logins.size - this.#idle.length + this.#opening;
    await this.endIdle(this.#limit - others - 1);
    const working = this.#working();
    const begun = ++this.#openings;
    try {
      this.#opening++;
      const session = await connect().finally(() => this.#opening--);
      this.#logins.set(session, login);
      this.#letIn.set(login, ++this.#openings);
      this.#settle();
      return session;
    } catch (thrown) {
      this.#settle();
      const error = toFtpullError(thrown);
      const counts = (other: Login): boolean => !ofLogin.has(error.kind) || other === login;
      const isOneTooMany = (): boolean => [...working, ...this.#letInSince(begun)].some(counts);
      if (signal.aborted) throw error;
      // Sessions that are being opened at the same time may succeed.
      while (!isOneTooMany() && this.#opening > 0) await this.#change();
      if (!isOneTooMany()) throw error;
      this.#limit = Math.max(1, Math.min(this.#limit, this.#logins.size + this.#opening));
      return error;
    }
  }

  #working(): Login[] {
    const isGone = (session: Session): boolean => this.#idle.includes(session) && !session.usable;
    return [...this.#logins].filter(([session]) => !isGone(session)).map(([, login]) => login);
  }

  #letInSince(begun: number): Login[] {
    return [...this.#letIn].filter(([, number]) => number > begun).map(([login]) => login);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#settling.push(resolve));
  }

  #settle(): void {
    for (const wake of this.#settling.splice(0)) wake();
  }
}

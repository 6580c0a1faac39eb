/**
 * The sessions of one server, under whatever login, and how many of them it lets in at once.
 * That number is found out by asking for one more.
 */
import { toFtpullError, type ErrorKind, type FtpullError } from "../errors.ts";
import type { Session } from "./session.ts";

/** Failures to open a session that another session of the same login alone shows to be no fault of the login. */
const ofLogin = new Set<ErrorKind>(["login", "tls", "usage", "file", "other"]);

/** `Login` tells sessions apart that can't stand in for each other. */
export class ServerSessions<Login> {
  readonly #idle: Session[] = [];
  /** Those that are logged in, idle or in use. */
  readonly #logins = new Map<Session, Login>();
  /** When a session of each login was let in last, counted in openings. */
  readonly #letIn = new Map<Login, number>();
  #openings = 0;
  #opening = 0;
  /** How many are in use or being opened. */
  #active = 0;
  #limit = Infinity;
  /** Called when one of those in use is left. */
  readonly #waiting: (() => void)[] = [];
  /** Called when it is known what became of an opening. */
  #settling: (() => void)[] = [];

  /** Whether one of the sessions in use is waited for. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves when one session more may be in use. */
  async vacancy(): Promise<void> {
    while (this.#active >= this.#limit) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Counts one session more as in use, to be opened or idle so far; false where that is one too many. */
  enter(): boolean {
    if (this.#active >= this.#limit) return false;
    this.#active++;
    return true;
  }

  /** One session less is in use: what waits for one looks again. */
  leave(): void {
    this.#active--;
    this.#waiting.shift()?.();
  }

  /** An idle session of this login, which is in use from now on. */
  takeIdle(login: Login): Session | undefined {
    const index = this.#idle.findLastIndex((session) => this.#logins.get(session) === login);
    return index === -1 ? undefined : this.#idle.splice(index, 1)[0];
  }

  /** A session is idle from now on. */
  putBack(session: Session): void {
    this.#idle.push(session);
  }

  /** Ends a session that isn't idle. */
  async end(session: Session): Promise<void> {
    this.#logins.delete(session);
    await session.quit();
  }

  /** Ends idle sessions until at most so many are left. */
  async endIdle(most = 0): Promise<void> {
    const surplus = this.#idle.splice(0, Math.max(0, this.#idle.length - most));
    await Promise.all(surplus.map((session) => this.end(session)));
  }

  /**
   * Opens one session more. Resolves with the failure where the server lets no more in: so it is
   * understood, whatever the server does, where others of its sessions work, or did meanwhile.
   * @throws what `connect` throws where none does, or where `signal` was aborted
   */
  async open(
    login: Login,
    connect: () => Promise<Session>,
    signal: AbortSignal,
  ): Promise<Session | FtpullError> {
    // Idle sessions of other logins may be the ones too many.
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
      // Those that were asked for at the same time may be the ones that it lets in.
      while (!isOneTooMany() && this.#opening > 0) await this.#change();
      if (!isOneTooMany()) throw error;
      this.#limit = Math.max(1, Math.min(this.#limit, this.#logins.size + this.#opening));
      return error;
    }
  }

  /** The logins of sessions that are in use, or could be. */
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

/**
 * Sessions that outlive a document: URLs for the same host, port and credentials share
 * one control connection (M1, M2).
 */
import { FtpullError } from "../errors.ts";
import type { Credentials } from "../session/credentials.ts";
import { Session } from "../session/session.ts";
import type { Habits, SessionOptions } from "../session/session-options.ts";
import type { TlsOptions } from "../session/tls.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import type { Plan } from "../url/plan.ts";

type PoolOptions = Omit<SessionOptions, "habits" | "tls"> & {
  readonly pipelining: boolean;
  /** The TLS for a URL; undefined is clear text. @throws FtpullError "tls" */
  readonly tlsFor: (url: FtpUrl) => TlsOptions | undefined;
};

/** Who logs in for a URL, and with what. */
interface Logins {
  /** The user as octets: the same for URLs that can share a session, unless their passwords differ. */
  userOf(url: FtpUrl): string;
  credentialsFor(url: FtpUrl): Promise<Credentials>;
}

/** What is kept of one server and one login. */
interface Place {
  readonly habits: Habits;
  readonly idle: Session[];
  /** Sessions in use or being opened. */
  active: number;
  /** The most that the server has let in at once; found out by asking for one more. */
  limit: number;
  /** Who waits for one of the others to be released. */
  readonly waiting: (() => void)[];
}

export class SessionPool {
  readonly #options: PoolOptions;
  readonly #logins: Logins;
  readonly #places = new Map<string, Place>();
  readonly #placesOfUrls = new WeakMap<FtpUrl, Place>();

  constructor(options: PoolOptions, logins: Logins) {
    this.#options = options;
    this.#logins = logins;
  }

  /** What was learned of the server that `url` names. */
  habitsOf(url: FtpUrl): Habits {
    return this.#placeOf(url).habits;
  }

  /**
   * A session for `url` that nobody else uses until it is released. `plan` is what will be
   * asked of it first; without one nothing is sent before it is asked for. Where the server
   * lets no more in, one of the others is waited for.
   * @throws FtpullError from connecting and logging in; Interrupted
   */
  async acquire(url: FtpUrl, plan: Plan | undefined): Promise<Session> {
    const place = this.#placeOf(url);
    while (place.active >= place.limit) {
      await new Promise<void>((resolve) => place.waiting.push(resolve));
    }
    return (await this.acquireFurther(url, plan)) ?? this.acquire(url, plan);
  }

  /**
   * The same for one who has a session already: undefined where the server lets no more in.
   * Aborting `signal` ends the wait for it, and whatever the session does later.
   */
  async acquireFurther(
    url: FtpUrl,
    plan: Plan | undefined,
    signal?: AbortSignal,
  ): Promise<Session | undefined> {
    const place = this.#placeOf(url);
    if (place.active >= place.limit) return undefined;
    place.active++;
    try {
      return await this.#take(place, url, plan, signal);
    } catch (error) {
      vacate(place);
      if (!isCrowded(error) || place.active === 0) throw error;
      place.limit = place.active;
      return undefined;
    }
  }

  /** Takes a session back; one that can't be used any more is closed. */
  async release(url: FtpUrl, session: Session): Promise<void> {
    const place = this.#placeOf(url);
    if (session.usable) place.idle.push(session);
    else await session.quit();
    vacate(place);
  }

  /** Whether a session that is in use for `url` can serve `next` as well, which has this plan. */
  canServe(session: Session, url: FtpUrl, next: FtpUrl, plan: Plan): boolean {
    return this.#placeOf(url) === this.#placeOf(next) && session.reaches(plan);
  }

  /** Whether somebody waits for one of the sessions in use for `url`. */
  isAwaited(url: FtpUrl): boolean {
    return this.#placeOf(url).waiting.length > 0;
  }

  /** Ends all sessions that nobody uses. */
  async close(): Promise<void> {
    const idle = [...this.#places.values()].flatMap((place) => place.idle.splice(0));
    await Promise.all(idle.map((session) => session.quit()));
  }

  async #take(
    place: Place,
    url: FtpUrl,
    plan: Plan | undefined,
    ending?: AbortSignal,
  ): Promise<Session> {
    const idle = place.idle.pop();
    if (idle !== undefined) {
      if (await idle.prepare(plan)) return idle;
      await idle.quit();
    }
    const credentials = await this.#logins.credentialsFor(url);
    const running = this.#options.signal;
    const signal = ending === undefined ? running : AbortSignal.any([running, ending]);
    const tls = this.#options.tlsFor(url);
    const options = { ...this.#options, signal, habits: place.habits, tls };
    return Session.open(url, credentials, options, plan);
  }

  #placeOf(url: FtpUrl): Place {
    let place = this.#placesOfUrls.get(url);
    if (place === undefined) this.#placesOfUrls.set(url, (place = this.#findPlace(url)));
    return place;
  }

  #findPlace(url: FtpUrl): Place {
    const { scheme, host, port, password = null } = url;
    const key = JSON.stringify([scheme, host, port, this.#logins.userOf(url), password]);
    let place = this.#places.get(key);
    if (place === undefined) {
      const { pipelining } = this.#options;
      const habits = { pipelining, extendedPassive: true, extendedActive: true };
      place = { habits, idle: [], active: 0, limit: Infinity, waiting: [] };
      this.#places.set(key, place);
    }
    return place;
  }
}

/** One session less is in use: whoever waits looks again. */
function vacate(place: Place): void {
  place.active--;
  place.waiting.shift()?.();
}

/** 421 and 530 are what a server says that has too many connections; time or fewer of them help. */
function isCrowded(error: unknown): boolean {
  return error instanceof FtpullError && error.kind === "refused" && error.transient;
}

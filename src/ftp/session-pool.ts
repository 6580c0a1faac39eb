/**
 * Sessions that outlive a document: URLs for the same host, port and credentials share
 * one control connection (M1, M2).
 */
import type { TlsOptions } from "../net/tls.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import type { Plan } from "../url/plan.ts";
import type { Credentials } from "./credentials.ts";
import { ServerSessions } from "./server-sessions.ts";
import type { Habits, SessionOptions } from "./session-options.ts";
import { Session } from "./session.ts";

type PoolOptions = Omit<SessionOptions, "habits" | "tls" | "observer"> & {
  readonly observer: SessionOptions["observer"] & { note(text: string): void };
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
  readonly server: Server;
}

class Server extends ServerSessions<Place> {
  /** Whether the user was told that it lets no more in. */
  isNoted = false;
}

export class SessionPool {
  readonly #options: PoolOptions;
  readonly #logins: Logins;
  readonly #servers = new Map<string, Server>();
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
    const { server } = this.#placeOf(url);
    for (;;) {
      await server.vacancy();
      const session = await this.acquireFurther(url, plan);
      if (session !== undefined) return session;
    }
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
    const { server } = place;
    if (!server.enter()) return undefined;
    let session: Session | undefined;
    try {
      session = (await reuse(place, plan)) ?? (await this.#open(place, url, plan, signal));
      return session;
    } finally {
      if (session === undefined) server.leave();
    }
  }

  /** Takes a session back; one that can't be used any more is closed. */
  async release(url: FtpUrl, session: Session): Promise<void> {
    const { server } = this.#placeOf(url);
    if (session.usable) server.putBack(session);
    else await server.end(session);
    server.leave();
  }

  /** Whether a session that is in use for `url` can serve `next` as well, which has this plan. */
  canServe(session: Session, url: FtpUrl, next: FtpUrl, plan: Plan): boolean {
    return this.#placeOf(url) === this.#placeOf(next) && session.reaches(plan);
  }

  /** Whether one of the sessions in use for the server of `url` is waited for. */
  isAwaited(url: FtpUrl): boolean {
    return this.#placeOf(url).server.isAwaited;
  }

  /** Ends all sessions that are not in use. */
  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.endIdle()));
  }

  async #open(
    place: Place,
    url: FtpUrl,
    plan: Plan | undefined,
    ending?: AbortSignal,
  ): Promise<Session | undefined> {
    const { habits, server } = place;
    const credentials = await this.#logins.credentialsFor(url);
    const running = this.#options.signal;
    const signal = ending === undefined ? running : AbortSignal.any([running, ending]);
    const options = { ...this.#options, signal, habits, tls: this.#options.tlsFor(url) };
    const { pipelining } = habits;
    const connect = (): Promise<Session> => Session.open(url, credentials, options, plan);
    const opened = await server.open(place, connect, signal);
    if (opened instanceof Session) return opened;
    // That the server hung up on one too many says nothing of commands that travel together.
    habits.pipelining = pipelining;
    if (!server.isNoted)
      this.#options.observer.note(`${url.host}: fewer connections at once: ${opened.message}`);
    server.isNoted = true;
    return undefined;
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
      place = { habits, server: this.#serverAt(`${host}:${port}`) };
      this.#places.set(key, place);
    }
    return place;
  }

  #serverAt(address: string): Server {
    let server = this.#servers.get(address);
    if (server === undefined) this.#servers.set(address, (server = new Server()));
    return server;
  }
}

/** An idle session that is ready for `plan`, if there is one. */
async function reuse(place: Place, plan: Plan | undefined): Promise<Session | undefined> {
  const idle = place.server.takeIdle(place);
  if (idle === undefined || (await idle.prepare(plan))) return idle;
  await place.server.end(idle);
  return undefined;
}

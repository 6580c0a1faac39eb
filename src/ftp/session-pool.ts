/** Reuses sessions: URLs with one host, port and login share control connections (M1, M2). */
import type { ProxyServer } from "../net/proxy.ts";
import type { TlsOptions } from "../net/tls.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import type { Plan } from "../url/plan.ts";
import type { Credentials } from "./credentials.ts";
import { ServerSessions } from "./server-sessions.ts";
import type { ServerCapabilities, SessionOptions } from "./session-options.ts";
import { Session } from "./session.ts";

/** Gets the dialogues of all sessions, with the number of the session. */
interface PoolObserver {
  command(line: string, session: number): void;
  reply(text: string, session: number): void;
  warning(text: string): void;
  info(text: string): void;
}

export type PoolOptions = Omit<SessionOptions, "capabilities" | "proxy" | "tls" | "observer"> & {
  readonly observer: PoolObserver;
  readonly pipelining: boolean;
  /** The proxy for a URL; undefined connects directly. @throws FtpullError "usage" */
  readonly proxyFor: (url: FtpUrl) => ProxyServer | undefined;
  /** The TLS for a URL; undefined is clear text. @throws FtpullError "tls" */
  readonly tlsFor: (url: FtpUrl) => TlsOptions | undefined;
};

interface Logins {
  /** The user as octets; URLs with the same user share sessions unless their passwords differ. */
  userOf(url: FtpUrl): string;
  credentialsFor(url: FtpUrl): Promise<Credentials>;
}

/** What is kept of one server and one login. */
interface ServerPool {
  readonly capabilities: ServerCapabilities;
  readonly server: Server;
}

type Server = ServerSessions<ServerPool>;

export class SessionPool {
  readonly #options: PoolOptions;
  readonly #logins: Logins;
  readonly #servers = new Map<string, Server>();
  readonly #pools = new Map<string, ServerPool>();
  readonly #poolsOfUrls = new WeakMap<FtpUrl, ServerPool>();
  #sessions = 0;

  constructor(options: PoolOptions, logins: Logins) {
    this.#options = options;
    this.#logins = logins;
  }

  capabilitiesOf(url: FtpUrl): ServerCapabilities {
    return this.#poolOf(url).capabilities;
  }

  /** A session for exclusive use until `release`; at the server's limit it waits for one. */
  async acquire(url: FtpUrl, plan: Plan | undefined): Promise<Session> {
    const { server } = this.#poolOf(url);
    for (;;) {
      await server.vacancy();
      const session = await this.acquireFurther(url, plan);
      if (session !== undefined) return session;
    }
  }

  /** A further session; undefined at the server's limit. `signal` also aborts its later work. */
  async acquireFurther(
    url: FtpUrl,
    plan: Plan | undefined,
    signal?: AbortSignal,
  ): Promise<Session | undefined> {
    const pool = this.#poolOf(url);
    const { server } = pool;
    if (!server.enter()) return undefined;
    let session: Session | undefined;
    try {
      session = (await reuse(pool, plan)) ?? (await this.#open(pool, url, plan, signal));
      return session;
    } finally {
      if (session === undefined) server.leave();
    }
  }

  /** Returns a session; it is closed if it is not usable. */
  async release(url: FtpUrl, session: Session): Promise<void> {
    const { server } = this.#poolOf(url);
    if (session.usable) server.putBack(session);
    else await server.end(session);
    server.leave();
  }

  /** Whether a session in use for `url` can also serve `next`, whose plan is `plan`. */
  canServe(session: Session, url: FtpUrl, next: FtpUrl, plan: Plan): boolean {
    return this.#poolOf(url) === this.#poolOf(next) && session.reaches(plan);
  }

  /** Whether a caller waits for a session of the server of `url`. */
  isAwaited(url: FtpUrl): boolean {
    return this.#poolOf(url).server.isAwaited;
  }

  /** Ends all sessions that are not in use. */
  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.endIdle()));
  }

  async #open(
    pool: ServerPool,
    url: FtpUrl,
    plan: Plan | undefined,
    ending?: AbortSignal,
  ): Promise<Session | undefined> {
    const { capabilities, server } = pool;
    const proxy = this.#options.proxyFor(url);
    const credentials = await this.#logins.credentialsFor(url);
    const running = this.#options.signal;
    const signal = ending === undefined ? running : AbortSignal.any([running, ending]);
    const options = {
      ...this.#options,
      observer: observerOf(++this.#sessions, this.#options.observer),
      signal,
      capabilities,
      proxy,
      tls: this.#options.tlsFor(url),
    };
    const { pipelining } = capabilities;
    const connect = (): Promise<Session> => Session.open(url, credentials, options, plan);
    const opened = await server.open(pool, connect, signal);
    if (opened instanceof Session) return opened;
    // A connection closed because of the limit says nothing about pipelining.
    capabilities.pipelining = pipelining;
    if (!server.isLimitShown)
      this.#options.observer.info(`${url.host}: fewer connections at once: ${opened.message}`);
    server.isLimitShown = true;
    return undefined;
  }

  #poolOf(url: FtpUrl): ServerPool {
    let pool = this.#poolsOfUrls.get(url);
    if (pool === undefined) this.#poolsOfUrls.set(url, (pool = this.#findPool(url)));
    return pool;
  }

  #findPool(url: FtpUrl): ServerPool {
    const { scheme, host, port, password = null } = url;
    const key = JSON.stringify([scheme, host, port, this.#logins.userOf(url), password]);
    let pool = this.#pools.get(key);
    if (pool === undefined) {
      const { pipelining } = this.#options;
      const capabilities = { pipelining, extendedPassive: true, extendedActive: true };
      pool = { capabilities, server: this.#serverAt(`${host}:${port}`) };
      this.#pools.set(key, pool);
    }
    return pool;
  }

  #serverAt(address: string): Server {
    let server = this.#servers.get(address);
    if (server === undefined) this.#servers.set(address, (server = new ServerSessions()));
    return server;
  }
}

function observerOf(session: number, observer: PoolObserver): SessionOptions["observer"] {
  return {
    command: (line) => observer.command(line, session),
    reply: (text) => observer.reply(text, session),
    warning: (text) => observer.warning(text),
  };
}

/** An idle session, ready for `plan`, if there is one. */
async function reuse(pool: ServerPool, plan: Plan | undefined): Promise<Session | undefined> {
  const idle = pool.server.takeIdle(pool);
  if (idle === undefined || (await idle.prepare(plan))) return idle;
  await pool.server.end(idle);
  return undefined;
}

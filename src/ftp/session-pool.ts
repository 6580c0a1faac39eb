/** Reuses sessions: URLs with one host, port and login share control connections (M1, M2). */
import type { FtpullError } from "../errors.ts";
import type { ProxyServer } from "../net/proxy-server.ts";
import type { TlsOptions } from "../net/tls.ts";
import type { RetryPolicy } from "../tries.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import type { Plan } from "../url/plan.ts";
import type { Credentials } from "./credentials.ts";
import { type Login, ServerSessions } from "./server-sessions.ts";
import type { ServerCapabilities, SessionOptions } from "./session-options.ts";
import { Session } from "./session.ts";

export type PoolOptions = Omit<SessionOptions, "capabilities" | "proxy" | "tls" | "number"> & {
  readonly pipelining: boolean;
  /** How often, and after what waits, a server is tried. */
  readonly policy: RetryPolicy;
  /** Told of the `failures`th failed try in a row to open a session, for this URL and others. */
  readonly retrying: (url: FtpUrl, error: FtpullError, words: string, failures: number) => void;
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

/** A login with its server. */
type PooledLogin = Login & { readonly server: ServerSessions };

export class SessionPool {
  readonly #options: PoolOptions;
  readonly #logins: Logins;
  readonly #servers = new Map<string, ServerSessions>();
  readonly #pooled = new Map<string, PooledLogin>();
  readonly #loginsOfUrls = new WeakMap<FtpUrl, PooledLogin>();
  #sessions = 0;

  constructor(options: PoolOptions, logins: Logins) {
    this.#options = options;
    this.#logins = logins;
  }

  capabilitiesOf(url: FtpUrl): ServerCapabilities {
    return this.#loginOf(url).capabilities;
  }

  /** Resolves when the pause before a further document of the server is over. */
  turn(url: FtpUrl): Promise<void> {
    return this.#loginOf(url).server.turn();
  }

  /**
   * A session for exclusive use until `release`; it is tried for, with waits, for all callers of the
   * server together. @throws FtpullError that no further try can help; Interrupted
   */
  acquire(url: FtpUrl, plan: Plan | undefined): Promise<Session> {
    const login = this.#loginOf(url);
    return login.server.acquire(login, plan);
  }

  /**
   * A further session, tried for once; undefined at the server's limit. `signal` also aborts its
   * later work.
   */
  acquireFurther(
    url: FtpUrl,
    plan: Plan | undefined,
    signal?: AbortSignal,
  ): Promise<Session | undefined> {
    const login = this.#loginOf(url);
    return login.server.acquireFurther(login, plan, signal);
  }

  /** Returns a session; it is closed if it is not usable. */
  release(url: FtpUrl, session: Session): Promise<void> {
    return this.#loginOf(url).server.release(session);
  }

  /** Whether a session in use for `url` can also serve `next`, whose plan is `plan`, at once. */
  canServe(session: Session, url: FtpUrl, next: FtpUrl, plan: Plan): boolean {
    if (this.#options.policy.pauseMs !== undefined) return false;
    return this.#loginOf(url) === this.#loginOf(next) && session.reaches(plan);
  }

  /** Whether a caller waits for a session of the server of `url`. */
  isAwaited(url: FtpUrl): boolean {
    return this.#loginOf(url).server.isAwaited;
  }

  /** Ends all sessions that are not in use, and those that are still being opened. */
  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }

  #loginOf(url: FtpUrl): PooledLogin {
    let login = this.#loginsOfUrls.get(url);
    if (login === undefined) this.#loginsOfUrls.set(url, (login = this.#findLogin(url)));
    return login;
  }

  #findLogin(url: FtpUrl): PooledLogin {
    const { scheme, host, port, password = null } = url;
    const key = JSON.stringify([scheme, host, port, this.#logins.userOf(url), password]);
    let login = this.#pooled.get(key);
    if (login === undefined) {
      const { pipelining } = this.#options;
      const capabilities = { pipelining, extendedPassive: true, extendedActive: true };
      const connect = this.#connecting(url, capabilities);
      login = { capabilities, connect, waiting: 0, opening: 0, server: this.#serverOf(url) };
      this.#pooled.set(key, login);
    }
    return login;
  }

  /** Opens sessions: the URLs of a login have its server and credentials in common. */
  #connecting(url: FtpUrl, capabilities: ServerCapabilities): Login["connect"] {
    return async (signal, plan) => {
      const proxy = this.#options.proxyFor(url);
      const tls = this.#options.tlsFor(url);
      const credentials = await this.#logins.credentialsFor(url);
      const number = ++this.#sessions;
      const options = { ...this.#options, number, signal, capabilities, proxy, tls };
      return Session.open(url, credentials, options, plan);
    };
  }

  #serverOf(url: FtpUrl): ServerSessions {
    const address = `${url.host}:${url.port}`;
    const { policy, observer, retrying, signal } = this.#options;
    let server = this.#servers.get(address);
    if (server === undefined) {
      server = new ServerSessions(policy, signal, {
        info: (text) => observer.info(`${url.host}: ${text}`),
        retrying: (...failure) => retrying(url, ...failure),
      });
      this.#servers.set(address, server);
    }
    return server;
  }
}

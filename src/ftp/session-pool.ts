/** The login of each URL: those of one host, port and login share sessions (M1, M2), which `ServerSessions` opens. */
import type { ProxyServer } from "../net/proxy-server.ts";
import type { TlsOptions } from "../net/tls.ts";
import type { RetryPolicy } from "../tries.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import type { Credentials } from "./credentials.ts";
import { filesFromProxy } from "./proxy-file.ts";
import { type Log, ServerSessions, type ServerLogin } from "./server-sessions.ts";
import type { SessionOptions } from "./session-options.ts";
import { Session } from "./session.ts";

type KeysPerSession = "server" | "capabilities" | "proxy" | "tls" | "number";

/**
 * Options of all sessions. Users are octets; URLs with the same user share sessions unless their passwords differ.
 * @throws FtpullError "usage" by `proxyFor`, "tls" by `tlsFor`
 */
export type PoolOptions = Omit<SessionOptions, KeysPerSession> & {
  readonly pipelining: boolean;
  readonly policy: RetryPolicy;
  readonly proxyFor: (url: FtpUrl) => ProxyServer | undefined;
  readonly tlsFor: (url: FtpUrl) => TlsOptions | undefined;
  readonly userOf: (url: FtpUrl) => string;
  /** Called once for the URLs of one login. */
  readonly credentialsFor: (url: FtpUrl) => Promise<Credentials>;
};

export class SessionPool {
  readonly #options: PoolOptions;
  readonly #servers = new Map<string, ServerSessions>();
  readonly #logins = new Map<string, ServerLogin>();
  #sessionCount = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  loginOf(url: FtpUrl): ServerLogin {
    const { scheme, host, port, password } = url;
    const user = this.#options.userOf(url);
    // No part contains NUL, which a command couldn't have.
    const key = `${scheme}://${host}:${port}\0${user}\0${password ?? "\0"}`;
    const login = this.#logins.get(key) ?? this.#newLogin(url);
    this.#logins.set(key, login);
    return login;
  }

  /** Ends all sessions, those in use with `reason`. */
  async close(reason?: Error): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close(reason)));
  }

  #newLogin(url: FtpUrl): ServerLogin {
    const options = this.#options;
    const server = this.#serverOf(url);
    const { capabilities } = server;
    let known: Promise<Credentials> | undefined;
    const credentials = () => (known ??= options.credentialsFor(url));
    const connect: ServerLogin["connect"] = async (signal, plan) => {
      const forSession = { proxy: options.proxyFor(url), tls: options.tlsFor(url) };
      const own = await credentials();
      const number = ++this.#sessionCount;
      const ofServer = { server: url, number, signal, capabilities };
      return Session.open(own, { ...options, ...ofServer, ...forSession }, plan);
    };
    const proxy = (): ProxyServer => options.proxyFor(url)!;
    const get = filesFromProxy(url, { ...options, proxy, credentials });
    return { server, connect, get };
  }

  #serverOf(url: FtpUrl): ServerSessions {
    const address = `${url.host}:${url.port}`;
    const { policy, pipelining, observer, signal } = this.#options;
    const log: Log = (level, text) => observer[level](`${url.host}: ${text}`);
    const known = this.#servers.get(address);
    const server = known ?? new ServerSessions(policy, signal, pipelining, log);
    this.#servers.set(address, server);
    return server;
  }
}

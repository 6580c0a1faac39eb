/** --proxy, --no-proxy and the environment: the proxy of each URL. */
import type { Observer } from "../documents/events.ts";
import { toFtpullError, usageError } from "../errors.ts";
import { hints } from "../hints.ts";
import { proxyExceptions } from "../net/proxy-exceptions.ts";
import type { ProxyServer } from "../net/proxy-server.ts";
import type { Settings } from "../options/command-line.ts";
import { keepSecret } from "../text/secrets.ts";
import { parseAuthority } from "../url/authority.ts";
import { formatHost } from "../url/format.ts";
import type { FtpUrl } from "../url/ftp-url.ts";

/** The variables of curl, of which the first one that is set counts; `http_proxy` is for other URLs. */
const variables = ["ftp_proxy", "FTP_PROXY", "all_proxy", "ALL_PROXY"] as const;

const protocols = new Map<string, Pick<ProxyServer, "protocol" | "port">>([
  ["http", { protocol: "http", port: 80 }],
  // The name is sent with both schemes: an address looked up here would be of no use to the proxy.
  ["socks5", { protocol: "socks5", port: 1080 }],
  ["socks5h", { protocol: "socks5", port: 1080 }],
]);

/**
 * Makes the function that gives a URL's proxy, undefined for a direct connection. @throws FtpullError
 * "usage" for an unreadable URL of a proxy; the function also throws it, for active mode through a proxy
 */
export function proxyChoice(
  settings: Settings,
  observer?: Pick<Observer, "detail">,
  environment = process.env,
): (url: FtpUrl) => ProxyServer | undefined {
  const proxy = givenProxy(settings, environment);
  if (proxy === undefined) return () => undefined;
  const list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? "";
  const hasExceptions = proxy.source !== "--proxy" && list !== "";
  const isExcepted = hasExceptions ? proxyExceptions(list) : () => false;
  return (url) => {
    if (isExcepted(url)) return undefined;
    if (settings.active) {
      const words = `--active does not work through a proxy, as ${proxy.source} names one`;
      throw usageError(words, hints.noProxy);
    }
    const { host, port, protocol, source } = proxy;
    const way = `through the proxy ${formatHost(host)}, port ${port}, by ${protocol} (${source})`;
    observer?.detail(`${formatHost(url.host)}: ${way}`);
    return proxy;
  };
}

function givenProxy(settings: Settings, environment: NodeJS.ProcessEnv): ProxyServer | undefined {
  if (settings.proxy === "") return undefined;
  if (settings.proxy !== undefined) return parseProxy("--proxy", settings.proxy);
  for (const source of variables) {
    const text = environment[source];
    if (text !== undefined) return text === "" ? undefined : parseProxy(source, text);
  }
  return undefined;
}

/** A URL without a scheme is an HTTP proxy's. Errors quote nothing that may be part of a password. */
function parseProxy(source: string, text: string): ProxyServer {
  const [, scheme = "http", authority = "", tail = ""] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#]*)(.*)$/is.exec(text) ?? [];
  const known = protocols.get(scheme.toLowerCase());
  if (known === undefined)
    throw usageError(`${source}: the scheme "${scheme}:" is not http:, socks5: or socks5h:`);
  if (tail !== "" && tail !== "/") {
    const words = `${source}: there is text behind the host and port of the proxy`;
    throw usageError(words, hints.encoding);
  }
  const { user, password = "", host, port } = authorityOf(source, authority);
  const login = user === undefined ? undefined : { user, password };
  // With some proxies, a user without a password is a token.
  if (password === "") keepSecret(user ?? "");
  else keepSecret(password, user);
  return { ...known, host, port: port ?? known.port, login, source };
}

function authorityOf(source: string, text: string): ReturnType<typeof parseAuthority> {
  try {
    return parseAuthority(text);
  } catch (error) {
    const { message, hint } = toFtpullError(error);
    throw usageError(`${source}: ${message}`, hint);
  }
}

/**
 * Connections through a proxy: it is asked for a tunnel to a host, whose name it gets as it is. HTTP
 * and SOCKS5 have files of their own; this one opens the connection, and limits its time.
 */
import type { Socket } from "node:net";
import { NetworkFailure, ProxyUnreachable, toFtpullError, Unreachable } from "../errors.ts";
import { openSocket, type Address, type ConnectOptions } from "./connect.ts";
import { withDeadline } from "./deadline.ts";
import { askHttpProxy } from "./proxy-http.ts";
import type { ProxyServer } from "./proxy-server.ts";
import { askSocksProxy } from "./proxy-socks.ts";

export interface TunnelOptions extends ConnectOptions {
  /** Begins errors: `cannot connect to ftp.example.com port 21`. */
  readonly what: string;
  readonly permission: string;
}

/**
 * Resolves with a socket from which nothing of the target's has been read.
 * @throws Unreachable "network", or "login" for the proxy's; the reason of `signal`
 */
export async function openTunnel(
  proxy: ProxyServer,
  target: Address,
  options: TunnelOptions,
): Promise<Socket> {
  const { what, permission, timeoutMs } = options;
  const socket = await openProxy(proxy, options);
  const silence = new NetworkFailure(`the proxy did not answer within ${timeoutMs / 1000} s`);
  const ask = proxy.protocol === "http" ? askHttpProxy : askSocksProxy;
  try {
    const request = { target, login: proxy.login, permission };
    await withDeadline(socket, options, silence, () => ask(socket, request));
    return socket;
  } catch (error) {
    options.signal.throwIfAborted();
    const { kind, message, transient, hint, cause } = toFtpullError(error);
    throw new Unreachable(kind, `${what}: ${message}`, { transient, hint, cause });
  }
}

async function openProxy(proxy: ProxyServer, options: TunnelOptions): Promise<Socket> {
  try {
    return await openSocket(proxy, options);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const { kind, message, transient, cause } = error;
    const words = `cannot reach the proxy: ${message}`;
    throw new ProxyUnreachable(kind, words, { transient, hint: sourceHint(proxy), cause });
  }
}

function sourceHint({ source }: ProxyServer): string {
  const remedy = source === "--proxy" ? "" : "; --no-proxy connects without it";
  return `the proxy is the one of ${source}${remedy}`;
}

/** Connections through a proxy, which gets the host's unresolved name by HTTP or SOCKS5. */
import type { Socket } from "node:net";
import { toFtpullError } from "../errors.ts";
import { hints } from "../hints.ts";
import { openSocket, type Address, type ConnectOptions } from "./connect.ts";
import { proxySilence } from "./proxy-exchange.ts";
import { withLimit } from "./time-limit.ts";
import { askHttpProxy } from "./proxy-http.ts";
import type { ProxyServer } from "./proxy-server.ts";
import { askSocksProxy } from "./proxy-socks.ts";

interface TunnelOptions extends ConnectOptions {
  readonly what: string;
}

/** Connects to `target` through a proxy; octets from `target` are unread. @throws "unusable port"; a lasting FtpullError */
export async function openTunnel(
  proxy: ProxyServer,
  target: Address,
  options: TunnelOptions,
): Promise<Socket> {
  const socket = await openProxy(proxy, options);
  const ask = proxy.protocol === "http" ? askHttpProxy : askSocksProxy;
  try {
    const request = { target, login: proxy.login };
    await withLimit(socket, options, proxySilence, () => ask(socket, request));
    return socket;
  } catch (error) {
    options.signal.throwIfAborted();
    const failure = toFtpullError(error);
    const message = `${options.what}: ${failure.message}`;
    const reason = failure.transient ? "unusable port" : undefined;
    throw failure.with({ message, reason: failure.reason ?? reason });
  }
}

/** Connects to the proxy itself. */
export async function openProxy(proxy: ProxyServer, options: ConnectOptions): Promise<Socket> {
  try {
    return await openSocket(proxy, options);
  } catch (error) {
    options.signal.throwIfAborted();
    const failure = toFtpullError(error);
    const message = `cannot reach the proxy of ${proxy.source}: ${failure.message}`;
    const hint = proxy.source === "--proxy" ? undefined : hints.noProxy;
    throw failure.with({ message, hint });
  }
}

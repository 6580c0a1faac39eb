/**
 * Opens control connections, directly or through a proxy, and data connections through a proxy, which
 * is asked for each of them by the host's name. Without a proxy, data/passive.ts opens the latter.
 */
import type { Socket } from "node:net";
import { FtpullError, ProxyUnreachable, Unreachable } from "../errors.ts";
import { openSocket, type Address, type ConnectOptions } from "../net/connect.ts";
import type { ProxyServer } from "../net/proxy-server.ts";
import { UnopenedData } from "./data/data-connection.ts";

type Options = ConnectOptions & { readonly proxy: ProxyServer | undefined };

/** Opens a control connection, directly if there is no proxy. @throws Unreachable */
export function openControl(server: Address, options: Options): Promise<Socket> {
  if (options.proxy === undefined) return openSocket(server, options);
  const what = `cannot connect to ${server.host} port ${server.port}`;
  return open(options.proxy, server, { server, what, ...options });
}

/**
 * Opens a data connection to `port`, before the command that uses it is sent. The host is the one
 * of the control connection, as without a proxy (X3).
 * @throws UnopenedData if another port may be reached, else FtpullError
 */
export async function openData(
  proxy: ProxyServer,
  server: Address,
  port: number,
  options: ConnectOptions,
): Promise<Socket> {
  const what = `cannot open a data connection to port ${port} of ${server.host}`;
  const target = { host: server.host, port };
  const details = { server, what, ...options, halfOpen: true };
  const socket = await open(proxy, target, details).catch((error: unknown) => {
    if (!(error instanceof Unreachable)) throw error;
    const { kind, message, transient, hint } = error;
    const isPort = transient && !(error instanceof ProxyUnreachable);
    if (isPort) throw new UnopenedData(message, error);
    // The server is reached: other documents are tried too.
    throw new FtpullError(kind, message, { transient, hint, cause: error });
  });
  if (socket.readableLength === 0) return socket;
  socket.destroy();
  // The server waits for the command: these octets are a page of the proxy's, say.
  throw new FtpullError("network", `${what}: the proxy sent data that was not asked for`);
}

/** Loaded lazily: most runs have no proxy. */
async function open(
  proxy: ProxyServer,
  target: Address,
  { server, ...options }: ConnectOptions & { server: Address; what: string },
): Promise<Socket> {
  const { openTunnel } = await import("../net/proxy.ts");
  const ports = `port ${server.port} and to ports above 1023`;
  const permission = `the proxy's administrator has to permit CONNECT to ${ports}`;
  return openTunnel(proxy, target, { ...options, permission });
}

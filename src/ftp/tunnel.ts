/** Opens connections to a server, directly or through a proxy, which gets the host's name each time. */
import type { Socket } from "node:net";
import { FtpullError } from "../errors.ts";
import { openSocket, type Address, type ConnectOptions } from "../net/connect.ts";
import type { ProxyServer } from "../net/proxy-server.ts";

type Options = ConnectOptions & { readonly proxy: ProxyServer | undefined };

export function openControl(server: Address, options: Options): Promise<Socket> {
  if (options.proxy === undefined) return openSocket(server, options);
  const what = `cannot connect to ${server.host} port ${server.port}`;
  return open(options.proxy, server, server.port, { ...options, what });
}

/** Opens a data connection to `port` of the control connection's host (X3), before its command is sent. */
export async function openData(
  proxy: ProxyServer,
  server: Address,
  port: number,
  options: ConnectOptions,
): Promise<Socket> {
  const what = `cannot open a data connection to port ${port} of ${server.host}`;
  const socket = await open(proxy, server, port, { ...options, what, halfOpen: true });
  if (socket.readableLength === 0) return socket;
  socket.destroy();
  // The server waits for the command: octets before it are, for example, a page of the proxy's.
  throw new FtpullError("protocol", `${what}: the proxy sent data that was not asked for`);
}

/** Loaded lazily: most runs have no proxy. */
async function open(
  proxy: ProxyServer,
  server: Address,
  port: number,
  options: ConnectOptions & { readonly what: string },
): Promise<Socket> {
  const { openTunnel } = await import("../net/proxy.ts");
  const ports = `port ${server.port} and to ports above 1023`;
  const permissionHint = `the proxy's administrator has to permit CONNECT to ${ports}`;
  return openTunnel(proxy, { host: server.host, port }, { ...options, permissionHint });
}

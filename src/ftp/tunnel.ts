/** Opens connections to a server, directly or through a proxy, which gets the host's name for each one. */
import type { Socket } from "node:net";
import { FtpullError } from "../errors.ts";
import { openSocket, type ConnectOptions } from "../net/connect.ts";
import { openTunnel } from "../net/proxy.ts";
import type { ProxyServer } from "../net/proxy-server.ts";
import type { SessionOptions } from "./session-options.ts";

type Options = ConnectOptions & Pick<SessionOptions, "server" | "proxy">;

export function openControl(options: Options): Promise<Socket> {
  const { server, proxy } = options;
  if (proxy === undefined) return openSocket(server, options);
  return open(proxy, server.port, `cannot connect to ${server.host} port ${server.port}`, options);
}

export async function openData(
  proxy: ProxyServer,
  port: number,
  options: Options,
): Promise<Socket> {
  const what = `cannot open a data connection to port ${port} of ${options.server.host}`;
  const socket = await open(proxy, port, what, { ...options, halfOpen: true });
  if (socket.readableLength === 0) return socket;
  socket.destroy();
  // The server waits for the command: octets before it are, for example, a page of the proxy's.
  throw new FtpullError("protocol", `${what}: the proxy sent data that was not asked for`);
}

function open(proxy: ProxyServer, port: number, what: string, options: Options) {
  return openTunnel(proxy, { host: options.server.host, port }, { ...options, what });
}

/** Passive mode: EPSV or PASV asks where the server listens (P4). LPSV is not used (RFC 5797). */
import { NetworkFailure, UnreachablePort } from "../../errors.ts";
import type { Sink } from "../../net/rate-limit.ts";
import {
  isCompletion,
  noDataConnection,
  parse227,
  parse229,
  ReplyError,
} from "../control/reply.ts";
import type { TransferOptions } from "../session-options.ts";
import { plainCommand } from "../state.ts";
import { openData } from "../tunnel.ts";
import { DataConnection } from "./data-connection.ts";

export const extendedPassive = plainCommand("EPSV", 229);
const passive = plainCommand("PASV", 227, 229);
const activeHint = "let the server make the data connections: add --active";

/**
 * Connects to the control connection's host: the host in a reply may be private, or an attack (RFC 2577 §3, X3). If
 * the first EPSV of a run doesn't lead to a connection, PASV is used from then on.
 */
export async function connectData(
  host: string,
  options: TransferOptions,
  sink: Sink,
): Promise<DataConnection> {
  const { capabilities } = options;
  const hasPassive = !host.includes(":"); // PASV supports IPv4 only
  if (capabilities.epsv !== "given up") {
    try {
      return await connectExtended(host, options, sink);
    } catch (error) {
      if (!hasPassive) throw error;
      if (capabilities.epsv === undefined) giveUpExtended(options, error as Error);
      // Some servers and firewalls end the connection at EPSV, or say nothing: the next try asks by PASV.
      const isHelped = error instanceof ReplyError || error instanceof UnreachablePort;
      if (!isHelped) throw error;
    }
  }
  return connectTo(host, await passivePort(options), options, sink);
}

/** Waits for the first connections: a server that has RETR may wait for one that can't be made. */
async function connectExtended(
  host: string,
  options: TransferOptions,
  sink: Sink,
): Promise<DataConnection> {
  const reply = await options.request(extendedPassive);
  const port = isCompletion(reply) ? parse229(reply) : undefined;
  if (port === undefined) throw noDataConnection(reply);
  const data = await connectTo(host, port, options, sink);
  if (options.capabilities.epsv !== "proven") await data.opened();
  return data;
}

async function connectTo(
  host: string,
  port: number,
  options: TransferOptions,
  sink: Sink,
): Promise<DataConnection> {
  const { proxy, buffer, localAddress } = options;
  const data = new DataConnection(options, sink);
  if (proxy === undefined) data.connect(host, port, buffer, localAddress);
  else data.read(await openData(proxy, port, options));
  return data;
}

/** Some firewalls open ports only for 227 replies. */
export function giveUpExtended({ capabilities, observer }: TransferOptions, error: Error): void {
  observer.detail(`${error.message}: asking for ports by PASV from now on`);
  capabilities.epsv = "given up";
}

async function passivePort({ request, proxy }: TransferOptions): Promise<number> {
  const hint = proxy ? undefined : activeHint;
  const reply = await request(passive).catch((error: unknown) => {
    throw error instanceof NetworkFailure ? error.with({ hint }) : error;
  });
  const port = isCompletion(reply) ? (parse227(reply) ?? parse229(reply)) : undefined;
  if (port === undefined) throw noDataConnection(reply, hint);
  return port;
}

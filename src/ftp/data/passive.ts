/** Passive mode: EPSV or PASV asks where the server listens (P4). LPSV is not used (RFC 5797). */
import { FtpullError, NetworkFailure, UnreachablePort } from "../../errors.ts";
import {
  isCompletion,
  parse227,
  parse229,
  quoteReply,
  noDataConnection,
  replyCode,
} from "../control/reply.ts";
import type { Sink } from "../../net/rate-limit.ts";
import type { TransferOptions } from "../session-options.ts";
import { plainCommand } from "../state.ts";
import { openData } from "../tunnel.ts";
import { DataConnection } from "./data-connection.ts";

export const extendedPassive = plainCommand("EPSV", 229);
const passive = plainCommand("PASV", 227, 229);
const activeHint = "let the server make the data connections: add --active";

/**
 * Connects to the control connection's host: the host in a reply may be private, or an attack (RFC
 * 2577 §3, X3).
 */
export async function connectData(
  host: string,
  options: TransferOptions,
  sink: Sink,
): Promise<DataConnection> {
  const hasPassive = !host.includes(":"); // PASV supports IPv4 only
  const port = await extendedPort(options, hasPassive);
  try {
    if (port !== undefined) return await connectExtended(host, port, options, sink);
  } catch (error) {
    if (!(error instanceof UnreachablePort) || !hasPassive) throw error;
    giveUpExtended(options, error);
  }
  return connectTo(host, await passivePort(options), options, sink);
}

/** Waits for the first connections: a server that has RETR may wait for one that can't be made. */
async function connectExtended(
  host: string,
  port: number,
  options: TransferOptions,
  sink: Sink,
): Promise<DataConnection> {
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

/** Called if EPSV's ports are out of reach: some firewalls open ports only for 227 replies. */
export function giveUpExtended({ capabilities, observer }: TransferOptions, error: Error): void {
  if (capabilities.epsv !== "given up")
    observer.info(`${error.message}: asking for ports by PASV from now on`);
  capabilities.epsv = "given up";
}

async function extendedPort(
  options: TransferOptions,
  hasPassive: boolean,
): Promise<number | undefined> {
  const { capabilities, request } = options;
  if (capabilities.epsv === "given up") return undefined;
  const reply = await request(extendedPassive).catch((error: unknown) => {
    // Some servers and firewalls end the connection at EPSV, or say nothing: the next try asks by PASV.
    if (hasPassive && error instanceof NetworkFailure) capabilities.epsv ??= "given up";
    throw error;
  });
  if (isCompletion(reply)) {
    const port = parse229(reply);
    if (port === undefined) capabilities.epsv = "given up";
    return port;
  }
  if (reply.code === replyCode.cannotOpenData && hasPassive) return undefined;
  const refusal = noDataConnection(reply);
  if (refusal.transient) throw refusal;
  capabilities.epsv = "given up";
  return undefined;
}

async function passivePort({ request, proxy }: TransferOptions): Promise<number> {
  const hint = proxy ? undefined : activeHint;
  const reply = await request(passive).catch((error: unknown) => {
    throw error instanceof NetworkFailure ? error.with({ hint }) : error;
  });
  if (!isCompletion(reply)) throw noDataConnection(reply, hint);
  const port = parse227(reply) ?? parse229(reply);
  if (port !== undefined) return port;
  throw new FtpullError("protocol", `no usable port in the reply to PASV: ${quoteReply(reply)}`);
}

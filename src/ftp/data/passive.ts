/**
 * Passive mode: the server listens, EPSV or PASV asks where, and the client connects (P4). LPSV
 * is not used (RFC 5797).
 */
import type { Socket } from "node:net";
import { FtpullError } from "../../errors.ts";
import type { TlsLayer } from "../../net/tls.ts";
import {
  isCompletion,
  isTransientNegative,
  parse227,
  parse229,
  quoteReply,
  noDataConnection,
} from "../control/reply.ts";
import type { ServerCapabilities } from "../session-options.ts";
import { question, type Request } from "../state.ts";
import {
  type DataConnection,
  type OpeningConnection,
  type Sink,
  UnopenedData,
} from "./data-connection.ts";
import { readData, readPort } from "./data-stream.ts";

export const extendedPassive = question("EPSV", 229);
const passive = question("PASV", 227);

interface PassiveOptions {
  readonly tls: TlsLayer | undefined;
  readonly timeoutMs: number;
  readonly silenceMs: number;
  readonly localAddress: string | undefined;
  /** Connects to a port through the proxy, if there is one. */
  readonly openPort: ((port: number) => Promise<Socket>) | undefined;
  /** Reused for every read in clear text; its size saves system calls. */
  readonly buffer: Buffer;
  readonly capabilities: ServerCapabilities;
  /** EPSV's port is out of reach: PASV is used from now on. */
  readonly giveUpExtended: (because: FtpullError) => void;
}

/**
 * Connects to where the server listens. The host is always the control connection's: an
 * address in the reply may be a private one or an attack (RFC 2577 §3, X3). Some firewalls open
 * ports only for 227 replies.
 */
export async function connectData(
  host: string,
  request: Request,
  options: PassiveOptions,
  sink: Sink,
): Promise<DataConnection> {
  const { capabilities, giveUpExtended } = options;
  const port = capabilities.extendedPassive ? await extendedPort(request, capabilities) : undefined;
  try {
    if (port !== undefined) return await connectExtended(host, port, options, sink);
  } catch (error) {
    // PASV supports IPv4 only.
    if (!(error instanceof UnopenedData) || host.includes(":")) throw error;
    giveUpExtended(error);
  }
  return connectPort(host, await passivePort(request), options, sink);
}

/** A server that has RETR may wait for a connection that can't be made: the first one comes before. */
async function connectExtended(
  host: string,
  port: number,
  options: PassiveOptions,
  sink: Sink,
): Promise<DataConnection> {
  const data = await connectPort(host, port, options, sink);
  if (!options.capabilities.isExtendedProven) await data.opened();
  return data;
}

async function connectPort(
  host: string,
  port: number,
  { tls, timeoutMs, silenceMs, localAddress, openPort, buffer }: PassiveOptions,
  sink: Sink,
): Promise<OpeningConnection> {
  const options = { target: `port ${port} of ${host}`, timeoutMs, silenceMs, tls };
  if (openPort !== undefined) return readData(await openPort(port), options, sink);
  return readPort(host, port, { ...options, localAddress, buffer }, sink);
}

/** Undefined where EPSV is refused, now and later. */
async function extendedPort(
  request: Request,
  capabilities: ServerCapabilities,
): Promise<number | undefined> {
  const reply = await request(extendedPassive);
  const port = isCompletion(reply) ? parse229(reply) : undefined;
  if (isTransientNegative(reply)) throw noDataConnection(reply);
  if (port === undefined) capabilities.extendedPassive = false;
  return port;
}

async function passivePort(request: Request): Promise<number> {
  const reply = await request(passive);
  if (!isCompletion(reply)) throw noDataConnection(reply);
  const port = parse227(reply);
  if (port !== undefined) return port;
  throw new FtpullError("protocol", `no usable port in the reply to PASV: ${quoteReply(reply)}`);
}

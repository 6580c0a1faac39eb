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
  type Request,
} from "../control/reply.ts";
import type { ServerCapabilities } from "../session-options.ts";
import type { DataConnection, Sink } from "./data-connection.ts";
import { readData, readPort } from "./data-stream.ts";

interface PassiveOptions {
  readonly tls: TlsLayer | undefined;
  readonly timeoutMs: number;
  /** Connects to a port through the proxy, if there is one. */
  readonly openPort: ((port: number) => Promise<Socket>) | undefined;
  /** Reused for every read in clear text; its size saves system calls. */
  readonly buffer: Buffer;
}

/**
 * Connects to where the server listens. The host is always the control connection's: an
 * address in the reply may be a private one or an attack (RFC 2577 §3, X3).
 */
export async function connectData(
  host: string,
  request: Request,
  capabilities: ServerCapabilities,
  { tls, timeoutMs, openPort, buffer }: PassiveOptions,
  sink: Sink,
): Promise<DataConnection> {
  const port = await passivePort(request, capabilities);
  const options = { target: `port ${port} of ${host}`, timeoutMs, tls };
  if (openPort !== undefined) return readData(await openPort(port), options, sink);
  return readPort(host, port, { ...options, buffer }, sink);
}

async function passivePort(request: Request, capabilities: ServerCapabilities): Promise<number> {
  if (capabilities.extendedPassive) {
    const reply = await request("EPSV");
    const port = parse229(reply);
    if (isCompletion(reply) && port !== undefined) return port;
    if (isTransientNegative(reply)) throw noDataConnection(reply);
    capabilities.extendedPassive = false;
  }
  const reply = await request("PASV");
  if (!isCompletion(reply)) throw noDataConnection(reply);
  const port = parse227(reply);
  if (port !== undefined) return port;
  throw new FtpullError("protocol", `no usable port in the reply to PASV: ${quoteReply(reply)}`);
}

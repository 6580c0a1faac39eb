/** Which kind of data connection is made for a transfer, passive or active, clear or secured. */
import { connect, type Socket } from "node:net";
import { awaitData } from "./data-active.ts";
import type { DataConnection, Sink } from "./data-connection.ts";
import { connectData } from "./data-passive.ts";
import { readData } from "./data-stream.ts";
import type { Habits } from "./habits.ts";
import { passivePort } from "./passive.ts";
import type { Reply } from "./reply.ts";
import type { TlsLayer } from "./tls.ts";

export interface DataOptions {
  readonly active: boolean;
  /** Undefined is clear text. */
  readonly tls: TlsLayer | undefined;
  readonly timeoutMs: number;
  readonly buffer: Buffer;
  readonly habits: Habits;
}

/**
 * Agrees with the server on a data connection between the ends of the control connection.
 * @throws ReplyError when the server refuses, FtpullError "protocol", "network"
 */
export async function openData(
  { localAddress: local = "", remoteAddress: host = "" }: Socket,
  request: (line: string) => Promise<Reply>,
  options: DataOptions,
  sink: Sink,
): Promise<DataConnection> {
  const { active, tls, timeoutMs, buffer, habits } = options;
  if (active) return awaitData({ local, remote: host }, request, habits, { tls, timeoutMs }, sink);
  const port = await passivePort(request, habits);
  if (tls === undefined) return connectData({ host, port, timeoutMs, buffer }, sink);
  const tcp = connect({ host, port, allowHalfOpen: true });
  return readData(tcp, { target: `port ${port} of ${host}`, tls, timeoutMs }, sink);
}

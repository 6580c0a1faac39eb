/** Opens data connections (P4): EPSV or PASV asks where the server listens, EPRT or PORT tells where the client does. */
import { once } from "node:events";
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from "node:net";
import { FtpullError, hasReason, systemText } from "../../errors.ts";
import { hints } from "../../hints.ts";
import type { Sink } from "../../net/rate-limit.ts";
import {
  isCompletion,
  isTransientNegative,
  noDataConnection,
  parse227,
  parse229,
  ReplyError,
} from "../control/reply.ts";
import { answerTo, goalOf, type Goal } from "../dialogue.ts";
import type { DocumentPlan } from "../document-steps.ts";
import type { TransferOptions } from "../session-options.ts";
import { type Command, plainCommand } from "../state.ts";
import { openData } from "../tunnel.ts";
import { DataConnection, type StreamOptions } from "./data-connection.ts";
import { dataCut } from "./data-end.ts";

const extendedPassive = plainCommand("EPSV", 229);
const passive = plainCommand("PASV", 227, 229);

/** What a session has to reach before a document's transfer; a port of EPSV is asked for with the rest. */
export function goalsBefore(
  plan: DocumentPlan,
  { active, capabilities }: Pick<TransferOptions, "active" | "capabilities">,
): [Goal, ...Goal[]] {
  if (active || capabilities.epsv === "given up") return [goalOf(plan)];
  return [goalOf(plan), answerTo(extendedPassive)];
}

/**
 * Connects to the control connection's host: the host in a reply may be private, or an attack (RFC 2577 §3, X3). If
 * the first EPSV of a server doesn't lead to a connection, PASV is used from then on.
 */
export async function connectData(options: TransferOptions, sink: Sink): Promise<DataConnection> {
  const { capabilities } = options;
  if (capabilities.epsv !== "given up") {
    try {
      const data = await connectTo(await askPort(extendedPassive, options), options, sink);
      // A server that has RETR may wait for a connection that can't be made.
      if (capabilities.epsv !== "proven") await data.opened();
      return data;
    } catch (error) {
      givesUpExtended(options, error as Error);
      // Some servers and firewalls end the connection at EPSV, or say nothing: the next try asks by PASV.
      const mayHelp = error instanceof ReplyError || hasReason(error, "unusable port");
      if (!hasPassive(options) || !mayHelp) throw error;
    }
  }
  return connectTo(await askPort(passive, options), options, sink);
}

/** PASV supports IPv4 only. */
const hasPassive = ({ host }: TransferOptions): boolean => !host.includes(":");

/** True if PASV is used from now on, since the first EPSV led to `error`: some firewalls open ports only for 227. */
export function givesUpExtended(options: TransferOptions, error: Error): boolean {
  const { active, capabilities, observer } = options;
  if (active || !hasPassive(options) || capabilities.epsv !== undefined) return false;
  observer.detail(`${error.message}: asking for ports by PASV from now on`);
  capabilities.learn({ epsv: "given up" });
  return true;
}

/** Some servers answer PASV as if it were EPSV. */
async function askPort(command: Command, { request }: TransferOptions): Promise<number> {
  const reply = await request(command);
  const port = isCompletion(reply) ? (parse227(reply) ?? parse229(reply)) : undefined;
  if (port === undefined) throw noDataConnection(reply);
  return port;
}

async function connectTo(
  port: number,
  options: TransferOptions,
  sink: Sink,
): Promise<DataConnection> {
  const { host, proxy, buffer, localAddress } = options;
  checkDataPort(port, options.allowPorts);
  const tunnel = proxy && (await openData(proxy, port, options));
  const data = new DataConnection(options, sink);
  if (tunnel === undefined) data.connect(host, port, buffer, localAddress);
  else data.read(tunnel);
  return data;
}

/** FTP's own data ports (with TLS 989), and 990: other ports below 1024 belong to other protocols. */
const dataPorts = [20, 989, 990];

/** Refuses a port at which another server of the host would begin to speak: its greeting would be taken for data. */
function checkDataPort(port: number, allowed: readonly number[]): void {
  if (port >= 1024 || dataPorts.includes(port) || allowed.includes(port)) return;
  const text = `the server named port ${port} for data, which belongs to another protocol`;
  const hint = hints.allowPort(port);
  throw new FtpullError("protocol", text, { reason: "unusable port", hint });
}

type ActiveOptions = StreamOptions & Pick<TransferOptions, "request" | "capabilities">;

/** Listens, tells the server where, and resolves before the server connects. */
export async function awaitData(
  control: Pick<Socket, "localAddress" | "remoteAddress">,
  options: ActiveOptions,
  sink: Sink,
): Promise<DataConnection> {
  const listener = createServer({ allowHalfOpen: true });
  const data = new DataConnection(options, sink);
  acceptFirstFrom(control.remoteAddress ?? "", listener, data);
  try {
    await announceByEprtOrPort(await listen(listener, control.localAddress), options);
    return data;
  } catch (error) {
    data.abort();
    throw error;
  }
}

async function listen(listener: Server, host = ""): Promise<AddressInfo> {
  try {
    await once(listener.listen({ host, port: 0, exclusive: true }), "listening");
    return listener.address() as AddressInfo;
  } catch (cause) {
    throw new FtpullError("network", `cannot listen at ${host}: ${systemText(cause)}`, { cause });
  }
}

async function announceByEprtOrPort(
  { address, port }: AddressInfo,
  options: ActiveOptions,
): Promise<void> {
  const { request, capabilities } = options;
  const host = address.replace(/%.*$/, "");
  const isVersion6 = isIPv6(host);
  if (!capabilities.isEprtRefused || isVersion6) {
    const reply = await request(plainCommand(`EPRT |${isVersion6 ? 2 : 1}|${host}|${port}|`, 200));
    if (isCompletion(reply)) return;
    if (isVersion6 || isTransientNegative(reply)) throw noDataConnection(reply);
    capabilities.learn({ isEprtRefused: true });
  }
  const numbers = [...host.split("."), port >> 8, port & 255];
  const reply = await request(plainCommand(`PORT ${numbers.join(",")}`, 200));
  if (!isCompletion(reply)) throw noDataConnection(reply);
}

function acceptFirstFrom(serverAddress: string, listener: Server, data: DataConnection): void {
  listener.on("connection", (socket) => {
    const hasStopped = !listener.listening;
    if (hasStopped || socket.remoteAddress !== serverAddress) return void socket.destroy();
    listener.close();
    data.read(socket);
  });
  listener.on("error", (error) =>
    data.abort(dataCut(`cannot listen: ${systemText(error)}`, error)),
  );
  void data.ended.then(() => listener.close());
}

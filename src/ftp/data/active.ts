/**
 * Active mode (RFC 959 §3.2, RFC 2428 §2): the client listens, EPRT or PORT tells the server
 * where, and the server connects.
 */
import { once } from "node:events";
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from "node:net";
import { FtpullError, systemText } from "../../errors.ts";
import { isCompletion, isTransientNegative, noDataConnection } from "../control/reply.ts";
import type { ServerCapabilities } from "../session-options.ts";
import { plainCommand, type Request } from "../state.ts";
import { BrokenData, type DataConnection, type Sink } from "./data-connection.ts";
import { readData, type StreamOptions } from "./data-stream.ts";

/** The addresses of the control connection, which the data connection uses as well. */
interface Ends {
  readonly local: string;
  readonly remote: string;
}

/** Listens on the local address of the control connection, and sends the port to the server. */
export async function awaitData(
  { local, remote }: Ends,
  request: Request,
  options: Omit<StreamOptions, "target"> & { readonly capabilities: ServerCapabilities },
  sink: Sink,
): Promise<DataConnection> {
  const listener = createServer({ allowHalfOpen: true });
  const data = acceptData(listener, remote, { ...options, target: "this machine" }, sink);
  try {
    await announce(await listen(listener, local), request, options.capabilities);
    return data;
  } catch (error) {
    data.abort();
    throw error;
  }
}

async function listen(listener: Server, host: string): Promise<AddressInfo> {
  try {
    await once(listener.listen({ host, port: 0, exclusive: true }), "listening");
    return listener.address() as AddressInfo;
  } catch (error) {
    throw new FtpullError("network", `cannot listen at ${host}: ${systemText(error)}`, {
      cause: error,
    });
  }
}

/** Sends EPRT, else PORT, which supports IPv4 only. Zones of IPv6 addresses are local. */
async function announce(
  { address, port }: AddressInfo,
  request: Request,
  capabilities: ServerCapabilities,
): Promise<void> {
  const host = address.replace(/%.*$/, "");
  const isVersion6 = isIPv6(host);
  if (capabilities.extendedActive || isVersion6) {
    const reply = await request(plainCommand(`EPRT |${isVersion6 ? 2 : 1}|${host}|${port}|`, 200));
    if (isCompletion(reply)) return;
    if (isVersion6 || isTransientNegative(reply)) throw noDataConnection(reply);
    capabilities.extendedActive = false;
  }
  const numbers = [...host.split("."), port >> 8, port & 255];
  const reply = await request(plainCommand(`PORT ${numbers.join(",")}`, 200));
  if (!isCompletion(reply)) throw noDataConnection(reply);
}

/** Accepts the first connection from `remote`; connections from other addresses are closed. */
function acceptData(
  listener: Server,
  remote: string,
  options: StreamOptions,
  sink: Sink,
): DataConnection {
  let accepted: DataConnection | undefined;
  let stranger: string | undefined;
  let giveUp: (reason: Error) => void = () => {};
  const connected = new Promise<DataConnection>((resolve, reject) => {
    giveUp = reject;
    listener.on("connection", (socket: Socket) => {
      if (socket.remoteAddress !== remote) stranger = socket.remoteAddress;
      if (accepted !== undefined || socket.remoteAddress !== remote) return void socket.destroy();
      resolve((accepted = readData(socket, options, sink)));
    });
    listener.on("error", (error) =>
      reject(new BrokenData(`cannot listen: ${systemText(error)}`, error)),
    );
  });
  const timer = setTimeout(() => {
    const refused = stranger && `; a connection from ${stranger} was refused`;
    const silence = `the server did not connect within ${options.timeoutMs / 1000} s`;
    giveUp(new BrokenData(silence + (refused ?? "")));
  }, options.timeoutMs);
  const ended = connected
    .finally(() => {
      clearTimeout(timer);
      listener.close();
    })
    .then((data) => data.ended);
  ended.catch(() => {});
  const abort = (reason = new BrokenData("the data connection was closed")): void =>
    accepted === undefined ? giveUp(reason) : accepted.abort(reason);
  return {
    ended,
    abort,
    get begun() {
      return accepted?.begun ?? false;
    },
  };
}

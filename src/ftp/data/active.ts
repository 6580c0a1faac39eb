/** Active mode (RFC 959 §3.2, RFC 2428 §2): EPRT or PORT tells the server where the client listens. */
import { once } from "node:events";
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from "node:net";
import { FtpullError, systemText } from "../../errors.ts";
import { isCompletion, isTransientNegative, noDataConnection } from "../control/reply.ts";
import type { Sink } from "../../net/rate-limit.ts";
import type { TransferOptions } from "../session-options.ts";
import { plainCommand } from "../state.ts";
import { BrokenData, DataConnection, type StreamOptions } from "./data-connection.ts";

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
    capabilities.isEprtRefused = true;
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
    data.abort(new BrokenData(`cannot listen: ${systemText(error)}`, error)),
  );
  const stop = (): void => void listener.close();
  data.ended.then(stop, stop);
}

/**
 * Ports of the tests' servers, from below the range of which the system takes its own, so that no
 * connection has one as its end. Each test process has a series of its own and comes back to a port
 * after 2,400 others only: a client of a server that is gone meets no server of another test.
 */
import { once } from "node:events";
import net from "node:net";

const length = 2400;
const first = 12_000 + (Number(process.env["VITEST_POOL_ID"] ?? 0) % 8) * length;
let drawn = Math.floor(Math.random() * length);

/** Listens on a port that nobody has; returns it. */
export async function listenOn(listener: net.Server, host = "127.0.0.1"): Promise<number> {
  for (;;) {
    drawn = (drawn + 1) % length;
    listener.listen(first + drawn, host);
    try {
      await once(listener, "listening");
      return (listener.address() as net.AddressInfo).port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
}

/** A port for a server's program, on which nobody listens. */
export async function freePort(): Promise<number> {
  const listener = net.createServer();
  const port = await listenOn(listener);
  listener.close();
  await once(listener, "close");
  return port;
}

/** A port of this host on which nobody listens as long as this process runs. */
export async function closedPort(host: string): Promise<number> {
  const listener = net.createServer();
  const client = net.connect(await listenOn(listener, host), host);
  const [[accepted]] = await Promise.all([once(listener, "connection"), once(client, "connect")]);
  listener.close();
  // The client's end of a connection: no process can listen there.
  for (const socket of [client, accepted as net.Socket]) {
    socket.on("error", () => {});
    held.add(socket.unref());
  }
  return client.localPort!;
}

const held = new Set<net.Socket>();

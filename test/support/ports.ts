/**
 * Ports of the tests' servers, from below the range of which the system takes its own, so that no
 * connection has one as its end. Each test process of the machine has a series of its own and comes
 * back to a port after 600 others only: a client of a server that is gone meets no server of another
 * test.
 */
import { once } from "node:events";
import net from "node:net";

const [lowest, length, seriesCount] = [12_000, 600, 34];
let drawn = Math.floor(Math.random() * length);
let series: Promise<number> | undefined;

/** Listens on a port that nobody has; returns it. */
export async function listenOn(listener: net.Server, host = "127.0.0.1"): Promise<number> {
  const first = await (series ??= ownSeries());
  for (;;) {
    drawn = 1 + (drawn % (length - 1));
    const port = first + drawn;
    if (await canListen(port, listener, host)) return port;
  }
}

/** The first port of a series that is this process's as long as it listens there. */
async function ownSeries(): Promise<number> {
  for (let index = 0; index < seriesCount; index += 1) {
    const first = lowest + index * length;
    if (await canListen(first, net.createServer().unref(), "127.0.0.1")) return first;
  }
  return lowest; // which another process has, too
}

/** Listens there, unless another one does; says whether it could. */
async function canListen(port: number, listener: net.Server, host: string): Promise<boolean> {
  listener.listen(port, host);
  try {
    await once(listener, "listening");
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return false;
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

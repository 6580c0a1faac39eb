/**
 * Ports of the tests' servers, below the range of the system's ports for connections. Each test
 * process of the machine has a series of 600 ports, used in turn: a client of a closed server meets
 * no server of another test.
 */
import { once } from "node:events";
import net from "node:net";

const [lowestPort, portsPerSeries, seriesCount] = [12_000, 600, 34];
let lastDrawn = Math.floor(Math.random() * portsPerSeries);
let firstOfSeries: Promise<number> | undefined;

export async function listenOn(listener: net.Server, host = "127.0.0.1"): Promise<number> {
  firstOfSeries ??= ownSeries();
  const first = await firstOfSeries;
  for (;;) {
    lastDrawn = 1 + (lastDrawn % (portsPerSeries - 1));
    const port = first + lastDrawn;
    if (await canListen(port, listener, host)) return port;
  }
}

/**
 * The first port of a free series, which this process reserves by listening on it. Without a free series, the
 * first one is shared with another process.
 */
async function ownSeries(): Promise<number> {
  for (let index = 0; index < seriesCount; index += 1) {
    const first = lowestPort + index * portsPerSeries;
    if (await canListen(first, net.createServer().unref(), "127.0.0.1")) return first;
  }
  return lowestPort;
}

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

export async function freePort(): Promise<number> {
  const listener = net.createServer();
  const port = await listenOn(listener);
  listener.close();
  await once(listener, "close");
  return port;
}

/** A port on which no process can listen until the end of this one: the client's end of a connection. */
export async function closedPort(host: string): Promise<number> {
  const listener = net.createServer();
  const client = net.connect(await listenOn(listener, host), host);
  const [[accepted]] = await Promise.all([once(listener, "connection"), once(client, "connect")]);
  listener.close();
  for (const socket of [client, accepted as net.Socket]) {
    socket.on("error", () => {});
    held.add(socket.unref());
  }
  return client.localPort!;
}

const held = new Set<net.Socket>();

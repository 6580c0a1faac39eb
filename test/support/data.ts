/**
 * The server's end of data connections: listening for a passive one, connecting back for an
 * active one, and the several ways in which one ends.
 */

import { once } from "node:events";
import net from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type SecureContext, TLSSocket } from "node:tls";

/** One open data connection. */
export class DataConnection {
  readonly #tcp: net.Socket;
  #socket: net.Socket;
  readonly closed: Promise<void>;

  constructor(tcp: net.Socket) {
    this.#tcp = tcp;
    this.#socket = tcp;
    // What the client does to its end shows in `open`, whatever error came with it.
    tcp.on("error", () => {});
    this.closed = new Promise((resolve) => tcp.once("close", () => resolve()));
  }

  get open(): boolean {
    return this.#tcp.writable && this.#socket.writable;
  }

  /** Makes it a TLS connection; says whether that resumed an earlier session. */
  async secure(secureContext: SecureContext): Promise<{ reused: boolean }> {
    const socket = new TLSSocket(this.#tcp, { isServer: true, secureContext });
    socket.on("error", () => this.#tcp.destroy());
    this.#socket = socket;
    await Promise.race([once(socket, "secure"), this.closed]);
    return { reused: socket.isSessionReused() };
  }

  /** Sends octets and waits until the system has them; does nothing when the client has left. */
  async send(octets: Buffer): Promise<void> {
    if (!this.open) return;
    await new Promise<void>((resolve) => this.#socket.write(octets, () => resolve()));
  }

  /** Ends it in order: over TLS with close_notify. */
  async end(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.end(() => resolve()));
    this.#socket.resume();
  }

  /** Ends the TCP connection alone: over TLS the close_notify is missing. */
  cut(): void {
    this.#tcp.destroySoon();
  }

  /** Ends it by RST, a little later: one that comes at once takes octets away that weren't read yet. */
  async reset(): Promise<void> {
    await delay(10);
    this.#tcp.resetAndDestroy();
  }

  destroy(): void {
    this.#socket.destroy();
    this.#tcp.destroy();
  }
}

/** Where the next data connection of one session comes from. */
export class DataChannel {
  readonly #host: string;
  readonly #roundTripMs: number;
  #listener: net.Server | undefined;
  #next: (() => Promise<DataConnection | undefined>) | undefined;
  #current: DataConnection | undefined;

  constructor(host: string, roundTripMs = 0) {
    this.#host = host;
    this.#roundTripMs = roundTripMs;
  }

  /** Listens for the client's next data connection; returns the port. */
  async listen(): Promise<number> {
    this.#listener?.close();
    const listener = net.createServer({ noDelay: true });
    this.#listener = listener;
    const arrived = once(listener, "connection").then(async ([socket]: net.Socket[]) => {
      listener.close();
      await delay(this.#roundTripMs);
      return new DataConnection(socket as net.Socket);
    });
    this.#next = () => arrived;
    listener.listen(0, this.#host);
    await once(listener, "listening");
    return (listener.address() as net.AddressInfo).port;
  }

  /** Connects to the client when the next transfer begins (PORT, EPRT). */
  aim(host: string, port: number): void {
    this.#next = async () => {
      const socket = net.connect({ host, port, noDelay: true });
      const connection = new DataConnection(socket);
      await Promise.race([once(socket, "connect").catch(() => {}), connection.closed]);
      return connection.open ? connection : undefined;
    };
  }

  /** The data connection for one transfer; undefined when nothing was agreed or connecting failed. */
  async take(): Promise<DataConnection | undefined> {
    this.#current = await this.#next?.();
    this.#next = undefined;
    return this.#current;
  }

  /** Ends the transfer under way, if any (ABOR, or the session's end). */
  abort(): void {
    this.#current?.destroy();
  }

  close(): void {
    this.#listener?.close();
    this.abort();
  }
}

/** A port of this host on which nobody listens. */
export async function closedPort(host: string): Promise<number> {
  const listener = net.createServer().listen(0, host);
  await once(listener, "listening");
  const { port } = listener.address() as net.AddressInfo;
  listener.close();
  return port;
}

/** The server's end of one data connection, and the several ways in which it ends. */

import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Secure } from "./secure.ts";
import { sendReset } from "./send-reset.ts";
import { untilRead } from "./until-read.ts";

export class DataConnection {
  readonly #tcp: Socket;
  #socket: Socket;
  readonly closed: Promise<void>;

  constructor(tcp: Socket) {
    this.#tcp = tcp;
    this.#socket = tcp;
    // Errors are ignored: a client that closes or resets its end shows in `open`.
    tcp.on("error", () => {});
    this.closed = new Promise((resolve) => tcp.once("close", () => resolve()));
  }

  get open(): boolean {
    return this.#tcp.writable && this.#socket.writable;
  }

  /**
   * Makes it ready for use, in the clear or by TLS; says whether that resumed an earlier session.
   */
  async start(secure: Secure | undefined): Promise<{ reused: boolean }> {
    const socket = secure?.(this.#tcp);
    this.#socket = socket ?? this.#tcp;
    // Nothing is expected from the client, but without reading its FIN would go unnoticed.
    this.#socket.resume();
    // A handshake that fails closes the connection, and `open` tells.
    if (socket) await Promise.race([once(socket, "secure").catch(() => {}), this.closed]);
    // Until Node has seen its own last write off, it sends FIN without the close_notify before it.
    if (socket) await new Promise((resolve) => setImmediate(resolve));
    return { reused: socket?.isSessionReused() ?? false };
  }

  /** Sends octets and waits until the system has them; does nothing when the client has left. */
  async send(octets: Buffer): Promise<void> {
    if (!this.open) return;
    await new Promise<void>((resolve) => this.#socket.write(octets, () => resolve()));
  }

  /** Ends it in order: over TLS with close_notify. */
  async end(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.end(() => resolve()));
  }

  /** Ends the TCP connection alone: over TLS the close_notify is missing. */
  cut(): void {
    this.#tcp.destroySoon();
  }

  /** Waits until the client has read all that was sent. */
  async read(): Promise<void> {
    await untilRead(this.#tcp);
  }

  /**
   * Ends it by RST when the client has read everything, which that would take away. A client that
   * hasn't yet seen that it is connected would take it for a port that can't be reached: where
   * nothing was sent it comes a little later.
   */
  async reset(): Promise<void> {
    if (this.#tcp.bytesWritten === 0) await delay(100);
    await this.read();
    sendReset(this.#tcp);
  }

  destroy(): void {
    this.#socket.destroy();
    this.#tcp.destroy();
  }
}

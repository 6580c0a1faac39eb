/** The server's end of one data connection, which can end in several ways. */

import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { WrapInTls } from "./secure.ts";
import { sendReset } from "./send-reset.ts";
import { untilRead } from "./until-read.ts";

export class DataConnection {
  readonly #tcp: Socket;
  #socket: Socket;
  readonly closed: Promise<void>;

  constructor(tcp: Socket) {
    this.#tcp = tcp;
    this.#socket = tcp;
    // Errors are ignored: a client that closes or resets its end shows in `isOpen`.
    tcp.on("error", () => {});
    this.closed = new Promise((resolve) => tcp.once("close", () => resolve()));
  }

  get isOpen(): boolean {
    return this.#tcp.writable && this.#socket.writable;
  }

  /** Reads what the client sends, which is nothing: without reading, its FIN would go unnoticed. */
  start(): void {
    this.#socket.resume();
  }

  async startTls(wrapInTls: WrapInTls): Promise<{ isSessionReused: boolean }> {
    const socket = wrapInTls(this.#tcp);
    this.#socket = socket;
    this.start();
    await Promise.race([once(socket, "secure").catch(() => {}), this.closed]);
    // Before its last write has ended, Node would send FIN without close_notify.
    await new Promise((resolve) => setImmediate(resolve));
    return { isSessionReused: socket.isSessionReused() };
  }

  async send(octets: Buffer): Promise<void> {
    if (!this.isOpen) return;
    await new Promise<void>((resolve) => this.#socket.write(octets, () => resolve()));
  }

  async end(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.end(() => resolve()));
  }

  endTcp(): void {
    this.#tcp.destroySoon();
  }

  async untilRead(): Promise<void> {
    await untilRead(this.#tcp);
  }

  /**
   * Sends RST when the client has read everything, since RST removes unread octets. If nothing was
   * sent, RST waits: a client that hasn't yet noticed the connection takes the port for unreachable.
   */
  async reset(): Promise<void> {
    if (this.#tcp.bytesWritten === 0) await delay(100);
    await this.untilRead();
    sendReset(this.#tcp);
  }

  destroy(): void {
    this.#socket.destroy();
    this.#tcp.destroy();
  }
}

/**
 * A client for the server's own tests: it sends octets and hands back what it reads, and knows no
 * FTP.
 */

import { once } from "node:events";
import net from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished } from "vitest";

export class RawClient {
  readonly socket: net.Socket;
  /** Each read of its own. */
  readonly reads: Buffer[] = [];
  readonly #ended: Promise<unknown>;
  error: NodeJS.ErrnoException | undefined;
  #taken = 0;

  constructor(socket: net.Socket) {
    this.socket = socket;
    socket.on("data", (chunk) => this.reads.push(chunk));
    socket.on("error", (error) => (this.error = error));
    this.#ended = new Promise((resolve) => socket.once("close", resolve));
  }

  /** Connects for the running test. */
  static async connect(port: number, host = "127.0.0.1"): Promise<RawClient> {
    const socket = net.connect({ port, host, noDelay: true });
    onTestFinished(() => void socket.destroy());
    const client = new RawClient(socket);
    await once(socket, "connect");
    return client;
  }

  get text(): string {
    return Buffer.concat(this.reads).toString("latin1");
  }

  /** The next line, without CRLF. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.text.indexOf("\r\n", this.#taken);
      if (end >= 0) {
        const line = this.text.slice(this.#taken, end);
        this.#taken = end + 2;
        return line;
      }
      await once(this.socket, "data");
    }
  }

  /** Waits until this text has arrived at the end of all. */
  async endsWith(text: string): Promise<void> {
    while (!this.text.endsWith(text)) await once(this.socket, "data");
  }

  /** What arrives in a moment; "" where the server keeps silent. */
  async inAMoment(): Promise<string> {
    const before = this.text.length;
    await delay(30);
    return this.text.slice(before);
  }

  /** Sends a command and returns the first line of its reply. */
  async ask(command: string): Promise<string> {
    this.socket.write(`${command}\r\n`, "latin1");
    return await this.line();
  }

  /** Logs in as anonymous, after the greeting. */
  async logIn(): Promise<void> {
    await this.line();
    await this.ask("USER anonymous");
    await this.ask("PASS x@example.com");
  }

  /** Opens a data connection by EPSV. */
  async epsv(): Promise<RawClient> {
    const port = /\|\|\|(\d+)\|/.exec(await this.ask("EPSV"))?.[1];
    return await RawClient.connect(Number(port), this.socket.remoteAddress);
  }

  /** Everything until the server closes or resets the connection. */
  async toEnd(): Promise<string> {
    await this.#ended;
    return this.text;
  }
}

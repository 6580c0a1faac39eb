/**
 * The server's end of a control connection: splits octets into command lines, has its owner answer
 * them one after the other, and sends replies.
 */

import type { Socket } from "node:net";
import type { Journal } from "./journal.ts";
import type { ServerOptions } from "./options.ts";
import type { WrapInTls } from "./secure.ts";
import { sendReset } from "./send-reset.ts";
import { untilRead } from "./until-read.ts";

/** Commands allowed during a transfer, perhaps behind the Telnet signals IP and Synch (RFC 959 §4.1.3). */
const allowedInTransfer = /^[\xff\xf4\xf2]*(?:ABOR|STAT|QUIT)\b/i;

export interface ControlEvents {
  /** Answers one command line; the next line waits until the promise resolves. */
  handle(line: string): Promise<void>;
  arrived?(line: string): void;
  closed?(): void;
}

export class ControlConnection {
  readonly commands: string[] = [];
  readonly number: number;
  readonly tcp: Socket;
  readonly #options: ServerOptions;
  readonly #journal: Journal;
  #socket: Socket;
  #events: ControlEvents | undefined;
  #unfinishedLine = "";
  #unanswered = 0;
  #ignoresCommands = false;
  #answered: Promise<void> = Promise.resolve();

  constructor(tcp: Socket, number: number, options: ServerOptions, journal: Journal) {
    this.tcp = tcp;
    this.number = number;
    this.#options = options;
    this.#journal = journal;
    this.#socket = tcp;
    // A client that resets the connection makes no error of the server.
    tcp.on("error", () => {});
    tcp.on("close", () => this.#events?.closed?.());
  }

  start(events: ControlEvents, greet: () => Promise<void>): void {
    this.#events = events;
    this.#enqueue(greet);
    this.#listen(this.tcp);
  }

  async send(octets: Buffer): Promise<void> {
    this.#journal.reply(this.number, octets);
    // An error means that the client has left, as it may.
    await new Promise<void>((resolve) => this.#socket.write(octets, () => resolve()));
  }

  async startTls(wrapInTls: WrapInTls, lastReply?: Buffer): Promise<void> {
    // The client's first TLS octets may follow the reply directly: they must not be read as commands.
    this.tcp.removeAllListeners("data");
    this.tcp.pause();
    if (lastReply) await this.send(lastReply);
    this.#socket = wrapInTls(this.tcp);
    this.#listen(this.#socket);
  }

  get socket(): Socket {
    return this.#socket;
  }

  end(): void {
    this.#ignoresCommands = true;
    this.#journal.event(this.number, "server closes the control connection");
    this.socket.end();
  }

  /** Resets the connection when the client has read all replies: RST would remove unread ones. */
  async reset(): Promise<void> {
    this.#ignoresCommands = true;
    this.#journal.event(this.number, "server resets the control connection");
    await untilRead(this.tcp);
    sendReset(this.tcp);
  }

  destroy(): void {
    this.#ignoresCommands = true;
    this.socket.destroy();
    this.tcp.destroy();
  }

  #listen(socket: Socket): void {
    socket.on("data", (chunk) => this.#receive(chunk.toString("latin1")));
  }

  #receive(text: string): void {
    const lines = (this.#unfinishedLine + text).split("\n");
    this.#unfinishedLine = lines.pop() ?? "";
    const { dropPipelined } = this.#options;
    const isPipelined = lines.length + this.#unanswered > 1 && !allowedInTransfer.test(text);
    if (dropPipelined === "rest") lines.splice(1);
    else if (dropPipelined === "close" && isPipelined) return this.end();
    if (lines.length > 0 && this.#unanswered === 0) this.#journal.waitedForClient();
    for (const line of lines) this.#take(line.replace(/\r$/, ""));
  }

  #take(line: string): void {
    if (this.#ignoresCommands) return;
    this.commands.push(line);
    this.#journal.command(this.number, line);
    this.#events?.arrived?.(line);
    this.#enqueue(async () => this.#events?.handle(line));
  }

  #enqueue(answer: () => Promise<void>): void {
    this.#unanswered += 1;
    this.#answered = this.#answered
      .then(() => (this.#ignoresCommands ? undefined : answer()))
      .catch((error: unknown) => void this.#journal.errors.push(error))
      .then(() => void (this.#unanswered -= 1));
  }
}

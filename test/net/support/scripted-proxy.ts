/**
 * A proxy for tests, on loopback: HTTP or SOCKS5, and a good one except where the test says
 * otherwise. It looks up no names: every host is this machine.
 */
import { once } from "node:events";
import net from "node:net";
import { onTestFinished } from "vitest";
import { listenOn } from "../../support/ports.ts";
import { type Handshake, httpHandshake, OctetReader, socksHandshake } from "./handshakes.ts";

export interface ProxyOptions {
  /** Default "http". */
  readonly protocol?: "http" | "socks5";
  /** The user and the password that it wants, with a colon between them, as octets; default: none. */
  readonly login?: string;
  /** Answers in place of the tunnel, by the connections' numbers from 1 on. */
  readonly on?: Readonly<Record<number, Answer>>;
  /** The first reply leaves in one write with the server's first octets. */
  readonly joins?: boolean;
  /** After so many octets of the first data connection it is ended in order. */
  readonly cutsAfter?: number;
  /** Replies leave octet by octet, each in a write of its own. */
  readonly drips?: boolean;
}

export interface Answer {
  readonly reply: string | Buffer;
  readonly next: "tunnel" | "end" | "silence";
  readonly early?: boolean;
}

export class ScriptedProxy {
  readonly targets: string[] = [];
  connections = 0;
  readonly port: number;
  readonly #options: ProxyOptions;
  readonly #listener: net.Server;
  readonly #sockets = new Set<net.Socket>();

  private constructor(listener: net.Server, options: ProxyOptions) {
    this.#listener = listener;
    this.#options = options;
    this.port = (listener.address() as net.AddressInfo).port;
    listener.on("connection", (client) => {
      this.connections++;
      this.#serve(this.#keep(client), options.on?.[this.connections]).catch(() => client.destroy());
    });
  }

  /** A proxy for the running test. */
  static async start(options: ProxyOptions = {}): Promise<ScriptedProxy> {
    const listener = net.createServer({ allowHalfOpen: true, noDelay: true });
    await listenOn(listener);
    const proxy = new ScriptedProxy(listener, options);
    onTestFinished(() => proxy.close());
    return proxy;
  }

  url(login = ""): string {
    const { protocol = "http" } = this.#options;
    return `${protocol}://${login === "" ? "" : `${login}@`}127.0.0.1:${this.port}`;
  }

  /** Refuses further connections; those that are made stay. */
  refuse(): void {
    this.#listener.close();
  }

  close(): void {
    this.refuse();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #serve(client: net.Socket, answer: Answer | undefined): Promise<void> {
    const send = (octets: Buffer): Promise<void> => this.#send(client, octets);
    if (answer?.early) return this.#refuse(client, answer);
    const handshake: Handshake =
      this.#options.protocol === "socks5" ? socksHandshake : httpHandshake;
    const { host, port, reply } = await handshake(
      new OctetReader(client),
      send,
      this.#options.login,
    );
    if (host !== undefined) this.targets.push(`${host}:${port}`);
    if (answer === undefined && host !== undefined) return this.#connect(client, port, reply);
    if (answer?.next === "tunnel") return this.#connect(client, port, Buffer.from(answer.reply));
    return this.#refuse(client, answer ?? { reply, next: "end" });
  }

  async #refuse(client: net.Socket, { reply, next }: Answer): Promise<void> {
    await this.#send(client, Buffer.from(reply));
    if (next === "end") client.end();
  }

  async #connect(client: net.Socket, port: number, reply: Buffer): Promise<void> {
    const server = this.#keep(net.connect({ port, host: "127.0.0.1", allowHalfOpen: true }));
    await once(server, "connect");
    if (this.#options.joins && this.connections === 1) {
      const [first] = (await once(server, "data")) as [Buffer];
      server.pause();
      client.write(Buffer.concat([reply, first]));
    } else await this.#send(client, reply);
    client.pipe(server);
    const { cutsAfter } = this.#options;
    if (cutsAfter === undefined || this.targets.length !== 2) return void server.pipe(client);
    let left = cutsAfter;
    server.on("data", (chunk: Buffer) => {
      client.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left > 0) return;
      client.end();
      server.destroy();
    });
  }

  async #send(client: net.Socket, octets: Buffer): Promise<void> {
    const pieces = this.#options.drips
      ? [...octets].map((octet) => Buffer.from([octet]))
      : [octets];
    for (const piece of pieces) await new Promise((resolve) => client.write(piece, resolve));
  }

  #keep(socket: net.Socket): net.Socket {
    this.#sockets.add(socket);
    return socket.on("error", () => socket.destroy());
  }
}

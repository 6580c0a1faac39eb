/** Makes the data connections of one session, passive or active. */

import { once } from "node:events";
import net from "node:net";
import { DataConnection } from "./data-connection.ts";
import { listenOn } from "./ports.ts";

export class DataChannel {
  readonly #host: string;
  readonly #onOpened: () => void;
  readonly #connections: DataConnection[] = [];
  #listener: net.Server | undefined;
  #connectNext: (() => Promise<DataConnection | undefined>) | undefined;

  constructor(host: string, onOpened: () => void) {
    this.#host = host;
    this.#onOpened = onOpened;
  }

  get isPrepared(): boolean {
    return this.#connectNext !== undefined;
  }

  async listen(): Promise<number> {
    this.#listener?.close();
    const listener = net.createServer({ noDelay: true });
    this.#listener = listener;
    const port = await listenOn(listener, this.#host);
    const connection = once(listener, "connection").then(([socket]: net.Socket[]) => {
      listener.close();
      return this.#keep(socket as net.Socket);
    });
    this.#connectNext = () => connection;
    return port;
  }

  aim(host: string, port: number): void {
    this.#connectNext = async () => {
      const socket = net.connect({ host, port, noDelay: true });
      const connected = once(socket, "connect").then(() => this.#keep(socket));
      // A failed connection is ignored here: the client under test reports it.
      return connected.catch(() => undefined);
    };
  }

  async take(): Promise<DataConnection | undefined> {
    const connect = this.#connectNext;
    this.#connectNext = undefined;
    return await connect?.();
  }

  abort(): void {
    for (const connection of this.#connections.splice(0)) connection.destroy();
  }

  close(): void {
    this.#listener?.close();
    this.abort();
  }

  #keep(socket: net.Socket): DataConnection {
    const connection = new DataConnection(socket);
    this.#connections.push(connection);
    this.#onOpened();
    return connection;
  }
}

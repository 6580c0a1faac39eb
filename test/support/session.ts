/** A client's state on the server between commands, and the ways to answer the client. */

import type { ControlConnection } from "./control.ts";
import { DataChannel } from "./data-channel.ts";
import type { DataConnection } from "./data-connection.ts";
import type { Journal } from "./journal.ts";
import type { ServerOptions } from "./options.ts";
import type { WrapInTls } from "./secure.ts";
import { type DirectoryEntry, type Entry, findEntry, octets, resolvePathname } from "./tree.ts";

export interface ServerContext {
  options: ServerOptions;
  root: DirectoryEntry;
  journal: Journal;
  wrapInTls: WrapInTls | undefined;
}

export class Session {
  readonly control: ControlConnection;
  readonly context: ServerContext;
  readonly data: DataChannel;
  user: string | undefined;
  loggedIn = false;
  needsAccount = false;
  workingDirectory: string;
  type = "A";
  offset = 0;
  isPrivate = false;

  constructor(control: ControlConnection, context: ServerContext) {
    this.control = control;
    this.context = context;
    this.workingDirectory = this.loginDirectory;
    const host = control.tcp.localAddress ?? "127.0.0.1";
    const onOpened = () => void (context.journal.dataConnections += 1);
    this.data = new DataChannel(host, onOpened);
  }

  get loginDirectory(): string {
    return resolvePathname("/", octets(this.context.options.loginDirectory ?? "/"));
  }

  async reply(octetsOfLines: string): Promise<void> {
    await this.control.send(Buffer.from(`${octetsOfLines}\r\n`, "latin1"));
  }

  find(argument: string): Entry | undefined {
    return findEntry(this.context.root, resolvePathname(this.workingDirectory, argument));
  }

  logOut(): void {
    this.user = undefined;
    this.loggedIn = false;
    this.needsAccount = false;
    this.workingDirectory = this.loginDirectory;
    this.type = "A";
    this.offset = 0;
  }

  async openData(): Promise<DataConnection | string> {
    const connection = await this.data.take();
    if (!connection) return "425 Cannot open the data connection";
    const { wrapInTls, options } = this.context;
    if (!this.isPrivate || wrapInTls === undefined) {
      connection.start();
      return connection;
    }
    const { isSessionReused } = await connection.startTls(wrapInTls);
    if (isSessionReused || !options.tls?.requireReuse) return connection;
    connection.destroy();
    return "522 The data connection must resume the TLS session";
  }
}

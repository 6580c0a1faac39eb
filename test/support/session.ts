/** What the server remembers of one client between commands, and the ways to answer it. */

import type { SecureContext } from "node:tls";
import type { ControlConnection } from "./control.ts";
import { DataChannel, type DataConnection } from "./data.ts";
import type { Journal } from "./journal.ts";
import type { ServerOptions } from "./options.ts";
import { type DirectoryEntry, type Entry, findEntry, octets, resolvePathname } from "./tree.ts";

/** What all sessions of a server share. */
export interface ServerContext {
  options: ServerOptions;
  root: DirectoryEntry;
  journal: Journal;
  secureContext: SecureContext | undefined;
}

export class Session {
  readonly control: ControlConnection;
  readonly context: ServerContext;
  readonly data: DataChannel;
  user: string | undefined;
  loggedIn = false;
  needsAccount = false;
  workingDirectory: string;
  /** The representation type's first letter. */
  type = "A";
  /** Where the next transfer begins (REST). */
  offset = 0;
  /** Whether data connections are encrypted (PROT P). */
  isPrivate = false;

  constructor(control: ControlConnection, context: ServerContext) {
    this.control = control;
    this.context = context;
    this.workingDirectory = this.loginDirectory;
    const host = control.tcp.localAddress ?? "127.0.0.1";
    this.data = new DataChannel(host, context.options.roundTripMs);
  }

  get loginDirectory(): string {
    return resolvePathname("/", octets(this.context.options.loginDirectory ?? "/"));
  }

  /** Sends a reply; the text is octets and may have several lines. */
  async reply(text: string): Promise<void> {
    await this.control.send(Buffer.from(`${text}\r\n`, "latin1"));
  }

  /** What an argument names, seen from the working directory. */
  find(argument: string): Entry | undefined {
    return findEntry(this.context.root, resolvePathname(this.workingDirectory, argument));
  }

  /** Forgets the login and all that came with it (REIN, or another USER). */
  logOut(): void {
    this.user = undefined;
    this.loggedIn = false;
    this.needsAccount = false;
    this.workingDirectory = this.loginDirectory;
    this.type = "A";
    this.offset = 0;
  }

  /** The data connection for one transfer, encrypted where that was agreed; undefined when there is none. */
  async openData(): Promise<DataConnection | undefined> {
    const connection = await this.data.take();
    const { secureContext, journal, options } = this.context;
    if (connection) journal.dataConnections += 1;
    if (!connection || !this.isPrivate || !secureContext) return connection;
    const { reused } = await connection.secure(secureContext);
    if (reused || !options.tls?.requireReuse) return connection;
    connection.destroy();
    return undefined;
  }
}

/**
 * An FTP server for tests, on loopback: a good server with an in-memory tree, except for the rules of
 * the test. Commands are recorded.
 *
 *     await using server = await ScriptedServer.start({ files: { "pub/a.txt": "text" } });
 *     server.on("RETR#1", transfer({ first: 2, end: "reset", completion: "426 cut" }));
 *     server.on("CWD pub", "550 no such directory");
 */

import { once } from "node:events";
import net from "node:net";
import { answer } from "./commands.ts";
import { ControlConnection } from "./control.ts";
import { Journal } from "./journal.ts";
import type { ServerOptions } from "./options.ts";
import { listenOn } from "./ports.ts";
import { type Action, type Exchange, perform, Script } from "./script.ts";
import { tlsWrapper } from "./secure.ts";
import { type ServerContext, Session } from "./session.ts";
import { buildTree } from "./tree.ts";

export class ScriptedServer {
  readonly connections: ControlConnection[] = [];
  readonly #listener = net.createServer({ noDelay: true }, (socket) => this.#accept(socket));
  readonly #script = new Script();
  readonly #context: ServerContext;
  #port = 0;

  private constructor(options: ServerOptions) {
    this.#context = {
      options,
      root: buildTree(options),
      journal: new Journal(),
      wrapInTls: options.tls && tlsWrapper(options.tls),
    };
    for (const [pattern, action] of Object.entries(options.on ?? {})) this.on(pattern, action);
  }

  static async start(options: ServerOptions = {}): Promise<ScriptedServer> {
    const server = new ScriptedServer(options);
    server.#port = await listenOn(server.#listener, options.host);
    return server;
  }

  get port(): number {
    return this.#port;
  }

  /** The URL of a path, which is not encoded; user and password are. */
  url(path = "/", login: { scheme?: string; user?: string; password?: string } = {}): string {
    const { scheme = this.#context.options.tls?.implicit ? "ftps" : "ftp", user, password } = login;
    const secret = password === undefined ? "" : `:${encodeURIComponent(password)}`;
    const userinfo = user === undefined ? "" : `${encodeURIComponent(user)}${secret}@`;
    const host = this.#context.options.host === "::1" ? "[::1]" : "127.0.0.1";
    return `${scheme}://${userinfo}${host}:${this.port}${path}`;
  }

  /**
   * Answers a command by `action`. A pattern is a verb ("PASS"), one occurrence of it ("RETR#2"), one
   * argument in octets ("CWD pub"), or both ("CWD#2 pub"). "greeting" stands for the beginning of a
   * connection. If several patterns fit, the last one counts.
   */
  on(pattern: string, action: Action): void {
    this.#script.on(pattern, action);
  }

  /** Every command line of all control connections in order: octets, without CRLF. */
  get commands(): readonly string[] {
    return this.#context.journal.commands;
  }

  sent(...verbs: string[]): string[] {
    return this.commands.filter((line) => verbs.includes(line.split(" ", 1)[0]!));
  }

  get dataConnections(): number {
    return this.#context.journal.dataConnections;
  }

  /** Number of round trips on control connections before the first octet of data was sent. */
  get roundTrips(): number {
    return this.#context.journal.roundTrips;
  }

  transcript(): string {
    return this.#context.journal.transcript();
  }

  /** Ends all connections. @throws errors of the script */
  async close(): Promise<void> {
    for (const connection of this.connections) connection.destroy();
    if (this.#listener.listening) {
      this.#listener.close();
      await once(this.#listener, "close");
    }
    const [error] = this.#context.journal.errors.splice(0);
    if (error !== undefined) throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #accept(socket: net.Socket): void {
    const { options, journal, wrapInTls } = this.#context;
    const control = new ControlConnection(socket, this.connections.length + 1, options, journal);
    this.connections.push(control);
    const session = new Session(control, this.#context);
    control.start(
      {
        handle: (line) => this.#handle(line, session),
        arrived: (line) => {
          if (/^[\xff\xf4\xf2]*ABOR\b/i.test(line)) session.data.abort();
        },
        closed: () => session.data.close(),
      },
      () => this.#handle("GREETING", session),
    );
    if (options.tls?.implicit && wrapInTls) void control.startTls(wrapInTls);
  }

  async #handle(line: string, session: Session): Promise<void> {
    const [, verb = "", argument = ""] = /^[\xff\xf4\xf2]*([^ ]*)(?: (.*))?$/s.exec(line) ?? [];
    const exchange: Exchange = {
      verb: verb.toUpperCase(),
      argument,
      session,
      proceed: () => answer(exchange),
    };
    const action = this.#script.actionFor(exchange.verb, argument);
    await (action === undefined ? exchange.proceed() : perform(action, exchange));
  }
}

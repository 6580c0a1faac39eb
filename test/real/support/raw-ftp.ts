/**
 * FTP in the smallest words: sends a line, reads a reply, opens a data connection by EPSV.
 * It shows what a server does without the program under test in between.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";

/** The lines of one reply, as octets (latin1). */
export type ReplyText = string;

export class RawFtp {
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  }

  /** Connects to a port of loopback; the greeting is the first reply. */
  static async connect(port: number): Promise<RawFtp> {
    const socket = connect(port, "127.0.0.1").setEncoding("latin1");
    await once(socket, "connect");
    return new RawFtp(socket);
  }

  /** Sends commands in one write, as a pipelining client does. */
  send(...commands: string[]): void {
    this.#socket.write(commands.map((command) => `${command}\r\n`).join(""), "latin1");
  }

  /** The next reply; "" when the server has closed the connection. */
  async reply(): Promise<ReplyText> {
    const first = await this.#line();
    if (first?.[3] !== "-") return first ?? "";
    const last = `${first.slice(0, 3)} `;
    const lines = [first];
    for (let line = await this.#line(); line !== undefined; line = await this.#line()) {
      lines.push(line);
      if (line.startsWith(last)) break;
    }
    return lines.join("\n");
  }

  /** Sends a command and gives the reply. */
  async command(command: string): Promise<ReplyText> {
    this.send(command);
    return this.reply();
  }

  async logIn(user: string, password: string): Promise<ReplyText> {
    await this.command(`USER ${user}`);
    return this.command(`PASS ${password}`);
  }

  /** Opens a data connection by EPSV. */
  async openData(): Promise<Socket> {
    const reply = await this.command("EPSV");
    const port = /\(\|\|\|(\d+)\|\)/.exec(reply)?.[1];
    if (port === undefined) throw new Error(`no port in: ${reply}`);
    return connect(Number(port), "127.0.0.1");
  }

  /** Carries out a command that sends data; gives the data and all its replies. */
  async transfer(command: string): Promise<{ data: Buffer; replies: ReplyText[] }> {
    const socket = await this.openData();
    const content = socket.toArray() as Promise<Buffer[]>;
    content.catch(() => {}); // A server that refuses may reset: the reply says so.
    const preliminary = await this.command(command);
    if (!preliminary.startsWith("1")) {
      socket.destroy();
      return { data: Buffer.alloc(0), replies: [preliminary] };
    }
    const data = Buffer.concat(await content);
    return { data, replies: [preliminary, await this.reply()] };
  }

  close(): void {
    this.#socket.destroy();
  }

  async #line(): Promise<string | undefined> {
    try {
      const next = await this.#lines.next();
      return next.done ? undefined : next.value;
    } catch {
      return undefined; // Reset by the server: closed like any other.
    }
  }
}

/** What a good proxy reads from its client before the tunnel, and replies. */
import { once } from "node:events";
import type { Socket } from "node:net";

export interface Asked {
  readonly host: string | undefined;
  readonly port: number;
  /** The reply once the server is connected; else the refusal. */
  readonly reply: Buffer;
}

export type Handshake = (
  client: OctetReader,
  send: (octets: Buffer) => Promise<void>,
  login: string | undefined,
) => Promise<Asked>;

export const established = "HTTP/1.1 200 Connection established\r\n\r\n";

export const httpHandshake: Handshake = async (client, _send, login) => {
  const head = await client.until("\r\n\r\n");
  const [, host, port] = /^CONNECT (\S+):(\d+) HTTP\/1\.1\r\nHost: \1:\2\r\n/.exec(head) ?? [];
  // This one has no files.
  if (host === undefined) return { host, port: 0, reply: Buffer.from("HTTP/1.1 400 No\r\n\r\n") };
  const basic = `Proxy-Authorization: Basic ${Buffer.from(login ?? "", "latin1").toString("base64")}`;
  if (login === undefined || head.split("\r\n").includes(basic))
    return { host, port: Number(port), reply: Buffer.from(established) };
  const fields = "Proxy-Authenticate: Basic realm=x\r\nContent-Length: 5\r\n\r\nerror";
  const reply = Buffer.from(`HTTP/1.1 407 Proxy Authentication Required\r\n${fields}`);
  return { host: undefined, port: 0, reply };
};

/** The addresses in the replies, in turn: IPv4, a name, IPv6. */
const boundAddresses = [
  [1, 127, 0, 0, 1],
  [3, 2, 97, 98],
  [4, ...Array<number>(16).fill(1)],
];
let turn = 0;

/** The host of its targets is a name, or an address as `<7f000001>`. */
export const socksHandshake: Handshake = async (client, send, login) => {
  const [, count = 0] = await client.take(2);
  const method = login === undefined ? 0 : 2;
  const refused = { host: undefined, port: 0 };
  if (!(await client.take(count)).includes(method))
    return { ...refused, reply: Buffer.from([5, 0xff]) };
  await send(Buffer.from([5, method]));
  if (login !== undefined) {
    await client.take(1);
    const [user, password] = [await client.counted(), await client.counted()];
    if (login !== `${user}:${password}`) return { ...refused, reply: Buffer.from([1, 1]) };
    await send(Buffer.from([1, 0]));
  }
  const [, , , type] = await client.take(4);
  const host =
    type === 3
      ? await client.counted()
      : `<${(await client.take(type === 1 ? 4 : 16)).toString("hex")}>`;
  const port = (await client.take(2)).readUInt16BE();
  return { host, port, reply: Buffer.from([5, 0, 0, ...boundAddresses[turn++ % 3]!, 0, 21]) };
};

/** Reads what a client sends, and leaves the rest. */
export class OctetReader {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  async take(length: number): Promise<Buffer> {
    for (;;) {
      const octets = length === 0 ? Buffer.alloc(0) : (this.#socket.read(length) as Buffer | null);
      if (octets !== null) return octets;
      await once(this.#socket, "readable");
    }
  }

  /** Octets behind their number. */
  async counted(): Promise<string> {
    const [length = 0] = await this.take(1);
    return (await this.take(length)).toString("latin1");
  }

  async until(end: string): Promise<string> {
    let text = "";
    while (!text.endsWith(end)) text += (await this.take(1)).toString("latin1");
    return text;
  }
}

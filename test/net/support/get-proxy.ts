/** A proxy for tests that refuses CONNECT, and answers GET as the test says. */
import net from "node:net";
import { onTestFinished } from "vitest";
import { listenOn } from "../../support/ports.ts";
import { sendReset } from "../../support/send-reset.ts";
import { OctetReader } from "./handshakes.ts";

/** What is sent in answer to the nth GET, in pieces; then the connection ends, is reset, or stays open. */
export interface GetAnswer {
  readonly pieces: Iterable<string | Buffer>;
  readonly end?: "reset" | "open";
}

export interface GetProxy {
  readonly url: string;
  readonly port: number;
  /** Heads of the requests, in order. */
  readonly heads: string[];
  /** First lines of the GETs. */
  readonly gets: () => string[];
}

export const forbidden = "HTTP/1.1 403 Forbidden\r\n\r\n";

export async function getProxy(
  answer: (request: string, nth: number) => GetAnswer | string,
  { connect = forbidden, login = "" } = {},
): Promise<GetProxy> {
  const heads: string[] = [];
  const gets = (): string[] => heads.filter((head) => head.startsWith("GET")).map(firstLine);
  const sockets = new Set<net.Socket>();
  const serve = async (client: net.Socket): Promise<void> => {
    const head = await new OctetReader(client).until("\r\n\r\n");
    heads.push(head);
    if (!head.startsWith("GET")) return void client.end(connect);
    const given = answer(firstLine(head), gets().length);
    const { pieces, end }: GetAnswer = typeof given === "string" ? { pieces: [given] } : given;
    for (const piece of pieces) {
      if (client.destroyed) return;
      await new Promise((resolve) => client.write(piece, resolve));
    }
    if (end === "reset") sendReset(client);
    else if (end === undefined) client.end();
  };
  const listener = net.createServer((client) => {
    sockets.add(client);
    client.on("error", () => client.destroy());
    serve(client).catch(() => client.destroy());
  });
  const port = await listenOn(listener);
  onTestFinished(() => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = `http://${login === "" ? "" : `${login}@`}127.0.0.1:${port}`;
  return { url, port, heads, gets };
}

function firstLine(head: string): string {
  return head.slice(0, head.indexOf("\r\n"));
}

/** A good answer: the body with its length, and other fields. */
export function ok(body: string, ...fields: string[]): string {
  const lines = ["HTTP/1.1 200 OK", `Content-Length: ${Buffer.byteLength(body)}`, ...fields];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

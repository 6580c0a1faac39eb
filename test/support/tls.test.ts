import { once } from "node:events";
import type { Socket } from "node:net";
import tls from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { transfer } from "./actions.ts";
import { loopbackCertificate } from "./certificates.ts";
import type { ServerOptions, TlsOptions } from "./options.ts";
import { RawClient } from "./raw-client.ts";
import { startServer } from "./start-server.ts";

type Login = { client: RawClient; socket: tls.TLSSocket };

/** Logs in over explicit TLS, with private data connections. */
async function logIn(options: ServerOptions, more: Partial<TlsOptions> = {}): Promise<Login> {
  const server = await startServer({
    files: { a: "text" },
    tls: { ...loopbackCertificate, ...more },
    ...options,
  });
  const clear = await RawClient.connect(server.port);
  await clear.line();
  expect(await clear.ask("AUTH TLS")).toMatch(/^234 /);
  const socket = await secure(clear);
  const client = new RawClient(socket);
  for (const command of ["USER anonymous", "PASS x", "PBSZ 0", "PROT P", "TYPE I"]) {
    await client.ask(command);
  }
  return { client, socket };
}

async function secure(clear: RawClient, session?: Buffer): Promise<tls.TLSSocket> {
  clear.socket.removeAllListeners("data");
  const socket = tls.connect({
    socket: clear.socket,
    host: "127.0.0.1",
    ca: loopbackCertificate.cert,
    session,
  });
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  return socket;
}

async function retrieve(
  { client }: Login,
  session?: Buffer,
): Promise<[completion: string, data: RawClient, tcp: Socket]> {
  const port = /\|\|\|(\d+)\|/.exec(await client.ask("EPSV"))?.[1];
  const clear = await RawClient.connect(Number(port));
  client.socket.write("RETR a\r\n");
  const data = new RawClient(await secure(clear, session));
  expect(await client.line()).toMatch(/^150 /);
  return [await client.line(), data, clear.socket];
}

describe("TLS", () => {
  it("is begun by AUTH, and PROT P encrypts the data", async () => {
    const [completion, data] = await retrieve(await logIn({}));
    expect(completion).toMatch(/^226 /);
    expect(await data.toEnd()).toBe("text");
  });

  it("may be spoken from the first octet", async () => {
    const server = await startServer({ tls: { ...loopbackCertificate, implicit: true } });
    expect(server.url()).toMatch(/^ftps:/);
    const socket = tls.connect({
      port: server.port,
      host: "127.0.0.1",
      ca: loopbackCertificate.cert,
    });
    onTestFinished(() => void socket.destroy());
    expect(await new RawClient(socket).line()).toBe("220 Service ready");
  });

  it("may have to be resumed by data connections", async () => {
    const login = await logIn({}, { requireReuse: true });
    expect((await retrieve(login))[0]).toMatch(/^522 /);
    expect((await retrieve(login, login.socket.getSession()))[0]).toMatch(/^226 /);
  });

  it("may be cut without close_notify", async () => {
    const login = await logIn({ on: { "RETR#2": transfer({ end: "cut" }) } });
    const [, whole, wholeTcp] = await retrieve(login);
    const [, cut, cutTcp] = await retrieve(login);
    expect([await whole.toEnd(), await cut.toEnd()]).toEqual(["text", "text"]);
    // The alert takes 24 octets; the handshake's signature varies by a few.
    expect(wholeTcp.bytesRead - cutTcp.bytesRead).toBeGreaterThan(15);
  });
});

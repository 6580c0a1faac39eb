/** Data connections over TLS: an end that is certain is told from one that can be forged. */
import net, { type Server, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { createSecureContext, TLSSocket } from "node:tls";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { FtpullError } from "../../../src/errors.ts";
import { DataConnection } from "../../../src/ftp/data/data-connection.ts";
import { dataUnclosed } from "../../../src/ftp/data/data-end.ts";
import type { Sink } from "../../../src/net/rate-limit.ts";
import { tlsIdentity, TlsLayer } from "../../../src/net/tls.ts";
import { loopbackCertificate } from "../../support/certificates.ts";
import { idleClock } from "../../support/idle-clock.ts";
import { listenOn } from "../../support/ports.ts";

const authorities = { name: "ca", text: Buffer.from(loopbackCertificate.cert) };
const files = { authorities, certificate: undefined, privateKey: undefined };
const tls = new TlsLayer("localhost", { implicit: false, ...tlsIdentity(files, true) });
const secureContext = createSecureContext(loopbackCertificate);

type Serve = (secured: TLSSocket, tcp: Socket) => void;

const size = 200_000;
const document = Buffer.from(Array.from({ length: size }, (_, index) => index % 251));

let way: "opened" | "given";

describe.each(["opened", "given"] as const)("a connection that was %s", (each) => {
  beforeEach(() => void (way = each));

  describe("an end", () => {
    it.each<[claim: string, serve: Serve]>([
      ["with close_notify", (secured) => secured.end(document)],
      ["with close_notify a while later", (secured) => sendAndWait(secured, () => secured.end())],
    ])("%s is certain", async (_claim, serve) => {
      await expectWhole(await serverPort(serve), "closed");
    });

    it("with close_notify is certain, also where FIN never comes", async () => {
      const port = await relayPort(await serverPort((secured) => secured.end(document)), Infinity);
      await expectWhole(port, "closed");
    });

    it.each<[claim: string, serve: Serve]>([
      ["at once", (secured, tcp) => secured.write(document, () => tcp.destroySoon())],
      ["a while later", (secured, tcp) => sendAndWait(secured, () => tcp.destroySoon())],
    ])("by FIN %s, between two records, is not", async (_claim, serve) => {
      await expectWhole(await serverPort(serve), dataUnclosed());
    });

    it.each([0, 1, 4, 5, 100, 500, 1000, 2000, 20_000, 100_001])(
      "by FIN after %i octets on the wire is not",
      async (count) => {
        const port = await relayPort(await serverPort((secured) => secured.end(document)), count);
        const { octets, end } = await readAll(port);
        expect(octets.length).toBeLessThan(size);
        expect(octets.equals(document.subarray(0, octets.length))).toBe(true);
        expect(end).toMatchObject({ reason: "data unclosed" });
      },
    );

    it("by reset is a failure", async () => {
      const reset: Serve = (secured, tcp) => sendAndWait(secured, () => tcp.resetAndDestroy());
      const { end } = await readAll(await serverPort(reset));
      expect(end).toMatchObject({ message: "the data connection broke: connection reset by peer" });
    });
  });

  describe("a sink", () => {
    it("that takes its time gets one chunk after the other, and makes no silence", async () => {
      const clock = idleClock();
      let busy = 0;
      const busiest = [3000]; // longer than the silence that is allowed
      const slow: Sink = async (chunk) => {
        expect(++busy).toBe(1);
        const atFirst = Buffer.from(chunk);
        await clock.delay(busiest.shift() ?? 1);
        expect(chunk.equals(atFirst)).toBe(true);
        busy--;
      };
      const port = await serverPort((secured) => secured.end(document));
      await expectWhole(port, "closed", slow, 2000);
    });

    it("may refuse", async () => {
      const full = new FtpullError("file", "disk full");
      const refuse: Sink = () => {
        throw full;
      };
      const port = await serverPort((secured) => secured.end(document));
      expect((await readAll(port, refuse)).end).toBe(full);
    });
  });

  it.each<[claim: string, serve: Serve]>([
    ["in mid-transfer", (secured) => secured.write(document)],
    ["in the handshake", (_secured, tcp) => tcp.pause()],
  ])("silence %s is a failure", async (_claim, serve) => {
    idleClock();
    const { end } = await readAll(await serverPort(serve), undefined, 2000);
    expect(end).toMatchObject({ kind: "network", message: "no data for 2 s", transient: true });
  });

  it("no octet is sent before the transfer's command", async () => {
    const server = net.createServer();
    const sent = new Promise<Buffer>((resolve) => {
      server.once("connection", (tcp: Socket) => {
        const chunks: Buffer[] = [];
        tcp.on("data", (chunk) => chunks.push(chunk));
        tcp.on("close", () => resolve(Buffer.concat(chunks)));
      });
    });
    const data = connectedTo(await listeningPort(server), () => {});
    await data.opened();
    data.abort();
    expect((await sent).length).toBe(0);
  });
});

it("a sink gets the chunks of a paused socket one after the other, and has its time at the end", async () => {
  const tcp = Object.assign(new PassThrough(), { connecting: false });
  const ends: (() => void)[] = [];
  const taken: string[] = [];
  const sink: Sink = (chunk) => {
    taken.push(chunk.toString());
    return new Promise((resolve) => ends.push(resolve));
  };
  const data = new DataConnection({ timeoutMs: 60_000, tls: undefined }, sink);
  onTestFinished(() => data.abort());
  data.read(tcp as unknown as Socket);
  for (const text of ["a", "b"]) tcp.emit("data", Buffer.from(text));
  ends[0]!();
  await nextTurn();
  tcp.emit("data", Buffer.from("c"));
  await nextTurn();
  expect(taken).toEqual(["a", "b"]);
  ends[1]!();
  await nextTurn();
  expect(taken).toEqual(["a", "b", "c"]);
  const end = vi.fn<() => void>();
  void data.ended.then(end);
  tcp.emit("end");
  await nextTurn();
  expect(end).not.toHaveBeenCalled();
  ends[2]!();
  await nextTurn();
  expect(end).toHaveBeenCalled();
});

async function expectWhole(port: number, end: unknown, sink?: Sink, timeoutMs?: number) {
  const found = await readAll(port, sink, timeoutMs);
  expect(found.octets.equals(document)).toBe(true);
  expect(found.end).toEqual(end);
}

let received = 0;

/** Reads to the end, or to the error. */
async function readAll(
  port: number,
  sink?: Sink,
  timeoutMs?: number,
): Promise<{ octets: Buffer; end: unknown }> {
  const chunks: Buffer[] = [];
  received = 0;
  const collect: Sink = (chunk) => {
    chunks.push(Buffer.from(chunk));
    received += chunk.length;
    return sink?.(chunk);
  };
  const data = await readFrom(port, collect, timeoutMs);
  const end = await data.ended;
  return { octets: Buffer.concat(chunks), end };
}

/** A data connection as it is once the transfer's command has been sent. */
async function readFrom(port: number, sink: Sink, timeoutMs?: number): Promise<DataConnection> {
  const data = connectedTo(port, sink, timeoutMs);
  data.commandSent();
  return data;
}

function connectedTo(port: number, sink: Sink, timeoutMs = 60_000): DataConnection {
  const data = new DataConnection({ timeoutMs, tls }, sink);
  onTestFinished(() => data.abort());
  if (way === "opened") data.connect("127.0.0.1", port, Buffer.alloc(64 * 1024), undefined);
  else data.read(net.connect({ host: "127.0.0.1", port, allowHalfOpen: true }));
  return data;
}

/** Ends when the client has read everything. */
function sendAndWait(secured: TLSSocket, end: () => void): void {
  const isRead = async (): Promise<void> => {
    while (received < size) await delay(20);
  };
  secured.write(document, () => void isRead().then(end));
}

/** The port of a server of TLS. */
function serverPort(serve: Serve): Promise<number> {
  const server = net.createServer((tcp) => {
    const secured = new TLSSocket(tcp, { isServer: true, secureContext });
    for (const socket of [tcp, secured]) socket.on("error", () => {});
    onTestFinished(() => void tcp.destroy());
    serve(secured, tcp);
  });
  return listeningPort(server);
}

/** The port of a relay that passes on so many octets of the server's, and then FIN. */
function relayPort(port: number, count: number): Promise<number> {
  const relay = net.createServer((client) => {
    const upstream = net.connect(port, "127.0.0.1");
    for (const socket of [client, upstream]) socket.on("error", () => {});
    onTestFinished(() => void client.destroy());
    client.pipe(upstream);
    let left = count;
    if (left === 0) client.end();
    upstream.on("data", (chunk) => {
      if (left === 0) return;
      client.write(chunk.subarray(0, left));
      left -= Math.min(left, chunk.length);
      if (left === 0) client.end();
    });
  });
  return listeningPort(relay);
}

function listeningPort(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  return listenOn(server);
}

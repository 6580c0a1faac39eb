/** All addresses of a name: which are tried, in what order, and which connection counts (RFC 8305). */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import dns, { type LookupAddress } from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net, { type Socket } from "node:net";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { type ConnectOptions, openSocket } from "../../src/net/connect.ts";
import { deafPort } from "../support/deaf-port.ts";
import { idleClock } from "../support/idle-clock.ts";
import { listenOn } from "../support/ports.ts";

const usual: ConnectOptions = {
  timeoutMs: 60_000,
  family: undefined,
  localAddress: undefined,
  signal: new AbortController().signal,
};

const found = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: net.isIP(address) }));

async function open(
  port: number,
  addresses: readonly string[],
  options: Partial<ConnectOptions> = {},
): Promise<Socket> {
  lookUpBy(() => [null, found(...addresses)]);
  const socket = await openSocket({ host: "h", port }, { ...usual, ...options });
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Has names looked up by `answer`, which gives a callback's arguments; undefined: no answer. */
function lookUpBy(answer: () => readonly [Error | null, LookupAddress[]?] | undefined): void {
  const { lookup } = dns;
  dns.lookup = ((_name: string, _options: object, done: (...words: unknown[]) => void) => {
    const words = answer();
    if (words !== undefined) setImmediate(() => done(...words));
  }) as unknown as typeof lookup;
  syncBuiltinESMExports();
  onTestFinished(() => {
    dns.lookup = lookup;
    syncBuiltinESMExports();
  });
}

/** A port on which only these addresses listen. */
async function listening(...hosts: string[]): Promise<number> {
  const [first = "", ...rest] = hosts;
  const listeners = hosts.map(() => net.createServer((socket) => socket.on("error", () => {})));
  onTestFinished(() => listeners.forEach((listener) => listener.close()));
  const port = await listenOn(listeners[0]!, first);
  for (const [index, host] of rest.entries()) listeners[index + 1]!.listen(port, host);
  return port;
}

test("an address isn't looked up", async () => {
  const port = await listening("127.0.0.1");
  lookUpBy(() => expect.unreachable());
  const socket = await openSocket({ host: "127.0.0.1", port }, usual);
  onTestFinished(() => void socket.destroy());
  expect(socket.remoteAddress).toBe("127.0.0.1");
});

test("a name server has -T", async () => {
  idleClock();
  lookUpBy(() => undefined);
  await expect(
    openSocket({ host: "h", port: 21 }, { ...usual, timeoutMs: 3000 }),
  ).rejects.toMatchObject({
    kind: "network",
    message: "cannot connect to h port 21: the name server did not answer within 3 s",
    transient: true,
  });
});

describe("of several addresses", () => {
  it("the next one is tried when one refuses, also with -4 and a local address", async () => {
    const port = await listening("127.0.0.3");
    for (const options of [{}, { family: 4 }, { family: 4, localAddress: "127.0.0.9" }] as const) {
      const socket = await open(port, ["127.0.0.1", "127.0.0.2", "127.0.0.3"], options);
      expect(socket.remoteAddress).toBe("127.0.0.3");
    }
  });

  it("the next one is tried beside one that doesn't answer, which is given up then", async () => {
    const clock = idleClock();
    const port = await listening("127.0.0.1");
    await deafPort("127.0.0.2", port);
    const sockets: Socket[] = [];
    const note = (message: unknown): unknown =>
      sockets.push((message as { socket: Socket }).socket);
    subscribe("net.client.socket", note);
    onTestFinished(() => void unsubscribe("net.client.socket", note));
    const socket = await open(port, ["127.0.0.2", "127.0.0.1"]);
    expect([socket.remoteAddress, clock.nowMs]).toEqual(["127.0.0.1", 250]);
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, false]);
  });

  it("each has its own -T", async () => {
    const clock = idleClock();
    const port = await deafPort();
    const opened = open(port, ["127.0.0.1", "127.0.0.1", "127.0.0.1"], { timeoutMs: 2000 });
    await expect(opened).rejects.toMatchObject({
      message: `cannot connect to h port ${port}: no answer for 2 s`,
      transient: true,
    });
    expect(clock.nowMs).toBe(2500);
  });

  it("an interruption ends them all", async () => {
    const controller = new AbortController();
    const port = await deafPort();
    const opened = open(port, ["127.0.0.1", "127.0.0.1"], { signal: controller.signal });
    const reason = new Error("enough");
    setTimeout(() => controller.abort(reason), 10);
    await expect(opened).rejects.toBe(reason);
  });
});

test("the next try looks a name up again, by the lookup that Node has then", async () => {
  const port = await listening("127.0.0.1");
  const answers = [[new Error("no answer yet")], [null, found("127.0.0.1")]] as const;
  let count = 0;
  lookUpBy(() => answers[count++] as readonly [Error | null, LookupAddress[]?]);
  const opening = () => openSocket({ host: "h.test", port }, usual);
  await expect(opening()).rejects.toThrow("no answer yet");
  const socket = await opening();
  onTestFinished(() => void socket.destroy());
  expect(socket.remoteAddress).toBe("127.0.0.1");
});

/** Active mode: what the server is told, and whose connection is taken. */
import { once } from "node:events";
import net, { type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseReply } from "../../../src/ftp/control/reply.ts";
import { awaitData } from "../../../src/ftp/data/opening.ts";
import type { DataConnection } from "../../../src/ftp/data/data-connection.ts";
import { ServerCapabilities } from "../../../src/ftp/capabilities.ts";

interface Offer {
  readonly data: DataConnection;
  readonly commands: readonly string[];
  readonly port: number;
  readonly received: () => string;
}

interface Circumstances {
  readonly local?: string;
  readonly remote?: string;
  /** The replies to EPRT and PORT. */
  readonly replies?: Readonly<Record<string, string>>;
  readonly capabilities?: ServerCapabilities;
  readonly timeoutMs?: number;
}

const newHabits = (): ServerCapabilities => new ServerCapabilities(true);

/** Offers the server a port; `commands` are those that told it. */
async function offer(circumstances: Circumstances = {}): Promise<Offer> {
  const { local = "127.0.0.1", remote = local, timeoutMs = 60_000 } = circumstances;
  const { replies = {}, capabilities = newHabits() } = circumstances;
  const commands: string[] = [];
  let received = "";
  const request = async ({ line }: { line: string }) => {
    commands.push(line);
    return parseReply(replies[line.slice(0, 4)] ?? "200 fine");
  };
  const data = await awaitData(
    { localAddress: local, remoteAddress: remote },
    {
      request,
      timeoutMs,
      tls: undefined,
      capabilities,
    },
    (chunk) => void (received += chunk.toString()),
  );
  onTestFinished(() => data.abort());
  return { data, commands, port: portIn(commands.at(-1) ?? ""), received: () => received };
}

function portIn(command: string): number {
  const [, extended] = /\|(\d+)\|$/.exec(command) ?? [];
  if (extended !== undefined) return Number(extended);
  const [high = NaN, low = NaN] = command.split(",").slice(-2).map(Number);
  return high * 256 + low;
}

async function connectFrom(localAddress: string, port: number): Promise<Socket> {
  const host = localAddress.includes(":") ? "::1" : "127.0.0.1";
  const socket = net.connect({ host, port, localAddress });
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

async function isClosed(port: number): Promise<boolean> {
  const socket = net.connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(false));
    socket.once("error", () => resolve(true));
  });
}

describe("the server is told", () => {
  it.each([
    ["127.0.0.1", /^EPRT \|1\|127\.0\.0\.1\|\d+\|$/],
    ["::1", /^EPRT \|2\|::1\|\d+\|$/],
    ["::1%lo", /^EPRT \|2\|::1\|\d+\|$/],
  ])("by EPRT of %s", async (local, command) => {
    const { commands } = await offer({ local });
    expect(commands).toEqual([expect.stringMatching(command)]);
  });

  it("by PORT where EPRT is unknown, and from then on", async () => {
    const capabilities = newHabits();
    const replies = { EPRT: "500 what?" };
    const { commands, port } = await offer({ replies, capabilities });
    expect(commands).toEqual([
      `EPRT |1|127.0.0.1|${port}|`,
      `PORT 127,0,0,1,${port >> 8},${port & 255}`,
    ]);
    expect((await offer({ replies, capabilities })).commands).toEqual([
      expect.stringMatching(/^PORT /),
    ]);
  });

  it.each<[claim: string, circumstances: Circumstances]>([
    ["PORT too", { replies: { EPRT: "500 what?", PORT: "500 what?" } }],
    ["EPRT for the moment", { replies: { EPRT: "425 later" } }],
    ["EPRT of IPv6, which PORT can't say", { local: "::1", replies: { EPRT: "500 what?" } }],
  ])("in vain where it refuses %s", async (_claim, circumstances) => {
    await expect(offer(circumstances)).rejects.toThrow("cannot open a data connection: server");
  });
});

describe("the data connection", () => {
  it("is the server's, and the only one", async () => {
    const { data, port, received } = await offer();
    const socket = await connectFrom("127.0.0.1", port);
    socket.end("text");
    expect(await data.ended).toBe("closed");
    expect(received()).toBe("text");
    expect(await isClosed(port)).toBe(true);
  });

  it("is nobody else's: others are dropped, and the server is waited for", async () => {
    const { data, port, received } = await offer();
    const stranger = await connectFrom("127.0.0.2", port);
    stranger.write("forged");
    await once(stranger, "close");
    (await connectFrom("127.0.0.1", port)).end("text");
    await data.ended;
    expect(received()).toBe("text");
  });

  it("fails when nobody comes in time, and nobody listens afterwards", async () => {
    const { data, port } = await offer({ timeoutMs: 50 });
    expect(await data.ended).toMatchObject({
      kind: "network",
      message: "the server did not connect within 0.05 s",
      transient: true,
    });
    expect(await isClosed(port)).toBe(true);
  });
});

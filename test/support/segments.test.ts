import { describe, expect, it } from "vitest";
import { RawClient } from "./raw-client.ts";
import { startServer } from "./start-server.ts";

describe("replies", () => {
  it("arrive in two reads, parted where the test wants it", async () => {
    const server = await startServer({ split: "220 Service ready\r\n331".length });
    const client = await RawClient.connect(server.port);
    await client.line();
    await client.ask("USER anonymous");
    expect(client.reads.map(String)).toEqual([
      "220 Service ready\r\n",
      "331",
      " Password required\r\n",
    ]);
    expect(server.connections[0]?.sentOctets).toBe(client.text.length);
  });

  it("arrive octet by octet", async () => {
    const server = await startServer({ chunk: 1, on: { greeting: "220 hi" } });
    const client = await RawClient.connect(server.port);
    await client.line();
    expect(client.reads.length).toBeGreaterThan(5);
  });
});

describe("commands in one packet", () => {
  const packet = "USER anonymous\r\nPASS x\r\nPWD\r\n";

  it("are answered one after the other", async () => {
    const server = await startServer();
    const client = await RawClient.connect(server.port);
    await client.line();
    client.socket.write(packet);
    const replies = [await client.line(), await client.line(), await client.line()];
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["331", "230", "257"]);
    expect(server.roundTrips).toBe(1);
  });

  it.each([
    ["close", undefined],
    ["reset", "ECONNRESET"],
  ] as const)("make an old server %s the connection", async (dropPipelined, code) => {
    const server = await startServer({ dropPipelined });
    const client = await RawClient.connect(server.port);
    await client.line();
    client.socket.write(packet);
    expect(await client.toEnd()).toBe("220 Service ready\r\n");
    expect(client.error?.code).toBe(code);
  });

  it("make an old server fall silent", async () => {
    const server = await startServer({ dropPipelined: "silence" });
    const client = await RawClient.connect(server.port);
    await client.line();
    client.socket.write(packet);
    expect(await client.inAMoment()).toBe("");
    expect(client.socket.closed).toBe(false);
  });
});

it("a long line makes every round trip take its time", async () => {
  const server = await startServer({ roundTripMs: 40 });
  const begun = performance.now();
  const client = await RawClient.connect(server.port);
  await client.logIn();
  const elapsed = performance.now() - begun;
  expect(elapsed).toBeGreaterThan(115);
  expect(server.roundTrips).toBe(2);
});

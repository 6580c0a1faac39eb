/** Behaviour of the test server that no other test would show. */
import net from "node:net";
import { expect, it } from "vitest";
import { generatedOctets } from "./generated.ts";
import { startServer } from "./start-server.ts";
import { fileEntry } from "./tree.ts";

const greeting = "220 Service ready\r\n";

it("commands in one packet are answered one after the other, or make an old server hang up", async () => {
  const packet = "USER anonymous\r\nPASS x\r\nPWD\r\nQUIT\r\n";
  const server = await startServer({ chunk: 1 });
  const replies = await answersTo(packet, server.port);
  expect(replies.text.match(/^\d{3}/gm)).toEqual(["220", "331", "230", "257", "221"]);
  expect(replies.reads).toBeGreaterThan(5);
  expect(server.roundTrips).toBe(1);
  const old = await startServer({ dropPipelined: "reset" });
  const dropped = await answersTo(packet, old.port);
  expect(dropped).toMatchObject({ text: greeting, error: "ECONNRESET" });
});

async function answersTo(packet: string, port: number) {
  const socket = net.connect(port, "127.0.0.1");
  const found = { text: "", reads: 0, error: "" };
  socket.on("error", ({ code = "" }: NodeJS.ErrnoException) => (found.error = code));
  socket.on("data", (octets) => {
    found.text += octets.toString();
    found.reads += 1;
    if (found.text === greeting) socket.write(packet);
  });
  await new Promise((resolve) => socket.once("close", resolve));
  return found;
}

it("a mistake in a script fails the test that closes the server", async () => {
  const mistake = async (): Promise<void> => {
    throw new Error("mistaken");
  };
  const server = await startServer({ on: { greeting: mistake } });
  net.connect(server.port, "127.0.0.1").on("error", () => {});
  await expect.poll(() => server.connections.length).toBe(1);
  await expect(server.close()).rejects.toThrow("mistaken");
});

it("generated octets are the same wherever one begins to read them", () => {
  const size = 200_000;
  const whole = generatedOctets(7, 0, size);
  expect(generatedOctets(7, 131_000, 140_000).equals(whole.subarray(131_000, 140_000))).toBe(true);
  const rest = Buffer.concat([...fileEntry({ size, seed: 7 }).read(65_520)]);
  expect(rest.equals(whole.subarray(65_520))).toBe(true);
  expect(generatedOctets(8, 0, 100).equals(whole.subarray(0, 100))).toBe(false);
});

import { once } from "node:events";
import net from "node:net";
import { expect, it } from "vitest";
import { startServer } from "./start-server.ts";

it("a mistake in a script fails the test that closes the server", async () => {
  const greeting = async (): Promise<void> => {
    throw new Error("mistaken");
  };
  const server = await startServer({ on: { greeting } });
  const client = net.connect(server.port, "127.0.0.1").resume();
  await expect.poll(() => server.connections.length).toBe(1);
  await expect(server.close()).rejects.toThrow("mistaken");
  await once(client, "close");
});

import net from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { deafPort } from "./deaf-port.ts";

it("a deaf port leaves a client waiting", async () => {
  const socket = net.connect({ port: await deafPort(), host: "127.0.0.1" });
  await delay(100);
  expect(socket.connecting).toBe(true);
  socket.destroy();
});

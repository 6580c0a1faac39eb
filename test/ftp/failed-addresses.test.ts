/** A name with the addresses of several machines, one of which takes connections and serves none. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openSession } from "../support/open-session.ts";
import { startServer } from "../support/start-server.ts";

test.each<[claim: string, answer: (socket: Socket) => unknown]>([
  ["closes the connection", (socket) => socket.end()],
  ["refuses service", (socket) => socket.end("421 too many\r\n")],
  [
    "hangs up at the user's name",
    (socket) => socket.write("220 hi\r\n") && socket.once("data", () => socket.destroy()),
  ],
])("a machine that %s comes last at the next try", async (_claim, answer) => {
  const server = await startServer();
  const broken = createServer((socket) => void answer(socket.on("error", () => {})));
  onTestFinished(() => void broken.close());
  await once(broken.listen(server.port, "127.0.0.2"), "listening");
  const asked: string[] = [];
  const options = {
    server: { host: "two.example", port: server.port },
    capabilities: { pipelining: true },
    lookup: async (name: string) => {
      asked.push(name);
      return ["127.0.0.2", "127.0.0.1"].map((address) => ({ address, family: 4 }));
    },
  };
  await expect(openSession(server.port, options)).rejects.toThrow();
  await openSession(server.port, options);
  await openSession(server.port, options);
  expect(asked).toEqual(["two.example", "two.example", "two.example"]);
  expect(server.connections).toHaveLength(2);
});

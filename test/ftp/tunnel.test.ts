/** Data connections through a proxy that sends more than it was asked for. */
import net from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openData } from "../../src/ftp/tunnel.ts";
import { listenOn } from "../support/ports.ts";

test("octets of a proxy's own, ahead of the transfer's command, are refused", async () => {
  const listener = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => void socket.write("HTTP/1.1 200 OK\r\n\r\nwelcome"));
  });
  onTestFinished(() => void listener.close());
  const address = { host: "127.0.0.1", port: await listenOn(listener) };
  const proxy = { ...address, protocol: "http", login: undefined, source: "--proxy" } as const;
  const { signal } = new AbortController();
  const limits = { timeoutMs: 60_000, family: undefined, localAddress: undefined, signal };
  const server = { host: "h", port: 21 };
  const options = { ...limits, server, proxy, capabilities: { pipelining: true } };
  await expect(openData(proxy, 2000, options)).rejects.toThrow(
    "cannot open a data connection to port 2000 of h: the proxy sent data that was not asked for",
  );
});

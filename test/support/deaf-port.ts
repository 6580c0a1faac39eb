/**
 * A port that neither accepts nor refuses connections: a client tries until it gives up. A thread listens and then
 * sleeps for good: after the few connections that the system accepts in its stead, further ones get no answer.
 */

import { once } from "node:events";
import net from "node:net";
import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";

export async function deafPort(host = "127.0.0.1", wantedPort = 0): Promise<number> {
  const worker = new Worker(sleepyListener, { eval: true, workerData: { host, port: wantedPort } });
  onTestFinished(async () => void (await worker.terminate()));
  const [port] = (await once(worker, "message")) as [number];
  for (let taken = 0; taken < 8; taken += 1) occupy(port, host);
  return port;
}

const sleepyListener = `
  const { parentPort, workerData } = require("node:worker_threads");
  const listener = require("node:net").createServer();
  listener.listen({ ...workerData, backlog: 1 }, () => {
    parentPort.postMessage(listener.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** Loopback connects before `connect` returns, so nothing has to be waited for. */
function occupy(port: number, host: string): void {
  const socket = net.connect({ port, host });
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
}

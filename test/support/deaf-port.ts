/** A port that neither accepts nor refuses: connecting to it takes until the client gives up. */

import { once } from "node:events";
import net from "node:net";
import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";

/**
 * Such a port of this host, for the running test. A thread listens and then sleeps for good;
 * once the few connections that the system accepts in its stead are taken, it ignores the rest.
 */
export async function deafPort(host = "127.0.0.1"): Promise<number> {
  const worker = new Worker(sleepyListener, { eval: true, workerData: host });
  onTestFinished(async () => void (await worker.terminate()));
  const [port] = (await once(worker, "message")) as [number];
  while (await connects(port, host));
  return port;
}

const sleepyListener = `
  const { parentPort, workerData } = require("node:worker_threads");
  const listener = require("node:net").createServer();
  listener.listen({ port: 0, host: workerData, backlog: 1 }, () => {
    parentPort.postMessage(listener.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

function connects(port: number, host: string): Promise<boolean> {
  const socket = net.connect({ port, host });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(true));
    setTimeout(() => resolve(false), 100);
  });
}

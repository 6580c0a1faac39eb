/** Waits until the other end of a connection, on this machine, has read everything or has gone. */

import { existsSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** The wait where the system has no table of connections; long enough on most machines. */
const elsewhereMs = 100;

export async function untilRead(socket: Socket): Promise<void> {
  const { localPort, remotePort, remoteFamily } = socket;
  const path = remoteFamily === "IPv6" ? "/proc/net/tcp6" : "/proc/net/tcp";
  if (!existsSync(path)) return await delay(elsewhereMs);
  const own = queuesOf(localPort, remotePort);
  const other = queuesOf(remotePort, localPort);
  const isOnItsWay = (): boolean => {
    const table = readFileSync(path, "latin1");
    const unsent = own.exec(table)?.groups?.["unsent"] ?? "0";
    const unread = other.exec(table)?.groups?.["unread"] ?? "0";
    return /[1-9A-F]/.test(unsent + unread);
  };
  while (!socket.destroyed && isOnItsWay()) await delay(2);
}

/** The numbers of unsent and of unread octets at one end of an open connection (net/tcp in proc(5)). */
function queuesOf(from: number | undefined, to: number | undefined): RegExp {
  const [local, remote] = [from, to].map((port) =>
    port?.toString(16).toUpperCase().padStart(4, "0"),
  );
  return new RegExp(
    `: [0-9A-F]+:${local} [0-9A-F]+:${remote} [0-9A-F]{2} (?<unsent>[0-9A-F]+):(?<unread>[0-9A-F]+) `,
  );
}

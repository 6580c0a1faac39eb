/** Ends a TCP connection by RST, without FIN. */

import type { Socket } from "node:net";

/**
 * Replaces Node's `resetAndDestroy`, which sends FIN before RST: a quick client would see an orderly
 * end.
 */
export function sendReset(socket: Socket): void {
  Object.assign(socket, { resetAndClosing: true });
  socket.destroy();
}

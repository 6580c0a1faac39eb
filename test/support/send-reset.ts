/**
 * Ends a TCP connection by RST, without FIN. Node's `resetAndDestroy` sends FIN before RST: a quick
 * client would see an orderly end.
 */

import type { Socket } from "node:net";

export function sendReset(socket: Socket): void {
  Object.assign(socket, { resetAndClosing: true });
  socket.destroy();
}

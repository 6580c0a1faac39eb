/** Ends a TCP connection by RST alone. */

import type { Socket } from "node:net";

/**
 * Node's own `resetAndDestroy` sends FIN before RST, and a client that is quick sees an orderly
 * end. Without its first half, which this leaves out, there is no FIN.
 */
export function sendReset(socket: Socket): void {
  Object.assign(socket, { resetAndClosing: true });
  socket.destroy();
}

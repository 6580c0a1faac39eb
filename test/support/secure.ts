/** The server's side of TLS, alike for control and data connections. */

import type { Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import type { TlsOptions } from "./options.ts";

/** Wraps a connected socket; the handshake takes place by itself. */
export type Secure = (tcp: Socket) => TLSSocket;

/**
 * Makes TLS sockets of one context, without which a data connection couldn't resume the session of
 * the control connection.
 */
export function secureBy(tls: TlsOptions): Secure {
  const secureContext = createSecureContext({ ...tls, sessionIdContext: "ftpull" });
  return (tcp) => {
    const requestCert = tls.requireCertificate ?? false;
    const socket = new TLSSocket(tcp, { isServer: true, secureContext, requestCert });
    // A failed handshake ends the connection; what the client says of it is the client's matter.
    socket.on("error", () => tcp.destroy());
    socket.once("secure", () => {
      const shown = Object.keys(socket.getPeerCertificate()).length > 0;
      if (requestCert && !shown && !socket.isSessionReused()) socket.destroy();
    });
    return socket;
  };
}

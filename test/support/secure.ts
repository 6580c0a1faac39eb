/** The server's side of TLS, alike for control and data connections. */

import type { Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import type { TlsOptions } from "./options.ts";

/** Wraps a connected socket; the handshake takes place by itself. */
export type Secure = (tcp: Socket) => TLSSocket;

/** Makes TLS sockets of one context, so that a data connection can resume the control connection's session. */
export function secureBy(tls: TlsOptions): Secure {
  const secureContext = createSecureContext({ ...tls, sessionIdContext: "ftpull" });
  return (tcp) => {
    const requestCert = tls.requireCertificate ?? false;
    const socket = new TLSSocket(tcp, { isServer: true, secureContext, requestCert });
    // A failed handshake ends the connection; tests look at the client's message.
    socket.on("error", () => tcp.destroy());
    socket.once("secure", () => {
      const shown = Object.keys(socket.getPeerCertificate()).length > 0;
      if (requestCert && !shown && !socket.isSessionReused()) socket.destroy();
    });
    return socket;
  };
}

/** The server's side of TLS, alike for control and data connections. */

import type { Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import type { TlsOptions } from "./options.ts";

export type WrapInTls = (tcp: Socket) => TLSSocket;

/** All sockets share one context: a data connection can resume the control connection's session. */
export function tlsWrapper(tls: TlsOptions): WrapInTls {
  const secureContext = createSecureContext({ ...tls, sessionIdContext: "ftpull" });
  return (tcp) => {
    const requestCert = tls.requireCertificate ?? false;
    const socket = new TLSSocket(tcp, { isServer: true, secureContext, requestCert });
    // A failed handshake ends the connection; tests look at the client's message.
    socket.on("error", () => tcp.destroy());
    socket.once("secure", () => {
      const hasCertificate = Object.keys(socket.getPeerCertificate()).length > 0;
      const isAccepted = hasCertificate || socket.isSessionReused();
      if (requestCert && !isAccepted) socket.destroy();
    });
    return socket;
  };
}

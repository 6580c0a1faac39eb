/** A data connection that is read as a stream: one that the server made, or one over TLS. */
import type { Socket } from "node:net";
import { tlsError } from "../../net/tls-error.ts";
import { TlsTap } from "../../net/tls-tap.ts";
import type { TlsLayer } from "../../net/tls.ts";
import {
  type DataConnection,
  type DataHandlers,
  receive,
  type Sink,
  type WatchOptions,
} from "./data-connection.ts";

export interface StreamOptions extends WatchOptions {
  /** Undefined is clear text. */
  readonly tls: TlsLayer | undefined;
}

/**
 * Passes the data of `tcp` to `sink`, decrypted. `tcp` must have been made with `allowHalfOpen`:
 * close_notify is sent after the server has ended its side.
 */
export function readData(tcp: Socket, options: StreamOptions, sink: Sink): DataConnection {
  const { tls } = options;
  return receive(tcp, options, sink, (handlers) => {
    // The TCP connection is paused: a paused TLS stream would not report its end.
    const take = (chunk: Buffer): void => void (handlers.take(chunk) || tcp.pause());
    if (tls === undefined) readClear(tcp, take, handlers);
    else readSecured(tcp, tls, take, handlers);
  });
}

function readClear(tcp: Socket, take: (chunk: Buffer) => void, { end }: DataHandlers): void {
  tcp.on("data", take);
  tcp.on("end", () => {
    unlessReset(tcp, () => {
      tcp.end();
      end(false);
    });
  });
}

/**
 * Calls `then` if a connection whose end was read was not reset. Node also reports an end if octets
 * and RST arrive together; only a write, here of nothing, shows the reset.
 */
export function unlessReset(tcp: Socket, then: () => void): void {
  tcp.write(Buffer.alloc(0), (error) => {
    if (!error) then(); // else the socket's listeners are told
  });
}

function readSecured(
  tcp: Socket,
  tls: TlsLayer,
  take: (chunk: Buffer) => void,
  { end, fail }: DataHandlers,
): void {
  const tap = new TlsTap(tcp);
  const secured = tls.wrap(tap);
  // A server that closes during the handshake has refused; its reply says why.
  const broke = (error: unknown): void =>
    tap.endPassedOn ? end(true) : fail(tlsError("the data connection broke", error));
  secured.on("error", broke);
  tls.verified(secured).then(() => secured.on("data", take), broke);
  secured.on("end", () => {
    end(tap.endPassedOn);
    // Some servers wait for close_notify before they send 226.
    secured.end();
    // The process need not wait for the server to close its side.
    tcp.unref();
  });
}

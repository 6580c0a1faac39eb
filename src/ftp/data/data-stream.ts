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
    if (tls !== undefined) return readSecured(tcp, tls, take, handlers);
    tcp.on("data", take);
    watchEnd(tcp, handlers);
  });
}

/**
 * Reports the end of a connection in clear text, unless it was reset. Node also reports an end if
 * octets and RST arrive together; only a write, here of nothing, shows the reset.
 */
export function watchEnd(tcp: Socket, { end }: DataHandlers): void {
  tcp.on("end", () => {
    tcp.write(noOctets, (error) => {
      if (error) return; // the socket's listeners are told
      end(false);
      // Closing saves the system call that shuts a half-open socket down; within a write's callback
      // it would make a failure of the write.
      process.nextTick(() => tcp.destroy());
    });
  });
}

const noOctets = Buffer.alloc(0);

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

/** Reads a data connection to its end, in clear text or over TLS. */
import { connect, type Socket } from "node:net";
import { tlsError } from "../../net/tls-error.ts";
import { readDecrypted } from "../../net/tls-read.ts";
import { TlsTap } from "../../net/tls-tap.ts";
import type { TlsLayer } from "../../net/tls.ts";
import {
  type DataHandlers,
  type OpeningConnection,
  receive,
  type Sink,
  type WatchOptions,
} from "./data-connection.ts";

export interface StreamOptions extends WatchOptions {
  /** Undefined is clear text. */
  readonly tls: TlsLayer | undefined;
}

/** Has the socket call `take` with what TCP brings; when that returns false, reading is paused. */
type Listen = (take: DataHandlers["take"]) => void;

/** The most octets of one read where the data is encrypted. */
const securedReadSize = 64 * 1024;
/** Room for what is decrypted of one read, and for the record that the read before has begun. */
const decryptedSize = securedReadSize + 32 * 1024;

/** Connects to a port, and passes the data to `sink`. `buffer` is for all its reads. */
export function readPort(
  host: string,
  port: number,
  options: StreamOptions & { readonly buffer: Buffer; readonly localAddress?: string | undefined },
  sink: Sink,
): OpeningConnection {
  const { tls, localAddress } = options;
  const buffer = tls === undefined ? options.buffer : options.buffer.subarray(0, securedReadSize);
  let take: DataHandlers["take"] = () => false;
  const callback = (length: number): boolean => take(buffer.subarray(0, length));
  const onread = { buffer, callback };
  const from = localAddress && { localAddress };
  const tcp = connect({ host, port, ...from, allowHalfOpen: true, onread });
  return read(tcp, options, sink, (taker) => (take = taker));
}

/**
 * Passes the data of `tcp` to `sink`, decrypted. `tcp` must have been made with `allowHalfOpen`:
 * close_notify is sent after the server has ended its side.
 */
export function readData(tcp: Socket, options: StreamOptions, sink: Sink): OpeningConnection {
  return read(tcp, options, sink, (take) => {
    tcp.on("data", (chunk) => void (take(chunk) || tcp.pause()));
  });
}

function read(tcp: Socket, options: StreamOptions, sink: Sink, listen: Listen): OpeningConnection {
  const { tls } = options;
  return receive(tcp, options, sink, (handlers) => {
    if (tls !== undefined) return readSecured(tcp, tls, listen, handlers);
    listen(handlers.take);
    watchEnd(tcp, handlers);
  });
}

/**
 * Reports the end of a connection in clear text, unless it was reset. Node also reports an end if
 * octets and RST arrive together; only a write, here of nothing, shows the reset.
 */
function watchEnd(tcp: Socket, { end }: DataHandlers): void {
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
  listen: Listen,
  { take, end, fail }: DataHandlers,
): void {
  const tap = new TlsTap(tcp);
  listen((chunk) => (tap.decrypt(chunk), true));
  const { add, passOn } = collector(tcp, take);
  const secured = tls.wrap(tap);
  const ended = (): void => {
    passOn();
    end(tap.endPassedOn);
  };
  // A server that closes during the handshake has refused; its reply says why.
  const broke = (error: unknown): void =>
    tap.endPassedOn ? ended() : fail(tlsError("the data connection broke", error));
  secured.on("error", broke);
  tls.verified(secured).then(() => readDecrypted(secured, add), broke);
  secured.on("end", () => {
    ended();
    // Some servers wait for close_notify before they send 226.
    secured.end();
    // The process need not wait for the server to close its side.
    tcp.unref();
  });
}

/**
 * Collects the records of up to 16 KiB that one read of `tcp` is decrypted to, and passes them to
 * `take` together, which costs less. The TCP connection is paused: a paused TLS stream would not
 * report its end.
 */
function collector(
  tcp: Socket,
  take: DataHandlers["take"],
): { add: (chunk: Buffer) => void; passOn: () => void } {
  let buffer = Buffer.alloc(0);
  let length = 0;
  const passOn = (): void => {
    const octets = buffer.subarray(0, length);
    length = 0;
    if (octets.length > 0 && !take(octets)) tcp.pause();
  };
  const add = (chunk: Buffer): void => {
    if (chunk.length > buffer.length - length) passOn();
    if (length === 0) {
      // While TCP is paused, the sink has the buffer.
      if (tcp.isPaused() || chunk.length > buffer.length)
        buffer = Buffer.allocUnsafeSlow(Math.max(decryptedSize, chunk.length));
      process.nextTick(passOn);
    }
    length += chunk.copy(buffer, length);
  };
  return { add, passOn };
}

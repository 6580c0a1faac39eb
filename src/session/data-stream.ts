/**
 * A data connection that is read as a stream: one that the server made, or one over TLS.
 */
import type { Socket } from "node:net";
import {
  BrokenData,
  type DataConnection,
  type DataEnd,
  feed,
  type Sink,
  watch,
} from "./data-connection.ts";
import { tlsError } from "./tls-error.ts";
import { TlsTap } from "./tls-tap.ts";
import type { TlsLayer } from "./tls.ts";

export interface StreamOptions {
  /** What the connection is made to, for messages: `port 2020 of ftp.example.com`. */
  readonly target: string;
  /** The longest time without an octet. */
  readonly timeoutMs: number;
  /** Undefined is clear text. */
  readonly tls: TlsLayer | undefined;
}

/** What becomes of what is read. */
interface Intake {
  readonly take: (chunk: Buffer) => void;
  readonly end: (truncatable: boolean) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Hands what arrives over `tcp` to `sink`, TLS taken off. `tcp` is connected or connecting, and
 * was made with `allowHalfOpen`, since TLS has a word to say after the server's last.
 */
export function readData(tcp: Socket, options: StreamOptions, sink: Sink): DataConnection {
  const { target, timeoutMs, tls } = options;
  const ended = new Promise<DataEnd>((resolve, reject) => {
    const { receive, idle } = feed(tcp, sink, timeoutMs, reject);
    watch(tcp, target, timeoutMs, reject);
    const read = tls === undefined ? readClear : readSecured(tls);
    read(tcp, {
      // The TCP connection is what pauses: a TLS stream that does would hide when it ended.
      take: (chunk) => void (receive(chunk) || tcp.pause()),
      end: (truncatable) => void idle().then(() => resolve({ truncatable }), reject),
      fail: reject,
    });
    tcp.on("close", () =>
      idle().then(() => reject(new BrokenData("the data connection was closed")), reject),
    );
  });
  // Whoever sent the command learns of a failure first from the reply; this one is looked at later.
  ended.catch(() => tcp.destroy());
  return { ended, abort: (reason) => tcp.destroy(reason) };
}

function readClear(tcp: Socket, { take, end }: Intake): void {
  tcp.on("data", take);
  tcp.on("end", () => {
    tcp.end();
    end(false);
  });
}

function readSecured(tls: TlsLayer): typeof readClear {
  return (tcp, { take, end, fail }) => {
    const tap = new TlsTap(tcp);
    const secured = tls.wrap(tap);
    // A server that closes in mid-handshake has refused; its reply says why, and nothing was read.
    const broke = (error: unknown): void =>
      tap.endPassedOn ? end(true) : fail(tlsError("the data connection broke", error));
    secured.on("error", broke);
    tls.verified(secured).then(() => secured.on("data", take), broke);
    secured.on("end", () => {
      end(tap.endPassedOn);
      // There are servers that wait for our close_notify before they send 226.
      secured.end();
      // A server that doesn't close its side after this keeps nobody waiting.
      tcp.unref();
    });
  };
}

/** Reads a data connection to its end, in clear text or over TLS. */
import { connect, type Socket } from "node:net";
import { Interrupted, NetworkFailure, systemText, toFtpullError } from "../../errors.ts";
import { tlsError } from "../../net/tls-error.ts";
import { readDecrypted } from "../../net/tls-read.ts";
import { TlsTap } from "../../net/tls-tap.ts";
import type { TlsLayer } from "../../net/tls.ts";
import {
  BrokenData,
  type DataEnd,
  type OpeningConnection,
  type Sink,
  UnopenedData,
} from "./data-connection.ts";

export interface StreamOptions {
  /** What it is connected to, for messages: `port 2020 of ftp.example.com`. */
  readonly target: string;
  /** The longest time for connecting. */
  readonly timeoutMs: number;
  /** The longest time without an octet. */
  readonly silenceMs: number;
  /** Undefined is clear text. */
  readonly tls: TlsLayer | undefined;
}

/** What is done with the events of a connection. */
interface Handlers {
  /** Takes what was read; false: pause the socket, which is resumed later. */
  readonly take: (chunk: Buffer) => boolean;
  readonly end: (truncatable: boolean) => void;
  readonly fail: (error: Error) => void;
}

/** Has the socket call `take` with what TCP brings; when that returns false, reading is paused. */
type Listen = (take: Handlers["take"]) => void;

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
  let take: Handlers["take"] = () => false;
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
  let begun = false;
  const counted: Sink = (chunk) => {
    begun = true;
    return sink(chunk);
  };
  const ended = new Promise<DataEnd>((resolve, fail) => {
    const { take, idle } = feed(tcp, counted, options.silenceMs, fail);
    watch(tcp, options, fail);
    let over = false;
    const end = (truncatable: boolean): void => {
      over = true;
      void idle().then(() => resolve({ truncatable }), fail);
    };
    const handlers = { take, end, fail };
    if (options.tls === undefined) readClear(tcp, listen, handlers);
    else readSecured(tcp, options.tls, listen, handlers);
    const closed = (): void => fail(new BrokenData("the data connection was closed"));
    tcp.on("close", () => over || idle().then(closed, fail));
  });
  // A failure may come before `ended` is awaited.
  ended.catch(() => tcp.destroy());
  return {
    ended,
    opened: async () =>
      tcp.connecting &&
      Promise.race([ended, new Promise((resolve) => tcp.once("connect", resolve))]),
    abort: (reason) => tcp.destroy(reason),
    get begun() {
      return begun;
    },
  };
}

/** Passes chunks to `sink`; `idle` settles after it has taken all of them. */
function feed(
  socket: Socket,
  sink: Sink,
  silenceMs: number,
  fail: Handlers["fail"],
): { take: Handlers["take"]; idle: () => Promise<void> } {
  let busy: Promise<void> | undefined;
  const wait = (pending: Promise<void>): void => {
    // A slow sink is not a stalled server.
    socket.setTimeout(0);
    busy = pending;
    const goOn = (): void => {
      if (busy !== pending) return;
      busy = undefined;
      socket.setTimeout(silenceMs).resume();
    };
    pending.then(goOn, fail);
  };
  const take = (chunk: Buffer): boolean => {
    try {
      // A paused socket may deliver further chunks: they wait.
      const pending = busy === undefined ? sink(chunk) : busy.then(() => sink(chunk));
      if (pending === undefined) return true;
      wait(pending);
    } catch (error) {
      fail(toFtpullError(error));
    }
    return false;
  };
  return { take, idle: () => busy ?? Promise.resolve() };
}

function watch(tcp: Socket, options: StreamOptions, fail: Handlers["fail"]): void {
  const { target, timeoutMs, silenceMs } = options;
  const unopened = `cannot open a data connection to ${target}`;
  let connected = !tcp.connecting;
  tcp.setTimeout(connected ? silenceMs : timeoutMs);
  tcp.on("connect", () => {
    connected = true;
    tcp.setTimeout(silenceMs);
  });
  tcp.on("timeout", () => {
    // A local timeout is no BrokenData: the server has no explanation for it.
    if (connected) fail(new NetworkFailure(`no data for ${silenceMs / 1000} s`));
    else fail(new UnopenedData(`${unopened}: no answer for ${timeoutMs / 1000} s`));
    tcp.destroy();
  });
  tcp.on("error", (error) => {
    const words = systemText(error);
    if (error instanceof Interrupted) fail(error);
    else if (!connected) fail(new UnopenedData(`${unopened}: ${words}`, error));
    else fail(new BrokenData(`the data connection broke: ${words}`, error));
  });
}

/**
 * Reads clear text, and reports the end unless it was a reset. Node also reports an end if
 * octets and RST arrive together; only a write, here of nothing, shows the reset.
 */
function readClear(tcp: Socket, listen: Listen, { take, end }: Handlers): void {
  listen(take);
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
  { take, end, fail }: Handlers,
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
  take: Handlers["take"],
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

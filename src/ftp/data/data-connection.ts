/**
 * Incoming data connections: octets are passed to a sink in order and with backpressure.
 * passive.ts and active.ts open them, data-stream.ts reads those that are streams.
 */
import type { Socket } from "node:net";
import {
  FtpullError,
  Interrupted,
  NetworkFailure,
  systemText,
  toFtpullError,
} from "../../errors.ts";

/** Takes octets in order; the buffer is reused after the sink returns or its promise settles. */
export type Sink = (chunk: Buffer) => void | Promise<void>;

/** How a data connection was ended. */
export interface DataEnd {
  /** Over TLS and without close_notify: it may have been truncated (RFC 8446 §6.1). */
  readonly truncatable: boolean;
}

/** A sink throws this to end a transfer early without an error. */
export class StopReading extends FtpullError {
  constructor() {
    super("other", "no more octets are wanted");
  }
}

/** An open or opening data connection. */
export interface DataConnection {
  /**
   * Resolves when the peer has ended the connection and the sink has taken everything. Rejects with
   * FtpullError "network" or "tls", or with what the sink threw.
   */
  readonly ended: Promise<DataEnd>;
  readonly begun: boolean;
  /** Closes the connection: unless it has ended, `ended` rejects with `reason`. */
  abort(reason?: Error): void;
}

export interface OpeningConnection extends DataConnection {
  /** Resolves when the connection is made; rejects as `ended` does. */
  opened(): Promise<unknown>;
}

export interface WatchOptions {
  /** What it is connected to, for messages: `port 2020 of ftp.example.com`. */
  readonly target: string;
  /** The longest time for connecting. */
  readonly timeoutMs: number;
  /** The longest time without an octet. */
  readonly silenceMs: number;
}

export interface DataHandlers {
  /** Takes what was read; false: pause the socket, which is resumed later. */
  readonly take: (chunk: Buffer) => boolean;
  readonly end: (truncatable: boolean) => void;
  readonly fail: (error: Error) => void;
}

/** Makes a data connection of a connected or connecting socket, which `read` reads. */
export function receive(
  socket: Socket,
  options: WatchOptions,
  sink: Sink,
  read: (handlers: DataHandlers) => void,
): OpeningConnection {
  let begun = false;
  const counted: Sink = (chunk) => {
    begun = true;
    return sink(chunk);
  };
  const ended = new Promise<DataEnd>((resolve, fail) => {
    const { take, idle } = feed(socket, counted, options.silenceMs, fail);
    watch(socket, options, fail);
    let over = false;
    const end = (truncatable: boolean): void => {
      over = true;
      void idle().then(() => resolve({ truncatable }), fail);
    };
    read({ take, end, fail });
    const closed = (): void => fail(new BrokenData("the data connection was closed"));
    socket.on("close", () => over || idle().then(closed, fail));
  });
  // A failure may come before `ended` is awaited.
  ended.catch(() => socket.destroy());
  return {
    ended,
    opened: async () =>
      socket.connecting &&
      Promise.race([ended, new Promise((resolve) => socket.once("connect", resolve))]),
    abort: (reason) => socket.destroy(reason),
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
  fail: (error: Error) => void,
): { take: DataHandlers["take"]; idle: () => Promise<void> } {
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

function watch(
  socket: Socket,
  { target, timeoutMs, silenceMs }: WatchOptions,
  fail: (error: Error) => void,
): void {
  const unopened = `cannot open a data connection to ${target}`;
  let connected = !socket.connecting;
  socket.setTimeout(connected ? silenceMs : timeoutMs);
  socket.on("connect", () => {
    connected = true;
    socket.setTimeout(silenceMs);
  });
  socket.on("timeout", () => {
    // A local timeout is no BrokenData: the server has no explanation for it.
    if (connected) fail(new NetworkFailure(`no data for ${silenceMs / 1000} s`));
    else fail(new UnopenedData(`${unopened}: no answer for ${timeoutMs / 1000} s`));
    socket.destroy();
  });
  socket.on("error", (error) => {
    if (error instanceof Interrupted) fail(error);
    const words = `${unopened}: ${systemText(error)}`;
    if (!connected) fail(new UnopenedData(words, error));
    fail(new BrokenData(`the data connection broke: ${systemText(error)}`, error));
  });
}

/** The port that the server named cannot be reached. */
export class UnopenedData extends NetworkFailure {}

/** The data connection was broken by the peer or the network: a reply may say why. */
export class BrokenData extends NetworkFailure {}

/** The data connection ended over TLS without close_notify: it may have been truncated. */
export class UnclosedData extends BrokenData {
  constructor() {
    super("the data connection was closed without TLS's close_notify: it may have been cut");
  }
}

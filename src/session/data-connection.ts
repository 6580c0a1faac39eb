/**
 * Data connections as they are used here: one direction, in, each octet handed to a sink
 * in order. How the server was told of the connection is passive.ts's affair.
 */
import { connect, type Socket } from "node:net";
import { FtpullError, Interrupted, systemText, toFtpullError } from "../errors.ts";

/**
 * Takes octets in order. The buffer is used again as soon as the sink returns, or once the
 * promise that it returns is settled; until then nothing more is read.
 */
export type Sink = (chunk: Buffer) => void | Promise<void>;

/** An open or opening data connection. */
export interface DataConnection {
  /**
   * Resolves when the peer has ended the connection and the sink has taken everything.
   * @throws FtpullError "network" when it breaks, stalls or can't be made; or what the sink threw
   */
  readonly ended: Promise<void>;
  /** Gives the connection up: unless it has ended, `ended` rejects with `reason`. */
  abort(reason?: Error): void;
}

export interface DataOptions {
  readonly host: string;
  readonly port: number;
  /** The longest time without an octet, connecting included. */
  readonly timeoutMs: number;
  /** Reused for every read; a large one saves system calls. */
  readonly buffer: Buffer;
}

/** Connects to where the server listens and hands what it sends to `sink`. */
export function connectData(options: DataOptions, sink: Sink): DataConnection {
  let receive: Feed["receive"] = () => false;
  const socket = connect({
    host: options.host,
    port: options.port,
    onread: {
      buffer: options.buffer,
      callback: (length) => receive(options.buffer.subarray(0, length)),
    },
  });
  const ended = new Promise<void>((resolve, reject) => {
    const sinkFeed = feed(socket, sink, options.timeoutMs, reject);
    receive = sinkFeed.receive;
    report(socket, options, reject);
    socket.on("end", () => sinkFeed.idle().then(resolve, reject));
    socket.on("close", () =>
      sinkFeed.idle().then(() => reject(new BrokenData("the data connection was closed")), reject),
    );
  });
  // Whoever sent the command learns of a failure first from the reply; this one is looked at later.
  ended.catch(() => socket.destroy());
  return { ended, abort: (reason) => socket.destroy(reason) };
}

interface Feed {
  /** What to do with each read: false pauses the socket until the sink is ready for more. */
  readonly receive: (chunk: Buffer) => boolean;
  /** Settles when the sink has dealt with all it was given. */
  readonly idle: () => Promise<void>;
}

function feed(socket: Socket, sink: Sink, timeoutMs: number, fail: (error: Error) => void): Feed {
  let busy: Promise<void> = Promise.resolve();
  const wait = (pending: Promise<void>): void => {
    // A sink that is slow is not a server that is silent.
    socket.setTimeout(0);
    busy = pending;
    busy.then(() => socket.setTimeout(timeoutMs).resume(), fail);
  };
  const receive = (chunk: Buffer): boolean => {
    try {
      const pending = sink(chunk);
      if (pending === undefined) return true;
      wait(pending);
    } catch (error) {
      fail(toFtpullError(error));
    }
    return false;
  };
  return { receive, idle: () => busy };
}

function report(
  socket: Socket,
  { host, port, timeoutMs }: DataOptions,
  fail: (error: Error) => void,
): void {
  let connected = false;
  socket.setTimeout(timeoutMs);
  socket.on("connect", () => (connected = true));
  socket.on("timeout", () => fail(silence(timeoutMs)));
  socket.on("error", (error) => {
    if (error instanceof Interrupted) fail(error);
    const what = connected
      ? "the data connection broke"
      : `cannot open a data connection to port ${port} of ${host}`;
    fail(new BrokenData(`${what}: ${systemText(error)}`, error));
  });
}

function silence(timeoutMs: number): FtpullError {
  return new FtpullError("network", `no data for ${timeoutMs / 1000} s`, { transient: true });
}

/** The data connection was broken off, and not from this end: the server may be about to say why. */
export class BrokenData extends FtpullError {
  constructor(text: string, cause?: Error) {
    super("network", text, { transient: true, cause });
  }
}

/**
 * Data connections as they are used here: one direction, in, each octet handed to a sink in
 * order, no faster than it takes them. How one is made is the affair of data-passive.ts and
 * data-active.ts, how it is read that of data-stream.ts.
 */
import type { Socket } from "node:net";
import {
  FtpullError,
  Interrupted,
  isOutOfFiles,
  NetworkFailure,
  systemText,
  toFtpullError,
} from "../../errors.ts";

/**
 * Takes octets in order. The buffer is used again as soon as the sink returns, or once the
 * promise that it returns is settled; until then nothing more is read.
 */
export type Sink = (chunk: Buffer) => void | Promise<void>;

/** How a data connection was ended. */
export interface DataEnd {
  /** Over TLS and without close_notify: anybody could have cut it there (RFC 8446 §6.1). */
  readonly truncatable: boolean;
}

/** What a sink throws that wants no more octets: the transfer ends early, and in order. */
export class StopReading extends FtpullError {
  constructor() {
    super("other", "no more octets are wanted");
  }
}

/** An open or opening data connection. */
export interface DataConnection {
  /**
   * Resolves when the peer has ended the connection and the sink has taken everything.
   * @throws FtpullError "network" when it breaks, stalls or can't be made; "tls"; or what the
   *   sink threw
   */
  readonly ended: Promise<DataEnd>;
  /** Whether data has come. */
  readonly begun: boolean;
  /** Gives the connection up: unless it has ended, `ended` rejects with `reason`. */
  abort(reason?: Error): void;
}

/** What to watch a socket for. */
export interface WatchOptions {
  /** What it is connected to, for messages: `port 2020 of ftp.example.com`. */
  readonly target: string;
  /** The longest time without an octet, connecting included. */
  readonly timeoutMs: number;
}

/** What becomes of what is read from a socket. */
export interface DataHandlers {
  /** Takes what was read; false means to pause the socket, which goes on by itself. */
  readonly take: (chunk: Buffer) => boolean;
  readonly end: (truncatable: boolean) => void;
  readonly fail: (error: Error) => void;
}

/** Makes a data connection of a socket that is connected or connecting, and that `read` reads. */
export function receive(
  socket: Socket,
  options: WatchOptions,
  sink: Sink,
  read: (handlers: DataHandlers) => void,
): DataConnection {
  let begun = false;
  const counted: Sink = (chunk) => {
    begun = true;
    return sink(chunk);
  };
  const ended = new Promise<DataEnd>((resolve, fail) => {
    const { take, idle } = feed(socket, counted, options.timeoutMs, fail);
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
  // Whoever sent the command learns of a failure first from the reply; this one is looked at later.
  ended.catch(() => socket.destroy());
  return {
    ended,
    abort: (reason) => socket.destroy(reason),
    get begun() {
      return begun;
    },
  };
}

/** How `sink` is fed from `socket`; `idle` settles when it has dealt with all that it was given. */
function feed(
  socket: Socket,
  sink: Sink,
  timeoutMs: number,
  fail: (error: Error) => void,
): { take: DataHandlers["take"]; idle: () => Promise<void> } {
  let busy: Promise<void> | undefined;
  const wait = (pending: Promise<void>): void => {
    // A sink that is slow is not a server that is silent.
    socket.setTimeout(0);
    busy = pending;
    const goOn = (): void => {
      if (busy !== pending) return;
      busy = undefined;
      socket.setTimeout(timeoutMs).resume();
    };
    pending.then(goOn, fail);
  };
  const take = (chunk: Buffer): boolean => {
    try {
      // What is received in spite of a pause waits its turn.
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

/** Fails when `socket` breaks or is silent for too long, or where it can't be connected at all. */
function watch(
  socket: Socket,
  { target, timeoutMs }: WatchOptions,
  fail: (error: Error) => void,
): void {
  const unopened = `cannot open a data connection to ${target}`;
  const seconds = timeoutMs / 1000;
  let connected = !socket.connecting;
  socket.on("connect", () => (connected = true));
  socket.setTimeout(timeoutMs);
  socket.on("timeout", () => {
    // What this end has found out by itself is no BrokenData: the server knows no more of it.
    if (connected) fail(new NetworkFailure(`no data for ${seconds} s`));
    else fail(new UnopenedData(`${unopened}: no answer for ${seconds} s`));
    socket.destroy();
  });
  socket.on("error", (error) => {
    if (error instanceof Interrupted) fail(error);
    const words = `${unopened}: ${systemText(error)}`;
    // Then the port may be a good one.
    if (isOutOfFiles(error)) fail(new NetworkFailure(words, error));
    if (!connected) fail(new UnopenedData(words, error));
    fail(new BrokenData(`the data connection broke: ${systemText(error)}`, error));
  });
}

/** There was no way to the port that the server named. */
export class UnopenedData extends NetworkFailure {}

/** The data connection was broken off, and not from this end: the server may be about to say why. */
export class BrokenData extends NetworkFailure {}

/** The data connection ended over TLS without close_notify: it may have been cut. */
export class UnclosedData extends BrokenData {
  constructor() {
    super("the data connection was closed without TLS's close_notify: it may have been cut");
  }
}

/**
 * There was no way to the port that EPSV named: PASV is asked from now on. Firewalls that open
 * ports by reading replies know 227 better than 229.
 */
export class ExtendedPassiveFailed extends NetworkFailure {}

/**
 * Data connections as they are used here: one direction, in, each octet handed to a sink in
 * order, no faster than it takes them. How one is made is the affair of data-passive.ts,
 * data-active.ts and data-stream.ts.
 */
import type { Socket } from "node:net";
import { FtpullError, Interrupted, systemText, toFtpullError } from "../errors.ts";

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
export class Enough extends FtpullError {
  constructor() {
    super("other", "no more octets are wanted");
    this.name = "Enough";
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
  /** Gives the connection up: unless it has ended, `ended` rejects with `reason`. */
  abort(reason?: Error): void;
}

/** The sink as the reader of a socket sees it. */
export interface Feed {
  /** What to do with each read: false means to pause the socket, which goes on by itself. */
  readonly receive: (chunk: Buffer) => boolean;
  /** Settles when the sink has dealt with all it was given. */
  readonly idle: () => Promise<void>;
}

/** Feeds `sink` from `socket`. What is received in spite of a pause waits its turn. */
export function feed(
  socket: Socket,
  sink: Sink,
  timeoutMs: number,
  fail: (error: Error) => void,
): Feed {
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
  const receive = (chunk: Buffer): boolean => {
    try {
      const pending = busy === undefined ? sink(chunk) : busy.then(() => sink(chunk));
      if (pending === undefined) return true;
      wait(pending);
    } catch (error) {
      fail(toFtpullError(error));
    }
    return false;
  };
  return { receive, idle: () => busy ?? Promise.resolve() };
}

/**
 * Fails when `socket` breaks or is silent for too long, or where it can't be connected at all;
 * `target` says what to.
 */
export function watch(
  socket: Socket,
  target: string,
  timeoutMs: number,
  fail: (error: Error) => void,
): void {
  const unopened = `cannot open a data connection to ${target}`;
  const seconds = timeoutMs / 1000;
  let connected = !socket.connecting;
  socket.on("connect", () => (connected = true));
  socket.setTimeout(timeoutMs);
  socket.on("timeout", () => {
    if (connected) fail(ownFailure(`no data for ${seconds} s`));
    else fail(new UnopenedData(`${unopened}: no answer for ${seconds} s`));
    socket.destroy();
  });
  socket.on("error", (error) => {
    if (error instanceof Interrupted) fail(error);
    if (!connected) fail(new UnopenedData(`${unopened}: ${systemText(error)}`, error));
    fail(new BrokenData(`the data connection broke: ${systemText(error)}`, error));
  });
}

/** What this end has found out by itself; the server knows no more of it. */
function ownFailure(text: string): FtpullError {
  return new FtpullError("network", text, { transient: true });
}

/** There was no way to the port that the server named. */
export class UnopenedData extends FtpullError {
  constructor(text: string, cause?: Error) {
    super("network", text, { transient: true, cause });
  }
}

/** The data connection was broken off, and not from this end: the server may be about to say why. */
export class BrokenData extends FtpullError {
  constructor(text: string, cause?: Error) {
    super("network", text, { transient: true, cause });
  }
}

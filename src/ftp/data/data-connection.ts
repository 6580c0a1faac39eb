/**
 * Incoming data connections: octets are passed to a sink in order and with backpressure.
 * passive.ts and active.ts open them, data-stream.ts reads them.
 */
import { FtpullError, NetworkFailure } from "../../errors.ts";

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

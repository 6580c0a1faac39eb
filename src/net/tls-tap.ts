/**
 * A stream between TCP and TLS. It is there to tell whether TLS was ended by close_notify or
 * the connection under it was cut: Node reports both as the same "end" (RFC 8446 §6.1).
 */
import type { Socket } from "node:net";
import { Duplex } from "node:stream";

/**
 * Passes octets both ways, and the end of the TCP connection a little later than it came: when
 * TLS has said all that it had to say. Whoever reads the TLS stream must not pause that, or it
 * would be late itself, but the TCP connection.
 */
export class TlsTap extends Duplex {
  readonly #tcp: Socket;
  /** Whether the TCP connection's end is known above: what ends before was ended by close_notify. */
  endPassedOn = false;

  constructor(tcp: Socket) {
    super();
    this.#tcp = tcp;
    tcp.on("data", (chunk) => this.push(chunk));
    tcp.on("end", () => setImmediate(() => this.#passEndOn()));
    tcp.on("close", () => this.destroy());
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#tcp.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#tcp.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#tcp.destroy();
    done(error);
  }

  #passEndOn(): void {
    this.endPassedOn = true;
    this.push(null);
  }
}

/**
 * A stream between TLS and TCP, which tells close_notify from a cut TCP connection: to Node both are "end" (RFC
 * 8446 §6.1). Octets pass both ways; the end of TCP is passed on once TLS has processed the octets before, so an
 * end of TLS that comes earlier is by close_notify. To pause, pause TCP: pausing TLS would delay the end.
 */
import type { Socket } from "node:net";
import { Duplex } from "node:stream";

export class TlsTap extends Duplex {
  readonly #tcp: Socket;
  hasPassedOnTcpEnd = false;

  constructor(tcp: Socket) {
    super();
    this.#tcp = tcp;
    tcp.on("end", () => setImmediate(() => this.#passEndOn()));
    tcp.on("close", () => this.destroy());
  }

  /** Has TLS process a chunk that may be reused: TLS copies an emitted one at once, `push` may queue it. */
  decrypt(chunk: Buffer): void {
    this.emit("data", chunk);
  }

  /** Does nothing: octets come by `decrypt`. */
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
    this.hasPassedOnTcpEnd = true;
    this.push(null);
  }
}

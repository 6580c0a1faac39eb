/** Decrypts a data connection over TLS, and tells how it ended: "closed" is an end by close_notify. */
import type { Socket } from "node:net";
import { tlsError } from "../../net/tls-error.ts";
import { readDecrypted } from "../../net/tls-read.ts";
import { TlsTap } from "../../net/tls-tap.ts";
import type { TlsLayer } from "../../net/tls.ts";
import { type DataEnd, dataUnclosed } from "./data-end.ts";

export const securedReadSize = 64 * 1024;
/** Room for the octets of one read once decrypted, and of a record that an earlier read began. */
const decryptedSize = securedReadSize + 32 * 1024;

export class SecuredData {
  readonly #tcp: Socket;
  readonly #tap: TlsTap;
  readonly #take: (octets: Buffer) => boolean;
  #buffer = Buffer.alloc(0);
  #bufferedOctets = 0;

  constructor(tcp: Socket, take: (octets: Buffer) => boolean) {
    this.#tcp = tcp;
    this.#tap = new TlsTap(tcp);
    this.#take = take;
  }

  decrypt(chunk: Buffer): void {
    this.#tap.decrypt(chunk);
  }

  /** Begins TLS; `finish` gets the end of the data, perhaps several times. */
  read(tls: TlsLayer, finish: (end: DataEnd) => void): void {
    const secured = tls.wrap(this.#tap);
    const open = (): void => readDecrypted(secured, (chunk) => this.#add(chunk));
    const ended = (): void => {
      this.#passOn();
      finish(this.#tap.hasPassedOnTcpEnd ? dataUnclosed() : "closed");
    };
    const broke = (error: unknown): void => {
      // Closing during the handshake counts as an end: the server's reply says why it refused.
      if (this.#tap.hasPassedOnTcpEnd) ended();
      else finish(tlsError("the data connection broke", error));
    };
    secured.on("error", broke);
    tls.verified(secured).then(open, broke);
    secured.on("end", () => {
      ended();
      // Some servers wait for close_notify before they send 226; the process need not wait for
      // the end of their side.
      secured.end();
      this.#tcp.unref();
    });
  }

  /** Collects the records that one read is decrypted to: passing them on together costs less. */
  #add(chunk: Buffer): void {
    if (this.#bufferedOctets + chunk.length > this.#buffer.length) this.#passOn();
    if (this.#bufferedOctets === 0) {
      const isInUse = this.#tcp.isPaused(); // `take` is still at work on the buffer's octets
      if (isInUse || chunk.length > this.#buffer.length)
        this.#buffer = Buffer.allocUnsafeSlow(Math.max(decryptedSize, chunk.length));
      process.nextTick(() => this.#passOn());
    }
    this.#bufferedOctets += chunk.copy(this.#buffer, this.#bufferedOctets);
  }

  #passOn(): void {
    const octets = this.#buffer.subarray(0, this.#bufferedOctets);
    this.#bufferedOctets = 0;
    if (octets.length === 0) return;
    const isReadyForMore = this.#take(octets);
    if (!isReadyForMore) this.#tcp.pause();
  }
}

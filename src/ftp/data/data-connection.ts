/** A data connection: its octets are passed to a sink in order and with backpressure. */
import { connect, type Socket } from "node:net";
import { FtpullError, networkError, systemText, toFtpullError } from "../../errors.ts";
import { TimeLimit } from "../../net/deadline.ts";
import type { Sink } from "../../net/rate-limit.ts";
import type { TransferOptions } from "../session-options.ts";
import { type DataEnd, SecuredData, securedReadSize } from "./secured-data.ts";

export type StreamOptions = Pick<TransferOptions, "timeoutMs" | "tls">;

/** Thrown by a sink to end a transfer early without an error. */
export function enoughRead(): FtpullError {
  return new FtpullError("other", "no more bytes are wanted", { reason: "enough read" });
}

/** The peer or the network broke the data connection: a reply may say why. */
export function dataCut(message: string, cause?: unknown): FtpullError {
  return networkError(message, { reason: "data cut", cause });
}

export class DataConnection {
  octets = 0;
  /** The number of octets that are the whole file, if it is known: less need to be sure of the end then. */
  wholeOctets: number | undefined;
  /** Resolves when the peer has ended and the sink has taken all. Rejects with FtpullError, or the sink's error. */
  readonly ended: Promise<DataEnd>;
  readonly #options: StreamOptions;
  readonly #sink: Sink;
  #resolveEnded!: (end: DataEnd) => void;
  #rejectEnded!: (error: unknown) => void;
  #tcp: Socket | undefined;
  #secured: SecuredData | undefined;
  #isCommandSent = false;
  #sinkAtWork: Promise<void> | undefined;
  #hasEnded = false;
  /** The time to connect, then for each read. */
  readonly #silence: TimeLimit;

  constructor(options: StreamOptions, sink: Sink) {
    this.#options = options;
    this.#sink = sink;
    this.#silence = new TimeLimit(options.timeoutMs, () => this.#endSilence());
    this.ended = new Promise((resolve, reject) => {
      this.#resolveEnded = resolve;
      this.#rejectEnded = reject;
    });
    // A failure may come before `ended` is awaited.
    this.ended.catch(() => {
      this.#silence.stop();
      this.#tcp?.destroy();
    });
    this.#silence.restart();
  }

  get hasOctets(): boolean {
    return this.octets > 0;
  }

  connect(host: string, port: number, readBuffer: Buffer, localAddress: string | undefined): void {
    const isClear = this.#options.tls === undefined;
    const buffer = isClear ? readBuffer : readBuffer.subarray(0, securedReadSize);
    const callback = (length: number): boolean => this.#receive(buffer.subarray(0, length));
    const onread = { buffer, callback };
    const tcp = connect({ host, port, localAddress, allowHalfOpen: true, onread });
    this.#begin(tcp, `cannot open a data connection to port ${port} of ${host}`);
  }

  /** Reads from an open connection, made with `allowHalfOpen`: close_notify follows the server's end. */
  read(tcp: Socket): void {
    tcp.on("data", (chunk) => {
      const isReadyForMore = this.#receive(chunk);
      if (!isReadyForMore) tcp.pause();
    });
    this.#begin(tcp);
  }

  /** Begins TLS, once the transfer's command is sent: pyftpdlib closes a connection that brings octets before. */
  secure(): void {
    this.#isCommandSent = true;
    this.#readSecured();
  }

  async opened(): Promise<void> {
    const tcp = this.#tcp;
    if (!tcp?.connecting) return;
    await Promise.race([this.ended, new Promise((resolve) => tcp.once("connect", resolve))]);
  }

  /** Closes the connection; `ended` rejects, with `reason` at once, without one when the sink has taken all. */
  abort(reason?: Error): void {
    if (reason !== undefined) this.#rejectEnded(reason);
    else if (this.#tcp === undefined) this.#rejectEnded(closed());
    this.#tcp?.destroy();
  }

  #begin(tcp: Socket, connectFailure = ""): void {
    this.#tcp = tcp;
    this.#watchTimeAndErrors(tcp, connectFailure);
    if (this.#options.tls === undefined) return this.#awaitEnd(tcp);
    this.#secured = new SecuredData(tcp, (octets) => this.#passToSink(octets));
    this.#readSecured();
  }

  #readSecured(): void {
    const { tls } = this.#options;
    if (tls === undefined || this.#secured === undefined || !this.#isCommandSent) return;
    this.#secured.read(tls).then((end) => this.#endAfterSink(end), this.#rejectEnded);
  }

  #watchTimeAndErrors(tcp: Socket, connectFailure: string): void {
    let isConnected = !tcp.connecting;
    this.#silence.restart();
    tcp.on("connect", () => {
      isConnected = true;
      this.#silence.restart();
    });
    tcp.on("error", (error) => {
      const words = systemText(error);
      if (isConnected) this.#rejectEnded(dataCut(`the data connection broke: ${words}`, error));
      else
        this.#rejectEnded(
          networkError(`${connectFailure}: ${words}`, { reason: "unusable port", cause: error }),
        );
    });
    tcp.on("close", () => {
      this.#silence.stop();
      if (this.#hasEnded) return;
      Promise.resolve(this.#sinkAtWork).then(() => this.#rejectEnded(closed()), this.#rejectEnded);
    });
  }

  #endSilence(): void {
    const seconds = `${this.#options.timeoutMs / 1000} s`;
    const time = `for ${seconds}`;
    if (this.#tcp === undefined)
      this.abort(dataCut(`the server did not connect within ${seconds}`));
    else if (this.#tcp.connecting) this.#tcp.destroy(new Error(`no answer ${time}`));
    // A local timeout is not "data cut": the server has no explanation for it.
    else this.abort(networkError(`no data ${time}`));
  }

  /**
   * Waits for the end of clear text. Node takes RST for an end, too: only a write, here of nothing, shows RST. It
   * costs a tenth of a small file's time, and a count that is right needs no proof.
   */
  #awaitEnd(tcp: Socket): void {
    const ended = (): void => {
      this.#endAfterSink("closed");
      tcp.destroy(); // This saves a shutdown's system call.
    };
    tcp.on("end", () => {
      if (this.octets === this.wholeOctets) return ended();
      // The socket's listeners get the error. Inside a write's callback closing would make the write fail.
      tcp.write(noOctets, (error) => void (error ?? process.nextTick(ended)));
    });
  }

  #endAfterSink(end: DataEnd): void {
    const resolve = (): void => {
      this.#silence.stop();
      this.#hasEnded = true;
      this.#resolveEnded(end);
    };
    Promise.resolve(this.#sinkAtWork).then(resolve, this.#rejectEnded);
  }

  #receive(chunk: Buffer): boolean {
    const secured = this.#secured;
    let isReadyForMore = true; // `secured` pauses the socket itself.
    if (secured === undefined) isReadyForMore = this.#passToSink(chunk);
    else secured.decrypt(chunk);
    if (this.#sinkAtWork === undefined) this.#silence.restart();
    return isReadyForMore;
  }

  #passToSink(chunk: Buffer): boolean {
    this.octets += chunk.length;
    const work = this.#sinkAtWork;
    try {
      // A paused socket may deliver further chunks: they wait.
      const taken = work === undefined ? this.#sink(chunk) : work.then(() => this.#sink(chunk));
      if (taken === undefined) return true;
      this.#waitFor(taken);
    } catch (error) {
      this.#rejectEnded(toFtpullError(error));
    }
    return false;
  }

  #waitFor(taken: Promise<void>): void {
    this.#silence.stop();
    this.#sinkAtWork = taken;
    const goOn = (): void => {
      const hasFurtherChunk = this.#sinkAtWork !== taken;
      if (hasFurtherChunk) return;
      this.#sinkAtWork = undefined;
      if (this.#tcp?.destroyed === false) this.#silence.restart();
      this.#tcp?.resume();
    };
    taken.then(goOn, this.#rejectEnded);
  }
}

const closed = (): FtpullError => dataCut("the data connection was closed");
const noOctets = Buffer.alloc(0);

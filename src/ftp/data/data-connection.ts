/** A data connection: its octets are passed to a sink in order and with backpressure. */
import { connect, type Socket } from "node:net";
import { FtpullError, networkError, systemText, toFtpullError } from "../../errors.ts";
import type { Sink } from "../../net/rate-limit.ts";
import { TimeLimit } from "../../net/time-limit.ts";
import type { TransferOptions } from "../session-options.ts";
import { dataCut, type DataEnd, isClosed } from "./data-end.ts";
import { SecuredData, securedReadSize } from "./secured-data.ts";

export type StreamOptions = Pick<TransferOptions, "timeoutMs" | "tls">;

/**
 * The first of these events is the end of the data: at once, or when the sink has taken all that came.
 *
 * | event | end | when |
 * | --- | --- | --- |
 * | FIN in clear text | "closed", if all octets have come, or a write shows that it was no RST | sink done |
 * | close_notify of TLS | "closed" | sink done |
 * | FIN over TLS, not behind it | "data unclosed" | sink done |
 * | an error of TLS | that of `tlsError` | sink done |
 * | an error of TCP, such as RST | "data cut"; "unusable port" before the connection is open | at once |
 * | TCP is closed | "data cut" | sink done |
 * | silence | "unusable port" while connecting, "data cut" while listening, else without a reason | at once |
 * | the sink fails, or has enough | the sink's error | at once |
 * | `abort` with a reason, or without a connection | the reason; "data cut" | at once |
 * | `abort` of a connection | TCP is closed, see there | |
 */
export class DataConnection {
  octets = 0;
  /** Resolves when the sink has taken all, or at a failure; never rejects. */
  readonly ended: Promise<DataEnd>;
  readonly #options: StreamOptions;
  readonly #sink: Sink;
  #resolveEnded!: (end: DataEnd) => void;
  #end: DataEnd | undefined;
  /** The number of octets that are the whole file, if it is known: less need to be sure of the end then. */
  #wholeOctets: number | undefined;
  #tcp: Socket | undefined;
  #secured: SecuredData | undefined;
  #isCommandSent = false;
  #sinkAtWork: Promise<void> | undefined;
  /** The time to connect, then for each read. */
  readonly #silence: TimeLimit;

  constructor(options: StreamOptions, sink: Sink) {
    this.#options = options;
    this.#sink = sink;
    this.#silence = new TimeLimit(options.timeoutMs, () => this.#endSilence());
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
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

  /** Resolves when the connection is open. @throws FtpullError if it can't be opened */
  async opened(): Promise<void> {
    const tcp = this.#tcp;
    if (!tcp?.connecting) return;
    const connected = new Promise<void>((resolve) => tcp.once("connect", resolve));
    const end = await Promise.race([connected, this.ended]);
    if (end instanceof FtpullError) throw end;
  }

  /** The transfer's command is sent. TLS begins, not earlier: pyftpdlib closes a connection that brings octets before. */
  commandSent(wholeOctets?: number): void {
    this.#wholeOctets = wholeOctets;
    this.#isCommandSent = true;
    this.#readSecured();
  }

  /** Ends the data with `reason` at once, without one when the sink has taken all. */
  abort(reason?: FtpullError): void {
    if (reason !== undefined || this.#tcp === undefined) this.#finish(reason ?? tcpClosed());
    else this.#tcp.destroy();
  }

  #begin(tcp: Socket, connectFailure = ""): void {
    this.#tcp = tcp;
    this.#silence.restart();
    let isConnected = !tcp.connecting;
    tcp.on("connect", () => {
      isConnected = true;
      this.#silence.restart();
    });
    tcp.on("error", (cause) => {
      const words = systemText(cause);
      const unreached = { reason: "unusable port", cause } as const;
      if (isConnected) this.#finish(dataCut(`the data connection broke: ${words}`, cause));
      else this.#finish(networkError(`${connectFailure}: ${words}`, unreached));
    });
    tcp.on("close", () => {
      this.#silence.stop();
      if (this.#end === undefined) this.#finishAfterSink(tcpClosed());
    });
    if (this.#options.tls === undefined) tcp.on("end", () => this.#endClearText(tcp));
    else this.#secured = new SecuredData(tcp, (octets) => this.#passToSink(octets));
    this.#readSecured();
  }

  #readSecured(): void {
    const { tls } = this.#options;
    if (tls === undefined || this.#secured === undefined || !this.#isCommandSent) return;
    this.#secured.read(tls, (end) => this.#finishAfterSink(end));
  }

  /**
   * Node takes RST for an end, too: only a write, here of nothing, shows RST. It costs a tenth of a small file's time,
   * and a count that is right needs no proof.
   */
  #endClearText(tcp: Socket): void {
    const ended = (): void => {
      this.#finishAfterSink("closed");
      tcp.destroy(); // This saves a shutdown's system call.
    };
    if (this.octets === this.#wholeOctets) return ended();
    // The socket's listeners get the error. Inside a write's callback closing would make the write fail.
    tcp.write(noOctets, (error) => void (error ?? process.nextTick(ended)));
  }

  #endSilence(): void {
    const seconds = `${this.#options.timeoutMs / 1000} s`;
    if (this.#tcp === undefined)
      this.#finish(dataCut(`the server did not connect within ${seconds}`));
    else if (this.#tcp.connecting) this.#tcp.destroy(new Error(`no answer for ${seconds}`));
    // A local timeout is not "data cut": the server has no explanation for it.
    else this.#finish(networkError(`no data for ${seconds}`));
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
      this.#finish(toFtpullError(error));
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
    taken.then(goOn, (error: unknown) => this.#finish(toFtpullError(error)));
  }

  #finishAfterSink(end: DataEnd): void {
    if (this.#sinkAtWork === undefined) return this.#finish(end);
    // The sink's failure has ended the data.
    this.#sinkAtWork.then(
      () => this.#finish(end),
      () => undefined,
    );
  }

  /** The only place where `ended` is settled; the first end counts. */
  #finish(end: DataEnd): void {
    this.#silence.stop();
    this.#end ??= end;
    this.#resolveEnded(this.#end);
    if (!isClosed(end)) this.#tcp?.destroy();
  }
}

const tcpClosed = (): FtpullError => dataCut("the data connection was closed");
const noOctets = Buffer.alloc(0);

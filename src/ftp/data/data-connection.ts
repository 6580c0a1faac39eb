/** A data connection: its octets are passed to a sink in order and with backpressure. */
import { connect, type Socket } from "node:net";
import {
  FtpullError,
  NetworkFailure,
  systemText,
  toFtpullError,
  UnreachablePort,
} from "../../errors.ts";
import { TimeLimit } from "../../net/deadline.ts";
import type { Sink } from "../../net/rate-limit.ts";
import type { Pace } from "../../net/speed-limit.ts";
import type { TransferOptions } from "../session-options.ts";
import { type DataEnd, SecuredData, securedReadSize } from "./secured-data.ts";

export type StreamOptions = Pick<TransferOptions, "timeoutMs" | "silenceMs" | "speedLimit" | "tls">;

/** Thrown by a sink to end a transfer early without an error. */
export class StopReading extends FtpullError {
  constructor() {
    super("other", "no more octets are wanted");
  }
}

/** The peer or the network broke the data connection: a reply may say why. */
export class BrokenData extends NetworkFailure {}

export class UnclosedData extends BrokenData {
  constructor() {
    super("the data connection was closed without TLS's close_notify: it may have been cut");
  }
}

export class DataConnection {
  octets = 0;
  /** Resolves when the peer has ended and the sink has taken all. Rejects with FtpullError, or the sink's error. */
  readonly ended: Promise<DataEnd>;
  /** Begins TLS after the transfer's command: pyftpdlib closes a connection that brings octets before it. */
  secure!: () => void;
  readonly #commandSent = new Promise<void>((resolve) => (this.secure = resolve));
  readonly #options: StreamOptions;
  /** The buffer is used again once the call has returned or its promise has settled. */
  readonly #sink: Sink;
  readonly #pace: Pace | undefined;
  #resolve!: (end: DataEnd) => void;
  #fail!: (error: unknown) => void;
  #tcp: Socket | undefined;
  #secured: SecuredData | undefined;
  #sinkAtWork: Promise<void> | undefined;
  readonly #silence: TimeLimit;

  constructor(options: StreamOptions, sink: Sink) {
    this.#options = options;
    const { silenceMs, speedLimit } = options;
    this.#sink = sink;
    this.#pace = speedLimit?.pace((stalled) => this.abort(stalled));
    // A local timeout is no BrokenData: the server has no explanation for it.
    const silence = (): void => this.abort(new NetworkFailure(`no data for ${silenceMs / 1000} s`));
    this.#silence = new TimeLimit(silenceMs, silence);
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#fail = reject;
    });
    // A failure may come before `ended` is awaited.
    this.ended.catch(() => this.#tcp?.destroy());
  }

  get begun(): boolean {
    return this.octets > 0;
  }

  connect(host: string, port: number, memory: Buffer, localAddress: string | undefined): void {
    const isClear = this.#options.tls === undefined;
    const buffer = isClear ? memory : memory.subarray(0, securedReadSize);
    const callback = (length: number): boolean => this.#receive(buffer.subarray(0, length));
    const onread = { buffer, callback };
    const tcp = connect({ host, port, localAddress, allowHalfOpen: true, onread });
    this.#begin(tcp, `cannot open a data connection to port ${port} of ${host}`);
  }

  /** `tcp` was made with `allowHalfOpen`: close_notify is sent after the server has ended its side. */
  read(tcp: Socket): void {
    tcp.on("data", (chunk) => void (this.#receive(chunk) || tcp.pause()));
    this.#begin(tcp);
  }

  async opened(): Promise<void> {
    const tcp = this.#tcp;
    if (!tcp?.connecting) return;
    await Promise.race([this.ended, new Promise((resolve) => tcp.once("connect", resolve))]);
  }

  /** Closes the connection: unless it has ended, `ended` rejects, with `reason` at once. */
  abort(reason?: Error): void {
    if (reason !== undefined || this.#tcp === undefined) this.#fail(reason ?? closed());
    this.#tcp?.destroy();
  }

  #begin(tcp: Socket, unopened = ""): void {
    this.#tcp = tcp;
    this.#watch(tcp, unopened);
    const { tls, timeoutMs } = this.#options;
    if (tls === undefined) return this.#awaitEnd(tcp);
    const secured = (this.#secured = new SecuredData(tcp, (octets) => this.#take(octets)));
    const ended = this.#commandSent.then(() => secured.read(tls, timeoutMs));
    ended.then((end) => this.#end(end), this.#fail);
  }

  #watch(tcp: Socket, unopened: string): void {
    const { timeoutMs } = this.#options;
    const silence = new Error(`no answer for ${timeoutMs / 1000} s`);
    const connecting = new TimeLimit(timeoutMs, () => tcp.destroy(silence));
    let connected = !tcp.connecting;
    (connected ? this.#silence : connecting).restart();
    tcp.on("connect", () => {
      connected = true;
      connecting.stop();
      this.#silence.restart();
    });
    tcp.on("error", (error) => {
      const words = systemText(error);
      if (connected) this.#fail(new BrokenData(`the data connection broke: ${words}`, error));
      else this.#fail(new UnreachablePort(`${unopened}: ${words}`, error));
    });
    tcp.on("close", () => {
      connecting.stop();
      this.#silence.stop();
      Promise.resolve(this.#sinkAtWork).then(() => this.#fail(closed()), this.#fail);
    });
  }

  /** Ends clear text. Node takes octets with RST for an end, too: only a write, here of nothing, shows it. */
  #awaitEnd(tcp: Socket): void {
    tcp.on("end", () => {
      tcp.write(noOctets, (error) => {
        if (error) return; // The socket reports it to its listeners.
        this.#end("closed");
        // Closing saves a shutdown's system call; inside a write's callback the write would fail.
        process.nextTick(() => tcp.destroy());
      });
    });
  }

  #end(end: DataEnd): void {
    const resolve = (): void => {
      this.#silence.stop();
      this.#resolve(end);
    };
    Promise.resolve(this.#sinkAtWork).then(resolve, this.#fail);
  }

  /** False: the socket is to be paused, and is resumed later. */
  #receive(chunk: Buffer): boolean {
    const secured = this.#secured;
    if (secured === undefined || secured.isDecrypting) this.#pace?.received(chunk.length);
    const isTaken = secured === undefined ? this.#take(chunk) : secured.decrypt(chunk);
    if (this.#sinkAtWork === undefined) this.#awaitOctets();
    return isTaken;
  }

  #awaitOctets(): void {
    this.#silence.restart();
    this.#pace?.wait();
  }

  #take(chunk: Buffer): boolean {
    this.octets += chunk.length;
    try {
      // A paused socket may deliver further chunks: they wait.
      const taken = this.#sinkAtWork?.then(() => this.#sink(chunk)) ?? this.#sink(chunk);
      if (taken === undefined) return true;
      this.#waitFor(taken);
    } catch (error) {
      this.#fail(toFtpullError(error));
    }
    return false;
  }

  #waitFor(taken: Promise<void>): void {
    this.#silence.stop();
    this.#sinkAtWork = taken;
    const goOn = (): void => {
      if (this.#sinkAtWork !== taken) return;
      this.#sinkAtWork = undefined;
      if (this.#tcp?.destroyed === false) this.#awaitOctets();
      this.#tcp?.resume();
    };
    taken.then(goOn, this.#fail);
  }
}

const closed = (): BrokenData => new BrokenData("the data connection was closed");
const noOctets = Buffer.alloc(0);

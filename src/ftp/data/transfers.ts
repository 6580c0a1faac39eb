/**
 * The transfers of one session, one after the other: a data connection, the command that uses it,
 * and whether the session can be used afterwards.
 */
import type { FtpullError } from "../../errors.ts";
import type { Address } from "../../net/connect.ts";
import type { TlsLayer } from "../../net/tls.ts";
import type { ControlConnection } from "../control/control-connection.ts";
import type { Exchange } from "../control/exchanges.ts";
import {
  isIntermediate,
  isNegative,
  isTransientNegative,
  parseReply,
  quoteName,
  replyCode,
  ReplyError,
  RestartRefused,
  type Reply,
} from "../control/reply.ts";
import { NoWayBack } from "../path-steps.ts";
import type { TransferHints, Pipelining } from "../pipelining.ts";
import type { Runner } from "../runner.ts";
import type { SessionOptions } from "../session-options.ts";
import { isDemand, question, type Command } from "../state.ts";
import { openData } from "../tunnel.ts";
import { awaitData } from "./active.ts";
import {
  ExtendedPassiveFailed,
  UnopenedData,
  type DataConnection,
  type Sink,
} from "./data-connection.ts";
import { connectData } from "./passive.ts";
import { runTransfer, type Completion } from "./transfer.ts";

const okay = parseReply("200");
const restarting = parseReply("350");

/** The most octets of one read of a data connection. */
const readSize = 1024 * 1024;

type TransferOptions = Pick<
  SessionOptions,
  "active" | "capabilities" | "family" | "proxy" | "rateLimit" | "signal" | "timeoutMs"
> & {
  readonly server: Address;
  readonly tls: TlsLayer | undefined;
};

export class Transfers {
  readonly #control: ControlConnection;
  readonly #runner: Runner<Exchange>;
  readonly #pipelining: Pipelining;
  readonly #options: TransferOptions & { readonly buffer: Buffer };
  #data: DataConnection | undefined;
  /** Whether EPSV named the port, and PASV might name one that can be reached. */
  #isByEpsv = false;
  #settled = true;
  /** Whether the server has confirmed a transfer: some never do. */
  #confirmed = false;

  constructor(
    control: ControlConnection,
    runner: Runner<Exchange>,
    pipelining: Pipelining,
    options: TransferOptions,
  ) {
    this.#control = control;
    this.#runner = runner;
    this.#pipelining = pipelining;
    const length = Math.min(readSize, options.rateLimit?.readSize ?? readSize);
    this.#options = { ...options, buffer: Buffer.allocUnsafeSlow(length) };
  }

  /** Whether the last transfer has its final reply: a late one would be taken for another's. */
  get settled(): boolean {
    return this.#settled;
  }

  /** As Session.retrieve; `ask` may send other commands together with REST. */
  async retrieve(
    name: string,
    offset: number,
    sink: Sink,
    ask: (restart: Command) => Promise<void>,
    hints?: TransferHints,
  ): Promise<Completion> {
    return this.#accounted(sink, async (data) => {
      const onEnd = (): void => this.#pipelining.sendNextEarly(hints, this.#confirmed);
      data.ended.then(onEnd, () => undefined); // #run reports failures
      if (offset > 0) await this.#restartAt(offset, data, ask);
      return this.#run(`cannot retrieve ${quoteName(name)}`, `RETR ${name}`, data, hints);
    });
  }

  list(command: string, sink: Sink): Promise<Completion> {
    return this.#accounted(sink, (data) => this.#run("cannot list the directory", command, data));
  }

  interrupt(reason: Error): void {
    this.#settled = false;
    this.#data?.abort(reason);
  }

  /** Runs a transfer; if it needs an account, sends ACCT and runs it once more (S8). */
  async #accounted(
    sink: Sink,
    transfer: (data: DataConnection) => Promise<Completion>,
  ): Promise<Completion> {
    const data = await this.#open(sink);
    try {
      return await transfer(data);
    } catch (error) {
      // The octets that have arrived would arrive twice.
      if (!(error instanceof AccountWanted) || data.begun) throw error;
      await this.#runner.sendAccount(error.line, error.reply);
      // A CWD behind the command may have been accepted: the document has to be located again.
      if (this.#pipelining.isSent) throw new NoWayBack(false);
    }
    return transfer(await this.#open(sink));
  }

  async #open(sink: Sink): Promise<DataConnection> {
    const { active, capabilities, proxy, rateLimit, server } = this.#options;
    const { localAddress: local = "", remoteAddress: remote = "" } = this.#control.socket;
    // The address behind a proxy isn't known: the name goes to the proxy again.
    const host = proxy === undefined ? remote : server.host;
    const request = (line: string): Promise<Reply> => {
      // PASV supports IPv4 only. Another session may have turned EPSV off meanwhile.
      this.#isByEpsv = line === "EPSV" && !host.includes(":");
      return this.#runner.ask(question(line, okay));
    };
    const limited = rateLimit?.around(sink) ?? sink;
    if (active) return awaitData({ local, remote }, request, capabilities, this.#options, limited);
    const openPort = proxy && ((port: number) => openData(proxy, server, port, this.#options));
    try {
      const options = { ...this.#options, openPort };
      return await connectData(host, request, capabilities, options, limited);
    } catch (error) {
      throw error instanceof UnopenedData ? this.#outOfReach(error) : error;
    }
  }

  /** EPSV's port can't be reached: PASV's may be. */
  #outOfReach(error: FtpullError): FtpullError {
    if (!this.#isByEpsv) return error;
    this.#options.capabilities.extendedPassive = false;
    return new ExtendedPassiveFailed(error.message, error);
  }

  async #restartAt(
    offset: number,
    data: DataConnection,
    ask: (restart: Command) => Promise<void>,
  ): Promise<void> {
    try {
      const restart = { ...question(`REST ${offset}`, restarting), readsDemand: true };
      await ask(restart);
      const reply = await this.#runner.ask(restart);
      if (isDemand(reply)) throw new AccountWanted(restart.line, reply);
      if (isIntermediate(reply)) return;
      const Refusal = isTransientNegative(reply) ? ReplyError : RestartRefused;
      throw new Refusal(`cannot go on at octet ${offset}`, reply);
    } catch (error) {
      // A REST without a RETR could apply to the next document.
      this.#settled = error instanceof ReplyError;
      data.abort();
      throw error;
    }
  }

  async #run(
    what: string,
    line: string,
    data: DataConnection,
    hints?: TransferHints,
  ): Promise<Completion> {
    this.#data = data;
    this.#settled = false;
    let isOver = false;
    try {
      const exchange = this.#pipelining.start(line, hints, this.#confirmed);
      const first = exchange.firstReply().then((reply) => {
        isOver = isNegative(reply);
        if (isDemand(reply)) throw new AccountWanted(line, reply);
        return reply;
      });
      const last = (): Promise<Reply> => exchange.finalReply(0);
      const replies = { first, last, timeoutMs: this.#options.timeoutMs };
      const completion = await runTransfer(what, replies, data);
      this.#confirmed ||= completion.completed;
      this.#settled = completion.completed || completion.replied;
      return completion;
    } catch (error) {
      this.#settled = isOver || error instanceof ReplyError;
      throw isUnopened(error) ? this.#outOfReach(error) : error;
    } finally {
      this.#data = undefined;
    }
  }
}

/** 332 or 532 to a command that has a data connection, which servers close then. */
class AccountWanted extends ReplyError {
  readonly line: string;

  constructor(line: string, demand: Reply) {
    super("the server wants an account", demand);
    this.line = line;
  }
}

/** Whether the data port cannot be reached, as found by the server (425) or by this client. */
function isUnopened(error: unknown): error is FtpullError {
  if (error instanceof ReplyError) return error.reply.code === replyCode.cannotOpenData;
  return error instanceof UnopenedData;
}

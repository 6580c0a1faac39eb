/**
 * The transfers of one session, one after the other: a data connection, the command that uses it,
 * and whether the session can be used afterwards.
 */
import type { Address } from "../../net/connect.ts";
import type { TlsLayer } from "../../net/tls.ts";
import type { BehindRetrieve, TransferHints } from "../behind-retrieve.ts";
import type { ControlConnection } from "../control/control-connection.ts";
import type { Exchange } from "../control/exchanges.ts";
import {
  isIntermediate,
  isNegative,
  isTransientNegative,
  parse150Size,
  quoteName,
  replyCode,
  ReplyError,
  RestartRefused,
  type Reply,
} from "../control/reply.ts";
import { NoWayBack } from "../path-steps.ts";
import type { Runner } from "../runner.ts";
import type { SessionOptions } from "../session-options.ts";
import { isDemand, question, type Command, type Request } from "../state.ts";
import { openData } from "../tunnel.ts";
import { awaitData } from "./active.ts";
import type { DataConnection, Sink } from "./data-connection.ts";
import { connectData } from "./passive.ts";
import { runTransfer, type Completion } from "./transfer.ts";

/** 225 follows a transfer that the client has ended; 221 is the reply to an early QUIT. */
const transferCodes: Command["codes"] = [226, 250, 225, 221];

/** The most octets of one read of a data connection. */
const readSize = 1024 * 1024;

type TransferOptions = Pick<
  SessionOptions,
  | "active"
  | "capabilities"
  | "family"
  | "localAddress"
  | "observer"
  | "proxy"
  | "rateLimit"
  | "signal"
  | "speedLimit"
  | "timeoutMs"
> & {
  readonly server: Address;
  readonly tls: TlsLayer | undefined;
};

export class Transfers {
  readonly #control: ControlConnection;
  readonly #runner: Runner<Exchange>;
  readonly #behind: BehindRetrieve;
  readonly #options: TransferOptions & { readonly buffer: Buffer };
  #data: DataConnection | undefined;
  #settled = true;

  constructor(
    control: ControlConnection,
    runner: Runner<Exchange>,
    behind: BehindRetrieve,
    options: TransferOptions,
  ) {
    this.#control = control;
    this.#runner = runner;
    this.#behind = behind;
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
    return this.#transfer(sink, async (data) => {
      // #run reports failures.
      if (hints !== undefined)
        data.ended.then(
          () => this.#behind.sendAtEnd(hints),
          () => undefined,
        );
      if (offset > 0) await this.#restartAt(offset, data, ask);
      return this.#run(`cannot retrieve ${quoteName(name)}`, `RETR ${name}`, data, hints);
    });
  }

  list(command: string, sink: Sink): Promise<Completion> {
    return this.#transfer(sink, (data) => this.#run("cannot list the directory", command, data));
  }

  interrupt(reason: Error): void {
    this.#settled = false;
    this.#data?.abort(reason);
  }

  /** Runs a transfer, and once more where the server wants an account first, or PASV (S8, P4). */
  async #transfer(
    sink: Sink,
    transfer: (data: DataConnection) => Promise<Completion>,
  ): Promise<Completion> {
    const data = await this.#open(sink);
    try {
      return await transfer(data);
    } catch (error) {
      // The octets that have arrived would arrive twice.
      if (data.begun || !(await this.#meets(error))) throw error;
    }
    return transfer(await this.#open(sink));
  }

  /** Does what the refusal of a transfer asks for; false if it asks for nothing. */
  async #meets(error: unknown): Promise<boolean> {
    if (error instanceof AccountWanted) {
      await this.#runner.sendAccount(error.line, error.reply);
      // A CWD behind the command may have been accepted: the document has to be located again.
      if (this.#behind.isSent) throw new NoWayBack(false);
      return true;
    }
    const { active, capabilities } = this.#options;
    if (!(error instanceof ReplyError) || error.reply.code !== replyCode.cannotOpenData)
      return false;
    const isOther = capabilities.extendedPassive && !capabilities.isExtendedProven;
    if (active || !isOther || this.#host.includes(":")) return false;
    this.#giveUpExtended(error);
    return true;
  }

  /** The address behind a proxy isn't known: the name goes to the proxy again. */
  get #host(): string {
    const { proxy, server } = this.#options;
    return proxy === undefined ? (this.#control.socket.remoteAddress ?? "") : server.host;
  }

  #open(sink: Sink): Promise<DataConnection> {
    const { active, proxy, rateLimit, server, speedLimit, timeoutMs } = this.#options;
    const request: Request = (command) => this.#runner.ask(command);
    const slowed = rateLimit?.around(sink) ?? sink;
    const limited = speedLimit?.around(slowed) ?? slowed;
    const silenceMs = Math.min(timeoutMs, speedLimit?.patienceMs ?? Infinity);
    if (active) {
      const { localAddress: local = "", remoteAddress: remote = "" } = this.#control.socket;
      return awaitData({ local, remote }, request, { ...this.#options, silenceMs }, limited);
    }
    const openPort = proxy && ((port: number) => openData(proxy, server, port, this.#options));
    const giveUpExtended = (because: Error): void => this.#giveUpExtended(because);
    const options = { ...this.#options, silenceMs, openPort, giveUpExtended };
    return connectData(this.#host, request, options, limited);
  }

  #giveUpExtended({ message }: Error): void {
    const { capabilities, observer } = this.#options;
    if (capabilities.extendedPassive)
      observer.info(`${message}: asking for ports by PASV from now on`);
    capabilities.extendedPassive = false;
  }

  async #restartAt(
    offset: number,
    data: DataConnection,
    ask: (restart: Command) => Promise<void>,
  ): Promise<void> {
    try {
      const restart = { ...question(`REST ${offset}`, 350), readsDemand: true };
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
    let announced: number | undefined;
    try {
      const exchange = this.#behind.start({ line, codes: transferCodes }, hints);
      const first = exchange.firstReply().then((reply) => {
        isOver = isNegative(reply);
        announced = parse150Size(reply, line);
        if (isDemand(reply)) throw new AccountWanted(line, reply);
        return reply;
      });
      const last = (): Promise<Reply> => exchange.finalReply(0);
      const replies = { first, last, timeoutMs: this.#options.timeoutMs };
      const completion = await runTransfer(what, replies, data);
      this.#behind.isConfirmed ||= completion.completed;
      this.#options.capabilities.isExtendedProven ||= completion.completed;
      this.#settled = completion.completed || completion.replied;
      return { ...completion, announced };
    } catch (error) {
      this.#settled = isOver || error instanceof ReplyError;
      throw error;
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

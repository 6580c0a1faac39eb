/**
 * The transfers of a session, in turn. The life of one, from the top of this file to its end:
 *
 * | state | what happens |
 * | --- | --- |
 * | opening | EPSV or PASV and a data connection, or a port and EPRT or PORT (opening.ts) |
 * | begun | REST, unless the transfer begins at 0; then RETR, or the command of a listing |
 * | receiving | the data comes (data-connection.ts), and a preliminary reply, in any order |
 * | data ended | the commands of the next document are sent, if the data is whole |
 * | replied | the final reply has come, or time is up (transfer-end.ts) |
 * | judged | whole, in doubt or failed: the table of `judge` |
 * | settled | the session goes on, if the server holds nothing that the next transfer would get |
 */
import { toFtpullError } from "../../errors.ts";
import type { Sink } from "../../net/rate-limit.ts";
import type { Exchange } from "../control/exchanges.ts";
import {
  isAccountDemand,
  isIntermediate,
  isNegative,
  isTransientNegative,
  replyCode,
  ReplyError,
} from "../control/reply.ts";
import { type DocumentPlan, nextToType } from "../document-steps.ts";
import type { SessionParts } from "../open-session.ts";
import type { TransferOptions } from "../session-options.ts";
import { plainCommand, type Command } from "../state.ts";
import type { DataConnection } from "./data-connection.ts";
import { awaitData, connectData, givesUpExtended, goalsBefore } from "./opening.ts";
import { type Completion, endOfTransfer, isUnbegun } from "./transfer-end.ts";

export interface Retrieval {
  readonly size?: number | undefined;
  /** The next document of the session, if it is known. */
  readonly next?: (() => DocumentPlan | undefined) | undefined;
}

/** A transfer's command; `what` is its failure in words, `offset` the first octet that is wanted. */
interface Job extends Retrieval {
  readonly what: string;
  readonly line: string;
  readonly offset?: number;
}

const readSize = 1024 * 1024;

const transferCodes: Command["codes"] = [226, 250];

export class Transfers {
  readonly #parts: SessionParts;
  readonly #options: TransferOptions;
  #data: DataConnection | undefined;
  /** False while the server holds a final reply or a restart point: the next transfer would get it. */
  areSettled = true;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const { control, runner, tls, options } = parts;
    const { proxy, rateLimit, server } = options;
    // The address behind a proxy isn't known: the name goes to the proxy again.
    const host = proxy === undefined ? (control.socket.remoteAddress ?? "") : server.host;
    const buffer = Buffer.allocUnsafeSlow(Math.min(readSize, rateLimit?.readSize ?? readSize));
    const request = (command: Command) => runner.ask(command);
    this.#options = { ...options, host, tls, request, buffer };
  }

  interrupt(reason: Error): void {
    this.#data?.abort(toFtpullError(reason));
  }

  /** Runs a transfer, and once more if the server wants an account, TYPE or PASV first (S8, P4). */
  async run(job: Job, sink: Sink): Promise<Completion> {
    const data = await this.#open(sink);
    try {
      return await this.#try(job, data);
    } catch (error) {
      // The octets that have arrived would arrive twice.
      const isMet = !data.hasOctets && (await this.#meetDemand(job.line, error));
      if (!isMet) throw error;
    }
    return this.#try(job, await this.#open(sink));
  }

  #open(sink: Sink): Promise<DataConnection> {
    const { active, rateLimit } = this.#options;
    const slowed = rateLimit?.slowed(sink) ?? sink;
    return active
      ? awaitData(this.#parts.control.socket, this.#options, slowed)
      : connectData(this.#options, slowed);
  }

  async #try(job: Job, data: DataConnection): Promise<Completion> {
    const { what, line, offset = 0, size } = job;
    const { control, runner } = this.#parts;
    const { capabilities } = this.#options;
    this.#data = data;
    this.areSettled = false;
    let exchange: Exchange | undefined;
    try {
      if (offset > 0) await this.#restartAt(offset);
      exchange = control.send([{ line, codes: transferCodes }])[0]!;
      // A text has another number of octets on its way.
      data.commandSent(runner.state.type === "I" ? size : undefined);
      const sendNext = (): void => sendAhead(this.#parts, data, job);
      const completion = await endOfTransfer(what, exchange, data, sendNext);
      const isProven = completion.doubt === undefined && capabilities.epsv === undefined;
      if (isProven) capabilities.learn({ epsv: "proven" });
      this.areSettled = exchange.final !== undefined && !isUnbegun(exchange, data);
      return completion;
    } catch (error) {
      // Servers may keep the restart point of REST until a transfer is complete; any 2yz to REST may have set one.
      if (error instanceof ReplyError)
        this.areSettled = exchange === undefined ? isNegative(error.reply) : offset === 0;
      data.abort();
      await data.ended; // A write on its way would land in the next transfer.
      throw error;
    }
  }

  async #restartAt(offset: number): Promise<void> {
    const reply = await this.#options.request(plainCommand(`REST ${offset}`, 350, 200, 202, 250));
    if (isIntermediate(reply) && !isAccountDemand(reply)) return;
    const isLasting = !isTransientNegative(reply) && !isAccountDemand(reply);
    const reason = isLasting ? "restart refused" : undefined;
    throw new ReplyError(`cannot go on at byte ${offset}`, reply, { reason });
  }

  async #meetDemand(line: string, error: unknown): Promise<boolean> {
    const { runner } = this.#parts;
    if (!(error instanceof ReplyError)) return false;
    if (isAccountDemand(error.reply)) {
      await runner.sendAccount(error.reply);
      return true;
    }
    // Some servers list nothing before they are told a type, though RFC 959 has a default (ASCII).
    if (line === "LIST" && !error.transient && runner.state.type === undefined) {
      await runner.reach((state) => nextToType(state, "A"));
      return runner.state.type === "A";
    }
    return error.reply.code === replyCode.cannotOpenData && givesUpExtended(this.#options, error);
  }
}

/** Sends the next document's commands as soon as the last octet of one has come: its 226 needn't be waited for. */
export function sendAhead(
  parts: SessionParts,
  data: DataConnection,
  { size, next }: Retrieval,
): void {
  // An empty file is complete before the reply to RETR, which may be a refusal.
  const isWhole = data.hasOctets && data.octets === size;
  const plan = isWhole && parts.control.usable ? next?.() : undefined;
  if (plan !== undefined) parts.runner.sendAhead(goalsBefore(plan, parts.options));
}

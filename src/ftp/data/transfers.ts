/** The transfers of one session, in turn, and whether it can be used afterwards. */
import { answerTo, goalOf, type Goal } from "../dialogue.ts";
import { networkError } from "../../errors.ts";
import type { Sink } from "../../net/rate-limit.ts";
import {
  isAccountDemand,
  isIntermediate,
  isNegative,
  isTransientNegative,
  parse150Size,
  quoteName,
  replyCode,
  ReplyError,
} from "../control/reply.ts";
import { type DocumentPlan, nextToType } from "../document-steps.ts";
import type { TransferOptions } from "../session-options.ts";
import type { SessionParts } from "../open-session.ts";
import { plainCommand, type Command } from "../state.ts";
import type { DataConnection } from "./data-connection.ts";
import { awaitData, connectData, extendedPassive, giveUpExtended } from "./opening.ts";
import { type Completion, runTransfer } from "./transfer.ts";

const transferCodes: Command["codes"] = [226, 250];

const readSize = 1024 * 1024;

interface Job {
  readonly what: string;
  readonly line: string;
  /** Where a retrieval begins: REST goes before the command unless it is 0. */
  readonly offset?: number;
  readonly retrieval?: Retrieval | undefined;
}

export interface Retrieval {
  readonly size?: number | undefined;
  /** The next document of the session, if it is known. */
  readonly next?: (() => DocumentPlan | undefined) | undefined;
}

export class Transfers {
  readonly #parts: SessionParts;
  readonly #options: TransferOptions;
  #data: DataConnection | undefined;
  /** False while the server still holds a final reply or a restart point: the next transfer would get it. */
  areSettled = true;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const { runner, tls, options } = parts;
    const { rateLimit } = options;
    const buffer = Buffer.allocUnsafeSlow(Math.min(readSize, rateLimit?.readSize ?? readSize));
    const request = (command: Command) => runner.ask(command);
    this.#options = { ...options, tls, request, buffer };
  }

  retrieve(name: string, offset: number, sink: Sink, retrieval?: Retrieval): Promise<Completion> {
    const what = `cannot retrieve ${quoteName(name)}`;
    return this.#transfer({ what, line: `RETR ${name}`, offset, retrieval }, sink);
  }

  list(command: string, sink: Sink): Promise<Completion> {
    return this.#transfer({ what: "cannot list the directory", line: command }, sink);
  }

  interrupt(reason: Error): void {
    this.#data?.abort(reason);
  }

  /** Runs a transfer, and once more if the server wants an account, TYPE or PASV first (S8, P4). */
  async #transfer(job: Job, sink: Sink): Promise<Completion> {
    const data = await this.#open(sink);
    try {
      return await this.#run(job, data);
    } catch (error) {
      // The octets that have arrived would arrive twice.
      const isMet = !data.hasOctets && (await this.#meetDemand(job.line, error));
      if (!isMet) throw error;
    }
    return this.#run(job, await this.#open(sink));
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
    const { active, capabilities } = this.#options;
    const isIPv4 = !this.#host.includes(":");
    const isExtended = !active && capabilities.epsv === undefined;
    const needsPassive = isIPv4 && isExtended && error.reply.code === replyCode.cannotOpenData;
    if (needsPassive) giveUpExtended(this.#options, error);
    return needsPassive;
  }

  /** The address behind a proxy isn't known: the name goes to the proxy again. */
  get #host(): string {
    const { proxy, server } = this.#options;
    return proxy === undefined ? (this.#parts.control.socket.remoteAddress ?? "") : server.host;
  }

  #open(sink: Sink): Promise<DataConnection> {
    const { active, rateLimit } = this.#options;
    const slowed = rateLimit?.slowed(sink) ?? sink;
    return active
      ? awaitData(this.#parts.control.socket, this.#options, slowed)
      : connectData(this.#host, this.#options, slowed);
  }

  async #restartAt(offset: number): Promise<void> {
    this.areSettled = false; // Any 2yz, too, may have set a restart point.
    const { runner } = this.#parts;
    const reply = await runner.ask(plainCommand(`REST ${offset}`, 350, 200, 202, 250));
    if (isIntermediate(reply) && !isAccountDemand(reply)) return;
    this.areSettled = isNegative(reply);
    const isLasting = !isTransientNegative(reply) && !isAccountDemand(reply);
    const reason = isLasting ? "restart refused" : undefined;
    throw new ReplyError(`cannot go on at byte ${offset}`, reply, { reason });
  }

  async #run(job: Job, data: DataConnection): Promise<Completion> {
    const { what, line, offset = 0, retrieval = {} } = job;
    this.#data = data;
    if (offset > 0)
      await this.#restartAt(offset).catch((error: unknown) => {
        data.abort();
        throw error;
      });
    // A text has another number of octets on its way.
    if (this.#parts.runner.state.type === "I") data.wholeOctets = retrieval.size;
    this.areSettled = false;
    const exchange = this.#parts.control.send([{ line, codes: transferCodes }])[0]!;
    void sendAtEnd(this.#parts, data, retrieval);
    data.secure();
    try {
      const completion = await runTransfer(what, exchange, data);
      const { error, reply } = completion;
      // A reply alone may be one too many, with a refusal behind it: SIZE has to confirm the empty file.
      const isAlone = reply !== undefined && exchange.first === reply && !data.hasOctets;
      if (line.startsWith("RETR ") && error === undefined && isAlone)
        return { error: networkError(unbegunText), reply };
      this.areSettled = error === undefined || reply !== undefined;
      if (error === undefined) this.#options.capabilities.epsv ??= "proven";
      const announced = exchange.first && parse150Size(exchange.first, line);
      return { ...completion, isEmpty: !data.hasOctets, announced };
    } catch (error) {
      // A refused RETR leaves the restart point of REST.
      this.areSettled = error instanceof ReplyError && offset === 0;
      throw error;
    }
  }
}

export function goalsBefore(plan: DocumentPlan, { options }: SessionParts): [Goal, ...Goal[]] {
  const { active, capabilities } = options;
  if (active || capabilities.epsv === "given up") return [goalOf(plan)];
  return [goalOf(plan), answerTo(extendedPassive)];
}

/** Sends the next document's commands as soon as the last octet of one has come: its 226 needn't be waited for. */
export function sendAtEnd(
  parts: SessionParts,
  data: DataConnection,
  { size, next }: Retrieval,
): Promise<void> {
  const send = (): void => {
    // An empty file is complete before the reply to RETR, which may be a refusal.
    const isWhole = data.hasOctets && data.octets === size;
    const plan = isWhole && parts.control.usable ? next?.() : undefined;
    if (plan !== undefined) parts.runner.sendAhead(goalsBefore(plan, parts));
  };
  // The transfer reports a failure.
  return data.ended.then(send, () => undefined);
}

const unbegunText = "the server confirmed a transfer that it hadn't begun";

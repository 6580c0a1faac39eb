/** Commands sent behind RETR: NOOP, to see whether replies come in order, then the next document's. */
import type { ControlConnection } from "./control/control-connection.ts";
import type { Exchange, SentCommand } from "./control/exchange.ts";
import type { DataConnection } from "./data/data-connection.ts";
import { extendedPassive } from "./data/passive.ts";
import { answerTo, goalOf, type Goal } from "./dialogue.ts";
import type { DocumentPlan, Facts } from "./document-steps.ts";
import type { Runner } from "./runner.ts";
import type { SessionOptions } from "./session-options.ts";
import { plainCommand, type Command } from "./state.ts";

/** A file of up to so many octets fits into the server's send buffer. */
const quickSize = 16 * 1024;

/** The next document of a session; "quit": there is none; undefined: not known. */
export type NextRequest = DocumentPlan | "quit" | undefined;

/** `size` is of the present file; `next` is called with RETR, and at the end unless commands were sent. */
export interface Retrieval {
  readonly size?: number | undefined;
  readonly next?: (() => NextRequest) | undefined;
  /** Receives the facts that are asked for along with REST. */
  readonly check?: (facts: Facts) => void;
}

export const orderCheck = plainCommand("NOOP", 200, 250);

/** RFC 959 leaves open whether commands during a transfer are answered at once. */
const orderProbe: Command = {
  ...orderCheck,
  effect: (state) => state,
  readsAccountDemand: true,
  isProbe: true,
};

type SendingOptions = Pick<SessionOptions, "active" | "capabilities"> & { readonly tls: unknown };

/** Goals before the transfer of another document: EPSV can be sent together with the rest. */
export function goalsBefore(plan: DocumentPlan, options: SendingOptions): [Goal, ...Goal[]] {
  if (options.active || options.capabilities.epsv === "given up") return [goalOf(plan)];
  return [goalOf(plan), answerTo(extendedPassive)];
}

type Data = Pick<DataConnection, "ended" | "octets">;

export class BehindRetrieve {
  readonly #control: ControlConnection;
  readonly #runner: Runner;
  readonly #options: SendingOptions;
  /** Before a confirmed transfer, RETR may need an account, or a later reply be mistaken for its 226. */
  isConfirmed = false;
  isSent = false;

  constructor(control: ControlConnection, runner: Runner, options: SendingOptions) {
    this.#control = control;
    this.#runner = runner;
    this.#options = options;
  }

  start(transfer: SentCommand, data: Data, { size, next }: Retrieval): Exchange {
    data.ended.then(
      // An empty file is complete before the reply to RETR, which may be a refusal.
      () => next && data.octets > 0 && data.octets === size && this.#sendAtEnd(next),
      () => undefined, // The transfer reports the failure.
    );
    const coming = this.#mayFollow(size) ? next?.() : undefined;
    const plan = coming === "quit" ? undefined : coming;
    const isProbing = plan !== undefined && this.#options.capabilities.inOrder === undefined;
    const ahead = plan && this.isConfirmed && !isProbing ? this.#commandsFor(plan) : [];
    this.isSent = ahead.length > 0;
    const sent = this.#control.send([transfer, ...(isProbing ? [orderProbe] : ahead)]);
    const [exchange, ...others] = sent as [Exchange, ...Exchange<Command>[]];
    this.#runner.follow(others);
    if (isProbing && others[0] !== undefined) this.#watch(others[0]);
    return exchange;
  }

  #sendAtEnd(next: () => NextRequest): void {
    if (!this.#options.capabilities.pipelining || !this.#control.usable || this.isSent) return;
    const coming = next();
    if (coming === "quit") return void this.#control.sendQuit();
    if (coming === undefined || !this.isConfirmed) return;
    this.isSent = true;
    this.#runner.send(this.#commandsFor(coming));
  }

  /** False for long transfers and over TLS: servers may answer at once. */
  #mayFollow(size = Infinity): boolean {
    const { tls, capabilities } = this.#options;
    const { pipelining, inOrder = true } = capabilities;
    return pipelining && inOrder && size <= quickSize && tls === undefined;
  }

  #watch(probe: Exchange): void {
    const { capabilities } = this.#options;
    // Stays false unless NOOP is answered after the transfer: some servers drop it.
    capabilities.inOrder = false;
    probe.finalReply(true).then(
      () => (capabilities.inOrder = !probe.isEarly),
      () => undefined, // The connection was lost.
    );
  }

  #commandsFor(plan: DocumentPlan): Command[] {
    return this.#runner.foreseeNext(goalsBefore(plan, this.#options));
  }
}

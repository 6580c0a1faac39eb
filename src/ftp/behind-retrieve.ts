/** Commands sent behind RETR: NOOP, to see whether replies come in order, then the next document's. */
import type { Exchange, SentCommand } from "./control/exchange.ts";
import type { DataConnection } from "./data/data-connection.ts";
import { extendedPassive } from "./data/passive.ts";
import { answerTo, goalOf, type Goal } from "./dialogue.ts";
import type { DocumentPlan, Facts } from "./document-steps.ts";
import type { SessionParts } from "./open-session.ts";
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

/** Goals before the transfer of another document: EPSV can be sent together with the rest. */
export function goalsBefore(plan: DocumentPlan, parts: SessionParts): [Goal, ...Goal[]] {
  const { active, capabilities } = parts.options;
  if (active || capabilities.epsv === "given up" || wantsPret(parts)) return [goalOf(plan)];
  return [goalOf(plan), answerTo(extendedPassive)];
}

/** True if PRET has to come before EPSV and PASV. */
export function wantsPret({ runner }: SessionParts): boolean {
  return runner.state.features?.has("PRET") ?? false;
}

export class BehindRetrieve {
  readonly #parts: SessionParts;
  /** Before a confirmed transfer, RETR may need an account, or a later reply be mistaken for its 226. */
  isConfirmed = false;
  isSent = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  start(transfer: SentCommand, data: DataConnection, { size, next }: Retrieval): Exchange {
    data.ended.then(
      // An empty file is complete before the reply to RETR, which may be a refusal.
      () => next && data.octets > 0 && data.octets === size && this.#sendAtEnd(next),
      () => undefined, // The transfer reports the failure.
    );
    const { control, runner, options } = this.#parts;
    const coming = this.#mayFollow(size) ? next?.() : undefined;
    const plan = coming === "quit" ? undefined : coming;
    const isProbing = plan !== undefined && options.capabilities.inOrder === undefined;
    const ahead = plan && this.isConfirmed && !isProbing ? this.#commandsFor(plan) : [];
    this.isSent = ahead.length > 0;
    const sent = control.send([transfer, ...(isProbing ? [orderProbe] : ahead)]);
    const [exchange, ...others] = sent as [Exchange, ...Exchange<Command>[]];
    runner.follow(others);
    if (isProbing && others[0] !== undefined) this.#watch(others[0]);
    return exchange;
  }

  #sendAtEnd(next: () => NextRequest): void {
    const { control, runner, options } = this.#parts;
    if (!options.capabilities.pipelining || !control.usable || this.isSent) return;
    const coming = next();
    if (coming === "quit") return void control.sendQuit();
    if (coming === undefined || !this.isConfirmed) return;
    this.isSent = true;
    runner.send(this.#commandsFor(coming));
  }

  /** False for long transfers and over TLS: servers may answer at once. */
  #mayFollow(size = Infinity): boolean {
    const { tls, options } = this.#parts;
    const { pipelining, inOrder = true } = options.capabilities;
    return pipelining && inOrder && size <= quickSize && tls === undefined;
  }

  #watch(probe: Exchange): void {
    const { capabilities } = this.#parts.options;
    // Stays false unless NOOP is answered after the transfer: some servers drop it.
    capabilities.inOrder = false;
    probe.finalReply("unlimited").then(
      () => (capabilities.inOrder = !probe.isAnsweredEarly),
      () => undefined, // The connection was lost.
    );
  }

  #commandsFor(plan: DocumentPlan): Command[] {
    return this.#parts.runner.foreseeNext(goalsBefore(plan, this.#parts));
  }
}

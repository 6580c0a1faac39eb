/** Commands sent behind RETR: NOOP, to see whether replies come in order, then the next document's. */
import type { Exchange, SentCommand } from "./control/exchange.ts";
import type { DataConnection } from "./data/data-connection.ts";
import { extendedPassive } from "./data/passive.ts";
import { answerTo, goalOf, type Goal } from "./dialogue.ts";
import type { DocumentPlan, Facts } from "./document-steps.ts";
import type { SessionParts } from "./open-session.ts";
import { plainCommand, type Command } from "./state.ts";

const quickSize = 16 * 1024;

export type NextRequest = DocumentPlan | "quit" | undefined;

export interface Retrieval {
  readonly size?: number | undefined;
  /**
   * The next document, asked for with RETR, and at the end of the data unless commands were sent: "quit" if there
   * is none, undefined if it isn't known yet.
   */
  readonly next?: (() => NextRequest) | undefined;
  readonly checkFacts?: (facts: Facts) => void;
}

export const orderCheck = plainCommand("NOOP", 200, 250);

/** Shows whether a command during a transfer is answered at once: RFC 959 leaves that open. */
const orderProbe: Command = {
  ...orderCheck,
  effect: (state) => state,
  readsAccountDemand: true,
  isProbe: true,
};

export function goalsBefore(plan: DocumentPlan, parts: SessionParts): [Goal, ...Goal[]] {
  const { active, capabilities } = parts.options;
  if (active || capabilities.epsv === "given up" || wantsPret(parts)) return [goalOf(plan)];
  return [goalOf(plan), answerTo(extendedPassive)];
}

export function wantsPret({ runner }: SessionParts): boolean {
  return runner.state.features?.has("PRET") ?? false;
}

export class BehindRetrieve {
  readonly #parts: SessionParts;
  /** True after a transfer as usual; before, RETR may need an account, or a later reply be mistaken for 226. */
  isConfirmed = false;
  hasSentAhead = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  start(transfer: SentCommand, data: DataConnection, { size, next }: Retrieval): Exchange {
    if (next !== undefined) this.#awaitEnd(data, size, next);
    const { control, runner } = this.#parts;
    const coming = this.#maySendWithRetrieve(size) ? next?.() : undefined;
    const commands = this.#commandsBehind(coming);
    const isProbing = commands[0] === orderProbe;
    this.hasSentAhead = commands.length > 0 && !isProbing;
    const sent = control.send([transfer, ...commands]);
    const [exchange, ...others] = sent as [Exchange, ...Exchange<Command>[]];
    runner.follow(others);
    if (isProbing && others[0] !== undefined) this.#watch(others[0]);
    return exchange;
  }

  #awaitEnd(data: DataConnection, size: number | undefined, next: () => NextRequest): void {
    const ended = (): void => {
      // An empty file is complete before the reply to RETR, which may be a refusal.
      const isWhole = data.hasOctets && data.octets === size;
      if (isWhole) this.#sendAtEnd(next);
    };
    data.ended.then(ended, () => undefined); // The transfer reports a failure.
  }

  #sendAtEnd(next: () => NextRequest): void {
    const { control, runner, options } = this.#parts;
    if (!options.capabilities.pipelining || !control.usable || this.hasSentAhead) return;
    const coming = next();
    if (coming === "quit") return void control.sendQuit();
    if (coming === undefined || !this.isConfirmed) return;
    this.hasSentAhead = true;
    runner.send(this.#commandsFor(coming));
  }

  /**
   * True if commands may be sent with RETR: not over TLS and for files that don't fit into the server's send
   * buffer, since servers may answer at once.
   */
  #maySendWithRetrieve(size = Infinity): boolean {
    const { tls, options } = this.#parts;
    const { pipelining, inOrder = true } = options.capabilities;
    return pipelining && inOrder && size <= quickSize && tls === undefined;
  }

  #commandsBehind(coming: NextRequest): Command[] {
    if (coming === undefined || coming === "quit") return [];
    const { inOrder } = this.#parts.options.capabilities;
    if (inOrder === undefined) return [orderProbe];
    return this.isConfirmed ? this.#commandsFor(coming) : [];
  }

  #watch(probe: Exchange): void {
    const { capabilities } = this.#parts.options;
    // Stays false unless NOOP is answered after the transfer: some servers drop it.
    capabilities.inOrder = false;
    probe.finalReply("unlimited").then(
      () => {
        capabilities.inOrder = !probe.isAnsweredEarly;
      },
      () => undefined,
    );
  }

  #commandsFor(plan: DocumentPlan): Command[] {
    return this.#parts.runner.foreseeNext(goalsBefore(plan, this.#parts));
  }
}

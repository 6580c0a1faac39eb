/**
 * Saves round trips: commands for the next document are sent before the present one is complete,
 * if the server accepts pipelined commands.
 */
import type { Plan } from "../url/plan.ts";
import type { ControlConnection } from "./control/control-connection.ts";
import type { Exchange } from "./control/exchanges.ts";
import { parseReply, type Reply } from "./control/reply.ts";
import { goalOf, type Goal } from "./dialogue.ts";
import type { Runner } from "./runner.ts";
import type { SessionOptions } from "./session-options.ts";
import { question, type Arrival, type Command, type Owner } from "./state.ts";

/** A file of at most so many octets fits into the server's send buffer. */
const quickSize = 16 * 1024;

/** The next document of a session; "quit": there is none; undefined: not known. */
export type NextRequest = Plan | "quit" | undefined;

export interface TransferHints {
  /** Octets of the file; undefined: unknown. */
  readonly size: number | undefined;
  /** Called after the end of the data: whether all octets have arrived. */
  readonly isWhole: () => boolean;
  readonly following: () => NextRequest;
}

/** Tests whether the server answers in order (RFC 959 leaves it open); no transfer gets 200. */
const orderProbe: Command = {
  ...question("NOOP", parseReply("200")),
  effect: (state) => state,
  readsDemand: true,
};

const extendedPassive = question("EPSV", parseReply("229"));

export class Pipelining {
  readonly #control: ControlConnection;
  readonly #runner: Runner<Exchange>;
  readonly #options: SessionOptions;
  /** Whether commands of the next document were sent with or during the present transfer. */
  isSent = false;

  constructor(control: ControlConnection, runner: Runner<Exchange>, options: SessionOptions) {
    this.#control = control;
    this.#runner = runner;
    this.#options = options;
  }

  /** EPSV, if it can be sent together with other commands. */
  get dataGoal(): Goal | undefined {
    const { active, capabilities } = this.#options;
    return capabilities.extendedPassive && !active
      ? { kind: "answer", command: extendedPassive }
      : undefined;
  }

  /**
   * Sends a transfer's command, and the next document's in the same write if the server answers in
   * order and has `confirmed` a transfer: until then RETR may need an account.
   */
  start(line: string, hints: TransferHints | undefined, confirmed: boolean): Exchange {
    const next = hints === undefined ? undefined : this.#nextBehind(hints);
    const isProbing = next !== undefined && this.#options.capabilities.inOrder === undefined;
    this.isSent = next !== undefined && !isProbing && confirmed;
    const behind = next !== undefined && this.isSent ? this.#commandsFor(next) : [];
    const [exchange, probe] = this.#runner.startTransfer(
      { line, ownerOf: ownerFor(isProbing, this.isSent) },
      isProbing ? [orderProbe] : behind,
    );
    if (exchange === undefined) throw new Error("a transfer's command was sent");
    if (isProbing && probe !== undefined) this.#watch(probe);
    return exchange;
  }

  /** The next document, if its commands can be sent with RETR. */
  #nextBehind({ size = Infinity, following }: TransferHints): Plan | undefined {
    const { pipelining, inOrder = true } = this.#options.capabilities;
    // During longer transfers, or over TLS, servers read commands and may answer at once.
    const isQuick = size <= quickSize && this.#options.tls === undefined;
    const next = pipelining && inOrder && isQuick ? following() : undefined;
    return next === "quit" ? undefined : next;
  }

  #watch(probe: Exchange): void {
    const { capabilities } = this.#options;
    // False until the reply comes after the transfer's: some servers drop the command.
    capabilities.inOrder = false;
    probe.finalReply(0).then(
      () => (capabilities.inOrder = !probe.isEarly),
      () => undefined, // the connection was lost
    );
  }

  /** At the end of the data, sends the next commands before the transfer's final reply. */
  sendNextEarly(hints: TransferHints | undefined, confirmed: boolean): void {
    if (!this.#options.capabilities.pipelining || hints === undefined) return;
    if (!this.#control.usable) return;
    // An empty file is complete before the reply to RETR, which may be a refusal.
    if (hints.size === 0 || !hints.isWhole()) return;
    const next = hints.following();
    if (next === "quit") return this.#control.leave();
    // If a server never confirms, another reply would pass for the confirmation.
    if (next === undefined || !confirmed || this.isSent) return;
    this.isSent = true;
    this.#runner.sendEarly(this.#commandsFor(next));
  }

  /** What another document needs before its transfer. */
  goalsFor(plan: Plan): Goal[] {
    const { dataGoal } = this;
    const goal = goalOf(plan);
    return dataGoal === undefined ? [goal] : [goal, dataGoal];
  }

  /** EPSV is not pipelined with a login: some firewalls read its reply. */
  #commandsFor(plan: Plan): Command[] {
    return this.#runner.foreseeNext(this.goalsFor(plan));
  }
}

function ownerFor(isProbing: boolean, isFollowed: boolean): Command["ownerOf"] {
  if (isProbing) return ownerBeforeProbe;
  return isFollowed ? ownerBeforeOthers : undefined;
}

/** Servers that accept only ABOR during a transfer reply 500 or 502 to NOOP. */
function ownerBeforeProbe({ code }: Reply, arrival: Arrival): Owner {
  // This is the reply to NOOP: the one before was the transfer's.
  if (arrival.isOvertaken) return code === 200 ? "swap" : "this";
  const isUnknown = arrival.hasBegun && (code === 500 || code === 502);
  return arrival.hasOthers && (code === 200 || isUnknown) ? "next" : "this";
}

/** Codes that CWD, TYPE, SIZE, MDTM and EPSV can get, and a transfer that has begun cannot. */
function ownerBeforeOthers({ code }: Reply, { hasBegun, hasOthers }: Arrival): Owner {
  const isOfAnother =
    [200, 213, 229].includes(code) || (hasBegun && [500, 502, 504, 550].includes(code));
  return hasOthers && isOfAnother ? "unknown" : "this";
}

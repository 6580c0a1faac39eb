/**
 * What is sent for the next document before the present one is over, where the server takes
 * commands that travel together. It saves round trips.
 */
import type { Plan } from "../url/plan.ts";
import type { ControlConnection } from "./control/control-connection.ts";
import type { Exchange } from "./control/exchanges.ts";
import { parseReply, type Reply } from "./control/reply.ts";
import { goalOf, type Goal } from "./dialogue.ts";
import type { Runner } from "./runner.ts";
import type { SessionOptions } from "./session-options.ts";
import { question, type Arrival, type Command, type Owner } from "./state.ts";

/** A file of so many octets goes out in one go: it fits into what the system keeps of a connection. */
const quickSize = 16 * 1024;

/** What a session will be asked for next: "quit" is nothing any more, undefined what nobody knows. */
export type NextRequest = Plan | "quit" | undefined;

/** What is known of a file that is retrieved, and of what follows it. */
export interface TransferHints {
  /** Octets of the whole file; undefined is unknown. */
  readonly size: number | undefined;
  /** Asked when the data has ended: whether all octets of the file are here. */
  readonly isWhole: () => boolean;
  readonly following: () => NextRequest;
}

/**
 * What is sent behind a transfer's command to find out whether the server answers in order. RFC 959
 * leaves that open; no answer to it can be taken for the transfer's.
 */
const orderProbe: Command = {
  ...question("NOOP", parseReply("200")),
  effect: (state) => state,
  readsDemand: true,
};

const extendedPassive = question("EPSV", parseReply("229"));

export class Pipelining {
  readonly #control: Pick<ControlConnection, "leave">;
  readonly #runner: Runner<Exchange>;
  readonly #options: Pick<SessionOptions, "active" | "capabilities" | "tls">;
  #isSent = false;

  constructor(
    control: Pick<ControlConnection, "leave">,
    runner: Runner<Exchange>,
    options: Pick<SessionOptions, "active" | "capabilities" | "tls">,
  ) {
    this.#control = control;
    this.#runner = runner;
    this.#options = options;
  }

  /** Whether what the next document needs was sent with the present transfer, or during it. */
  get isSent(): boolean {
    return this.#isSent;
  }

  /** How a data connection is asked for, where it can be together with something else. */
  get dataGoal(): Goal | undefined {
    const { active, capabilities } = this.#options;
    return capabilities.extendedPassive && !active
      ? { kind: "answer", command: extendedPassive }
      : undefined;
  }

  /**
   * Sends a transfer's command, and what follows in the same write, where the server takes that in
   * order; not before it has `confirmed` a transfer here, which shows that it wants no account.
   */
  start(line: string, hints: TransferHints | undefined, confirmed: boolean): Exchange {
    const next = hints === undefined ? undefined : this.#nextBehind(hints);
    const isProbing = next !== undefined && this.#options.capabilities.inOrder === undefined;
    this.#isSent = next !== undefined && !isProbing && confirmed;
    const behind = next !== undefined && this.#isSent ? this.#commandsFor(next) : [];
    const [exchange, probe] = this.#runner.startTransfer(
      { ...question(line, parseReply("226")), ownerOf: ownerFor(isProbing, this.#isSent) },
      isProbing ? [orderProbe] : behind,
    );
    if (exchange === undefined) throw new Error("a transfer's command was sent");
    if (isProbing && probe !== undefined) this.#watch(probe);
    return exchange;
  }

  /** The document that RETR may be followed by at once. */
  #nextBehind({ size = Infinity, following }: TransferHints): Plan | undefined {
    const { pipelining, inOrder = true } = this.#options.capabilities;
    // A server with more to send, or one over TLS, looks up from it, and may answer at once.
    const isQuick = size <= quickSize && this.#options.tls === undefined;
    const next = pipelining && inOrder && isQuick ? following() : undefined;
    return next === "quit" ? undefined : next;
  }

  #watch(probe: Exchange): void {
    const { capabilities } = this.#options;
    // Until the answer comes after the transfer: there are servers that drop it.
    capabilities.inOrder = false;
    probe.finalReply(0).then(
      () => (capabilities.inOrder = !probe.isEarly),
      () => undefined, // the connection was lost
    );
  }

  /**
   * All data is here, and the server's word for it still to come: what follows needn't wait for
   * that. `confirmed` tells whether the server has ever confirmed a transfer.
   */
  sendNextEarly(hints: TransferHints | undefined, confirmed: boolean): void {
    if (!this.#options.capabilities.pipelining || hints === undefined) return;
    // An empty file is whole before RETR is answered, which may be refused, or want an account.
    if (hints.size === 0 || !hints.isWhole()) return;
    const next = hints.following();
    if (next === "quit") return this.#control.leave();
    // Of a server that never confirms a transfer another reply would be taken for that.
    if (next === undefined || !confirmed || this.#isSent) return;
    this.#isSent = true;
    this.#runner.sendEarly(this.#commandsFor(next));
  }

  /** Beside a login EPSV goes by itself, for firewalls that read its reply; here the way is known. */
  #commandsFor(plan: Plan): Command[] {
    const { dataGoal } = this;
    const goal = goalOf(plan);
    return this.#runner.foreseeNext(dataGoal === undefined ? [goal] : [goal, dataGoal]);
  }
}

function ownerFor(isProbing: boolean, isFollowed: boolean): Command["ownerOf"] {
  if (isProbing) return ownerBeforeProbe;
  return isFollowed ? ownerBeforeOthers : undefined;
}

/** A server that reads during a transfer, but for ABOR only, calls NOOP unknown. */
function ownerBeforeProbe({ code }: Reply, arrival: Arrival): Owner {
  // NOOP's answer at last: what came before was the transfer's.
  if (arrival.isOvertaken) return code === 200 ? "swap" : "this";
  const isUnknown = arrival.hasBegun && (code === 500 || code === 502);
  return arrival.hasOthers && (code === 200 || isUnknown) ? "next" : "this";
}

/** What CWD, TYPE, SIZE, MDTM and EPSV are answered by, and a transfer that has begun is not. */
function ownerBeforeOthers({ code }: Reply, { hasBegun, hasOthers }: Arrival): Owner {
  const isOfAnother =
    [200, 213, 229].includes(code) || (hasBegun && [500, 502, 504, 550].includes(code));
  return hasOthers && isOfAnother ? "unknown" : "this";
}

/**
 * What is sent for the next document before the present one is over, where the server takes
 * commands that travel together. It saves round trips.
 */
import type { Plan } from "../url/plan.ts";
import { goalOf, type Goal } from "./dialogue.ts";
import type { Runner } from "./runner.ts";
import { question, type Command } from "./state.ts";
import type { ControlConnection } from "./control/control-connection.ts";
import { parseReply } from "./control/reply.ts";
import type { SessionOptions } from "./session-options.ts";

/** A file of so many octets goes out in one go: it fits into what the system keeps of a connection. */
const quickSize = 16 * 1024;

/** What a session will be asked for next: "quit" is nothing any more, undefined what nobody knows. */
export type Following = Plan | "quit" | undefined;

/** What is known of a file that is retrieved, and of what follows it. */
export interface Outlook {
  /** Octets of the whole file; undefined is unknown. */
  readonly size: number | undefined;
  /** Asked when the data has ended: whether all octets of the file are here. */
  readonly isWhole: () => boolean;
  readonly following: () => Following;
}

type PipeliningOptions = Pick<SessionOptions, "active" | "capabilities" | "tls">;

/**
 * What is sent behind a transfer's command to find out whether the server answers in order. RFC 959
 * leaves that open; no answer to it can be taken for the transfer's.
 */
export const orderProbe: Command = {
  ...question("NOOP", parseReply("200")),
  effect: (state) => state,
  readsDemand: true,
};

export const extendedPassive = question("EPSV", parseReply("229"));

export class Pipelining {
  readonly #control: Pick<ControlConnection, "leave">;
  readonly #runner: Pick<Runner, "foreseeNext" | "sendEarly">;
  readonly #options: PipeliningOptions;
  #isSent = false;

  constructor(
    control: Pick<ControlConnection, "leave">,
    runner: Pick<Runner, "foreseeNext" | "sendEarly">,
    options: PipeliningOptions,
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
   * What travels with RETR: what follows, where the server takes it in order; not before it has
   * `confirmed` a transfer here: RETR may want an account, and then it is said again alone.
   */
  behind(outlook: Outlook, confirmed: boolean): readonly Command[] {
    this.#isSent = false;
    const { pipelining, inOrder = true } = this.#options.capabilities;
    // A server with more to send, or one over TLS, looks up from it, and may answer at once.
    const isQuick = (outlook.size ?? Infinity) <= quickSize && this.#options.tls === undefined;
    const next = pipelining && inOrder && isQuick ? outlook.following() : undefined;
    if (next === undefined || next === "quit") return [];
    if (this.#options.capabilities.inOrder === undefined) return [orderProbe];
    if (!confirmed) return [];
    this.#isSent = true;
    return this.#commandsFor(next);
  }

  /**
   * All data is here, and the server's word for it still to come: what follows needn't wait for
   * that. `confirmed` tells whether the server has ever confirmed a transfer.
   */
  arrived(outlook: Outlook, confirmed: boolean): void {
    // An empty file is whole before RETR is answered, which may be refused, or want an account.
    const isEvident = outlook.size !== 0 && outlook.isWhole();
    if (!this.#options.capabilities.pipelining || !isEvident) return;
    const next = outlook.following();
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

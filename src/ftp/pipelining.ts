/**
 * Pipelining: what is sent before anybody asks for it, where the server lets commands travel
 * together. It saves round trips, and a session that asks for the same finds it sent already.
 */
import type { Plan } from "../url/plan.ts";
import type { ControlConnection } from "./control/control-connection.ts";
import { question } from "./control/order.ts";
import { loginCommands, type Introduction } from "./login.ts";
import type { SessionOptions } from "./session-options.ts";
import type { WorkingDirectory } from "./working-directory.ts";

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

export class Pipelining {
  readonly #control: ControlConnection;
  readonly #options: PipeliningOptions;
  readonly #commandsFor: (plan: Plan) => string[];

  /** `commandsFor` tells what a document needs, from where the session is then. */
  constructor(
    control: ControlConnection,
    options: PipeliningOptions,
    commandsFor: (plan: Plan) => string[],
  ) {
    this.#control = control;
    this.#options = options;
    this.#commandsFor = commandsFor;
  }

  /** What the login will need, and the first document, where that is known. */
  logIn(introduction: Introduction, plan: Plan | undefined): void {
    if (!this.#options.capabilities.pipelining) return;
    const document = plan === undefined ? [] : this.#commandsFor(plan);
    this.#control.ahead.send(loginCommands(introduction, document));
  }

  /** What the next document will need. What `arrived` or `behind` has sent for it isn't sent again. */
  async prepare(plan: Plan | undefined): Promise<void> {
    const commands = plan === undefined ? [] : this.#documentAndData(plan);
    if (commands.length > 0 && this.#control.ahead.consistsOf(commands)) return;
    // What was sent for another document, which was skipped or is fetched elsewhere, would be
    // taken for this one's.
    await this.#control.ahead.abandon();
    if (this.#options.capabilities.pipelining) this.#control.ahead.send(commands);
  }

  /** Sends commands in one write that the session is about to ask for one by one. */
  together(lines: readonly string[]): void {
    if (this.#options.capabilities.pipelining) this.#control.ahead.send(lines);
  }

  /**
   * What travels with RETR: what follows, where the server takes it in order; not before it has
   * `confirmed` a transfer here: RETR may want an account, and then it is said again alone.
   */
  behind(outlook: Outlook, confirmed: boolean): readonly string[] {
    const { pipelining, inOrder = true } = this.#options.capabilities;
    // A server with more to send, or one over TLS, looks up from it, and may answer at once.
    const isQuick = (outlook.size ?? Infinity) <= quickSize && this.#options.tls === undefined;
    const next = pipelining && inOrder && isQuick ? outlook.following() : undefined;
    if (next === undefined || next === "quit") return [];
    if (this.#options.capabilities.inOrder === undefined) return question;
    return confirmed ? this.#documentAndData(next) : [];
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
    if (next === undefined || !confirmed || !this.#control.ahead.consistsOf([])) return;
    this.#control.ahead.send(this.#documentAndData(next));
  }

  /** Beside a login EPSV goes by itself, for firewalls that read its reply; here the way is known. */
  #documentAndData(plan: Plan): string[] {
    const { active, capabilities } = this.#options;
    const open = capabilities.extendedPassive && !active ? ["EPSV"] : [];
    return [...this.#commandsFor(plan), ...open];
  }
}

/** What a document needs before its data connection, with this type in force, when all goes well. */
export function documentCommands(
  { cwds, name, action, type }: Plan,
  directory: WorkingDirectory,
  inForce: string | undefined,
): string[] {
  const isListed = action === "list";
  const enter = directory.commandsTo(isListed && name !== "" ? [...cwds, name] : cwds);
  const missing = typeToSet(type, inForce);
  const setType = missing === undefined ? [] : [`TYPE ${missing}`];
  return [...enter, ...setType, ...(isListed ? [] : factsCommands(name, type === "I"))];
}

/** What asks for size and time. In any type but image SIZE would count octets that are not the ones on their way. */
export function factsCommands(name: string, isImage: boolean): string[] {
  return isImage ? [`SIZE ${name}`, `MDTM ${name}`] : [`MDTM ${name}`];
}

/** Undefined where the type in force will do; a listing can be had in the one that a login begins with. */
export function typeToSet(
  wanted: string | undefined,
  inForce: string | undefined,
): string | undefined {
  const needed = wanted ?? "A";
  return needed === (wanted === undefined ? (inForce ?? "A") : inForce) ? undefined : needed;
}

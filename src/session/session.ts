/**
 * A session: one logged-in control connection and what is known of its state. It carries
 * out the steps of a plan; what to do with the data is the caller's.
 */
import type { Plan } from "../url/plan.ts";
import { openSocket, type Address } from "./connect.ts";
import { Commands } from "./commands.ts";
import { ControlConnection } from "./control-connection.ts";
import type { Credentials } from "./credentials.ts";
import type { Sink } from "./data-connection.ts";
import type { Completion } from "./data-transfer.ts";
import { introduce, loginCommands, readGreeting } from "./login.ts";
import { question } from "./order.ts";
import {
  isCompletion,
  parse213Size,
  parse213Time,
  quoteReply,
  ReplyError,
  type Reply,
} from "./reply.ts";
import { startTls } from "./secure-control.ts";
import type { SessionOptions } from "./session-options.ts";
import { TlsLayer } from "./tls.ts";
import { Transfers } from "./transfers.ts";
import { WorkingDirectory } from "./working-directory.ts";

/** What the server says of a file; undefined is unknown. */
export interface FileFacts {
  readonly size: number | undefined;
  readonly modified: Date | undefined;
}

/** A file of so many octets goes out in one go: it fits into what the system keeps of a connection. */
const quickSize = 16 * 1024;

export class Session {
  readonly #control: ControlConnection;
  readonly #credentials: Credentials;
  readonly #options: SessionOptions;
  #directory: WorkingDirectory;
  readonly #tls: TlsLayer | undefined;
  readonly #commands: Commands;
  readonly #transfers: Transfers;
  readonly #unsubscribe: () => void;
  /**
   * Called when all octets of a file are here and the server's word for it is still to come:
   * `prepareEarly` and `leave` may be called then, and save the wait.
   */
  onArrival: () => void = () => {};
  /** What will be asked for next, as far as anybody knows. */
  following: () => Plan | undefined = () => undefined;
  #features: ReadonlyMap<string, string> = new Map();
  /** The representation type in force; undefined until one was set: ASCII, if the server keeps to RFC 959 §5.1. */
  #type: string | undefined;

  private constructor(
    control: ControlConnection,
    tls: TlsLayer | undefined,
    credentials: Credentials,
    options: SessionOptions,
  ) {
    this.#control = control;
    this.#tls = tls;
    this.#credentials = credentials;
    this.#options = options;
    this.#commands = new Commands(control, credentials);
    this.#transfers = new Transfers(control, this.#commands, { ...options, tls });
    this.#directory = this.#newDirectory();
    control.ahead.onAbandoned = (command, reply) => this.#notice(command, reply);
    const interrupt = (): void => {
      control.interrupt(options.signal.reason as Error);
      this.#transfers.interrupt(options.signal.reason as Error);
    };
    options.signal.addEventListener("abort", interrupt);
    this.#unsubscribe = () => options.signal.removeEventListener("abort", interrupt);
  }

  /**
   * Connects and logs in. Where commands may travel together and no password has to be asked
   * for, those that `plan` will need follow in the login's write.
   * @throws FtpullError of every kind but "file" and "integrity"; Interrupted
   */
  static async open(
    address: Address,
    credentials: Credentials,
    options: SessionOptions,
    plan?: Plan,
  ): Promise<Session> {
    const { timeoutMs, signal, tls: tlsOptions } = options;
    const tls = tlsOptions && new TlsLayer(address.host, tlsOptions);
    const clear = await openSocket(address, options);
    const socket = tlsOptions?.implicit ? await tls?.secure(clear, timeoutMs, signal) : clear;
    const control = new ControlConnection(socket ?? clear, options.observer, timeoutMs);
    const session = new Session(control, tls, credentials, options);
    try {
      await session.#begin(options.sendHost ? address.host : undefined, plan);
      return session;
    } catch (error) {
      await session.quit();
      throw error;
    }
  }

  /** Whether another document can be asked for here. */
  get usable(): boolean {
    return this.#transfers.settled && this.#control.usable;
  }

  /** Whether the working directory of `plan` can be reached from the present one. */
  reaches(plan: Plan): boolean {
    return this.#directory.reaches(plan.cwds);
  }

  /** Whether names are UTF-8 on this server (RFC 2640). */
  get isUtf8(): boolean {
    return this.#features.has("UTF8");
  }

  /** The representation type that was set last. */
  get type(): string | undefined {
    return this.#type;
  }

  /** Whether listings can be had in RFC 3659's form. */
  get hasMlsd(): boolean {
    return this.#features.has("MLST") || this.#features.has("MLSD");
  }

  /**
   * Sends what `plan` will need in one write, where the server lets commands travel together.
   * What `prepareEarly` has sent for it isn't sent again.
   */
  async prepare(plan: Plan): Promise<void> {
    const commands = this.#followingCommands(plan);
    if (!this.#options.habits.pipelining || this.#control.ahead.consistsOf(commands)) return;
    // What the document before didn't need, since it was skipped, would be taken for this one's.
    await this.#control.ahead.abandon();
    this.#control.ahead.send(commands);
  }

  /** Does so before the last transfer's reply is here, as far as that is safe. */
  prepareEarly(plan: Plan): void {
    // Of a server that never confirms a transfer another reply would be taken for that.
    if (!this.#options.habits.pipelining || !this.#transfers.confirmed) return;
    if (this.#control.ahead.consistsOf([])) this.#control.ahead.send(this.#followingCommands(plan));
  }

  /** What travels with the command for a file of `size` octets: what follows, where the server takes it in order. */
  #behind(size: number | undefined): readonly string[] {
    const { pipelining, inOrder = true } = this.#options.habits;
    // A server with more to send, or one over TLS, looks up from it, and may answer at once.
    const isQuick = size !== undefined && size <= quickSize && this.#tls === undefined;
    const next = pipelining && inOrder && isQuick ? this.following() : undefined;
    if (next === undefined) return [];
    return this.#options.habits.inOrder ? this.#followingCommands(next) : question;
  }

  /** Beside a login EPSV goes by itself, for firewalls that read its reply; here the way is known. */
  #followingCommands(plan: Plan): string[] {
    const { active, habits } = this.#options;
    const open = habits.extendedPassive && !active ? ["EPSV"] : [];
    return [...this.#commandsFor(plan), ...open];
  }

  /** Says goodbye before the last transfer's reply is here, where commands may travel together. */
  leave(): void {
    if (this.#options.habits.pipelining) this.#control.leave();
  }

  /** Goes where the cwds lead from the login directory. @throws ReplyError */
  async enter(cwds: readonly string[]): Promise<void> {
    try {
      await this.#directory.enter(cwds);
    } catch (error) {
      // CWDs that were sent behind the refused one may have gone through.
      if (error instanceof ReplyError) await this.#control.ahead.abandon();
      throw error;
    }
  }

  /** Goes back to the login directory; false when the server gives no way back. */
  returnToLogin(): Promise<boolean> {
    return this.#directory.returnToLogin();
  }

  /**
   * Sets the representation type, undefined being that of a listing; a refusal is a warning,
   * and the transfer goes on (P3).
   */
  async setType(wanted: string | undefined): Promise<void> {
    const type = this.#typeToSet(wanted);
    if (type === undefined) return;
    const reply = await this.#commands.request(`TYPE ${type}`);
    if (isCompletion(reply)) this.#type = type;
    else this.#options.observer.warning(`TYPE ${type} was refused: ${quoteReply(reply)}`);
  }

  /** Size and modification time of the file `name` in the working directory (RFC 3659 §3, §4). */
  async factsOf(name: string): Promise<FileFacts> {
    // In any type but image SIZE would count octets that are not the ones on their way.
    const size = this.#type === "I" ? await this.#commands.request(`SIZE ${name}`) : undefined;
    const modified = await this.#commands.request(`MDTM ${name}`);
    return { size: size && parse213Size(size), modified: parse213Time(modified) };
  }

  /**
   * Retrieves the file `name` from `offset` on, to its end or until the sink throws Enough.
   * `size` is the whole file's, where it is known; `isWhole` is asked when the data has ended.
   * @throws RestartRefused when it can only begin at 0; ReplyError "refused" with the server's
   *   reply; FtpullError "network"; what the sink threw
   */
  retrieve(
    name: string,
    offset: number,
    sink: Sink,
    size?: number,
    isWhole = () => false,
  ): Promise<Completion> {
    const onEnd = (): void => {
      if (isWhole()) this.onArrival();
    };
    return this.#transfers.retrieve(name, offset, sink, onEnd, () => this.#behind(size));
  }

  /** Runs a command that lists the working directory, or what its argument names, into `sink`. */
  list(command: string, sink: Sink): Promise<Completion> {
    return this.#transfers.list(command, sink);
  }

  /**
   * Logs in anew on the same connection by REIN, back in the login directory (C 2.7); false when
   * refused, and over TLS, which REIN would end (RFC 4217 §11).
   */
  async reinitialize(): Promise<boolean> {
    if (!this.usable || this.#tls !== undefined) return false;
    if (!isCompletion(await this.#control.request("REIN"))) return false;
    this.#directory = this.#newDirectory();
    this.#type = undefined;
    const introduction = { host: undefined, credentials: this.#credentials, secured: false };
    this.#features = await introduce(this.#control, introduction);
    return true;
  }

  /** Ends politely; never throws and takes a second at most (S12). */
  async quit(): Promise<void> {
    this.#unsubscribe();
    if (this.#control.brokeAhead) this.#options.habits.pipelining = false;
    await this.#control.quit();
  }

  async #begin(host: string | undefined, plan: Plan | undefined): Promise<void> {
    const { habits, tls, signal } = this.#options;
    const secured = this.#tls !== undefined;
    const introduction = { host, credentials: this.#credentials, secured };
    await readGreeting(this.#control);
    if (this.#tls && !tls?.implicit) await startTls(this.#control, this.#tls, signal);
    if (habits.pipelining) {
      const document = plan === undefined ? [] : this.#commandsFor(plan);
      this.#control.ahead.send(loginCommands(introduction, document));
    }
    this.#features = await introduce(this.#control, introduction);
  }

  #newDirectory(): WorkingDirectory {
    return new WorkingDirectory((line) => this.#commands.request(line));
  }

  #commandsFor({ cwds, name, action, type }: Plan): string[] {
    const enter = this.#directory.commandsTo(
      action === "list" && name !== "" ? [...cwds, name] : cwds,
    );
    const missing = this.#typeToSet(type);
    const setType = missing === undefined ? [] : [`TYPE ${missing}`];
    if (action === "list") return [...enter, ...setType];
    const size = type === "I" ? [`SIZE ${name}`] : [];
    return [...enter, ...setType, ...size, `MDTM ${name}`];
  }

  /** Undefined where the type in force will do; a listing can be had in the one that a login begins with. */
  #typeToSet(wanted: string | undefined): string | undefined {
    const needed = wanted ?? "A";
    const inForce = wanted === undefined ? (this.#type ?? "A") : this.#type;
    return needed === inForce ? undefined : needed;
  }

  /** A command that took effect though nobody asked for it any more leaves its traces. */
  #notice(command: string, reply: Reply): void {
    if (!isCompletion(reply)) return;
    if (command.startsWith("CWD ")) this.#directory.forget();
    if (command.startsWith("TYPE ")) this.#type = command.slice("TYPE ".length);
  }
}

/**
 * A session: one logged-in control connection and what is known of its state. It carries
 * out the steps of a plan; what to do with the data is the caller's.
 */
import { Interrupted } from "../errors.ts";
import { openSocket, type Address } from "../net/connect.ts";
import { TlsLayer } from "../net/tls.ts";
import type { Plan } from "../url/plan.ts";
import { Commands } from "./commands.ts";
import { ControlConnection } from "./control/control-connection.ts";
import { question } from "./control/order.ts";
import {
  isCompletion,
  parse213Size,
  parse213Time,
  quoteReply,
  ReplyError,
  type Reply,
} from "./control/reply.ts";
import { startTls } from "./control/secure-control.ts";
import type { Credentials } from "./credentials.ts";
import type { Sink } from "./data/data-connection.ts";
import type { Completion } from "./data/transfer.ts";
import { Transfers } from "./data/transfers.ts";
import { introduce, readGreeting } from "./login.ts";
import { documentCommands, factsCommands, Pipelining, typeToSet } from "./pipelining.ts";
import type { Outlook } from "./pipelining.ts";
import type { SessionOptions } from "./session-options.ts";
import { WorkingDirectory } from "./working-directory.ts";

/** What the server says of a file; undefined is unknown. */
export interface FileFacts {
  readonly size: number | undefined;
  readonly modified: Date | undefined;
}

/** The hint where a server sends no octets as they are. */
const asText = 'a text may be had in ASCII: end the URL in ";type=a"';

export class Session {
  readonly #control: ControlConnection;
  readonly #credentials: Credentials;
  readonly #options: SessionOptions;
  #directory: WorkingDirectory;
  readonly #tls: TlsLayer | undefined;
  readonly #commands: Commands;
  readonly #pipelining: Pipelining;
  readonly #transfers: Transfers;
  readonly #unsubscribe: () => void;
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
    this.#pipelining = new Pipelining(control, options, (plan) =>
      documentCommands(plan, this.#directory, this.#type),
    );
    this.#transfers = new Transfers(control, this.#commands, this.#pipelining, { ...options, tls });
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
   * Gets ready for another document: back at the login, where the working directory of `plan`
   * can't be reached otherwise, and with what it will need sent in one write, where the server
   * lets commands travel together. False when no document can be had here any more.
   */
  async prepare(plan: Plan | undefined): Promise<boolean> {
    const reached = plan === undefined || this.reaches(plan) || (await this.#reinitialize());
    if (!reached || !this.usable) return false;
    try {
      await this.#pipelining.prepare(plan);
      return this.usable;
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      return false; // what was sent behind the last document is its affair, not the next one's
    }
  }

  /** Waits for what was sent for the next document: this one needs something else first. */
  abandonAhead(): Promise<void> {
    return this.#control.ahead.abandon();
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
   * Sets the representation type, undefined being that of a listing. Where a text is wanted, a
   * refusal is a warning, and the transfer goes on (P3).
   * @throws ReplyError where octets are wanted as they are: ASCII, as long as it is in force,
   *   would change them
   */
  async setType(wanted: string | undefined): Promise<void> {
    const type = typeToSet(wanted, this.#type);
    if (type === undefined) return;
    const reply = await this.#commands.request(`TYPE ${type}`);
    if (isCompletion(reply)) this.#type = type;
    else if (/^[IL]/.test(type)) throw new ReplyError(`cannot set TYPE ${type}`, reply, asText);
    else this.#options.observer.warning(`TYPE ${type} was refused: ${quoteReply(reply)}`);
  }

  /** Size and modification time of the file `name` in the working directory (RFC 3659 §3, §4), in one write with what is `behind`. */
  async factsOf(name: string, behind?: readonly string[]): Promise<FileFacts> {
    const isImage = this.#type === "I";
    if (behind) this.#pipelining.together([...factsCommands(name, isImage), ...behind]);
    const size = isImage ? await this.#commands.request(`SIZE ${name}`) : undefined;
    const modified = await this.#commands.request(`MDTM ${name}`);
    return { size: size && parse213Size(size), modified: parse213Time(modified) };
  }

  /**
   * Retrieves the file `name` from `offset` on, to its end or until the sink throws Enough. With an
   * `outlook` what follows may be sent early; with `check` the facts are asked for again, together with REST.
   * @throws RestartRefused when it can only begin at 0; ReplyError "refused" with the server's
   *   reply; FtpullError "network"; what the sink or `check` threw
   */
  retrieve(
    name: string,
    offset: number,
    sink: Sink,
    { outlook, check }: { outlook?: Outlook | undefined; check?: (facts: FileFacts) => void },
  ): Promise<Completion> {
    const ask = async (restart: string): Promise<void> =>
      check?.(await this.factsOf(name, [restart]));
    return this.#transfers.retrieve(name, offset, sink, ask, outlook);
  }

  /** Runs a command that lists the working directory, or what its argument names, into `sink`. */
  list(command: string, sink: Sink): Promise<Completion> {
    return this.#transfers.list(command, sink);
  }

  /** Ends politely; never throws and takes a second at most (S12). */
  async quit(): Promise<void> {
    this.#unsubscribe();
    if (this.#control.brokeAhead) this.#options.capabilities.pipelining = false;
    await this.#control.quit();
  }

  async #begin(host: string | undefined, plan: Plan | undefined): Promise<void> {
    const { tls, signal } = this.#options;
    const secured = this.#tls !== undefined;
    const introduction = { host, credentials: this.#credentials, secured };
    await readGreeting(this.#control);
    if (this.#tls && !tls?.implicit) await startTls(this.#control, this.#tls, signal);
    this.#pipelining.logIn(introduction, plan);
    this.#features = await introduce(this.#control, introduction);
  }

  /**
   * Logs in anew on the same connection by REIN, back in the login directory (C 2.7); false when
   * refused, and over TLS, which REIN would end (RFC 4217 §11).
   */
  async #reinitialize(): Promise<boolean> {
    if (!this.usable || this.#tls !== undefined) return false;
    if (!isCompletion(await this.#control.request("REIN"))) return false;
    this.#directory = this.#newDirectory();
    this.#type = undefined;
    const introduction = { host: undefined, credentials: this.#credentials, secured: false };
    this.#features = await introduce(this.#control, introduction);
    return true;
  }

  #newDirectory(): WorkingDirectory {
    return new WorkingDirectory((line) => this.#commands.request(line));
  }

  /** A command that took effect though nobody asked for it any more leaves its traces. */
  #notice(command: string, reply: Reply): void {
    if (question.includes(command)) this.#options.capabilities.inOrder = true;
    if (!isCompletion(reply)) return;
    if (command.startsWith("CWD ")) this.#directory.forget();
    if (command.startsWith("TYPE ")) this.#type = command.slice("TYPE ".length);
  }
}

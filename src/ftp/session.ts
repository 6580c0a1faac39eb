/** A session: a control connection that is logged in. Locates documents and transfers their data. */
import type { Sink } from "../net/rate-limit.ts";
import type { Plan } from "../url/plan.ts";
import { goalsBefore, orderCheck, type Retrieval } from "./behind-retrieve.ts";
import { Misplaced } from "./control/exchange.ts";
import { isCompletion, parse257, quoteReply, type Reply } from "./control/reply.ts";
import type { Credentials } from "./credentials.ts";
import { type Completion, UntrustedTransfer } from "./data/transfer.ts";
import { Transfers } from "./data/transfers.ts";
import { answerTo, goalOf, login, type Goal } from "./dialogue.ts";
import {
  type DocumentPlan,
  isListedByName,
  locatedFile,
  typeWarning,
  type Facts,
  type LocatedFile,
} from "./document-steps.ts";
import { isOtherHost } from "./host-steps.ts";
import { nextToDirectory, reaches, workingDirectory } from "./path-steps.ts";
import type { Runner } from "./runner.ts";
import { beginLogin, loginAgain, openParts, type SessionParts } from "./open-session.ts";
import type { ServerCapabilities, SessionOptions } from "./session-options.ts";
import type { Command, State } from "./state.ts";
import { openControl } from "./tunnel.ts";

export class Session {
  readonly #parts: SessionParts;
  readonly #runner: Runner;
  readonly #transfers: Transfers;
  readonly capabilities: ServerCapabilities;
  #isReused = false;
  readonly #interrupt: () => void;

  private constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#runner = parts.runner;
    this.#transfers = new Transfers(parts);
    this.capabilities = parts.options.capabilities;
    const { control, options } = parts;
    this.#interrupt = () => {
      const reason = options.signal.reason as Error;
      control.interrupt(reason);
      this.#transfers.interrupt(reason);
    };
    options.signal.addEventListener("abort", this.#interrupt);
  }

  /** Connects and logs in, with `plan`'s commands if the password is known. @throws FtpullError; Interrupted */
  static async open(
    credentials: Credentials,
    options: SessionOptions,
    plan?: Plan,
  ): Promise<Session> {
    const { capabilities } = options;
    const connection = await openControl(options);
    const { remoteAddress = "" } = connection;
    let session: Session | undefined;
    try {
      const parts = await openParts(connection, credentials, options);
      session = new Session(parts);
      await beginLogin(parts, plan);
      return session;
    } catch (error) {
      const { failedAddresses = [] } = capabilities;
      const others = failedAddresses.filter((address) => address !== remoteAddress);
      capabilities.failedAddresses = [...others, remoteAddress];
      await session?.quit();
      throw error;
    }
  }

  get usable(): boolean {
    const { control, options } = this.#parts;
    const isOpen = !options.signal.aborted && control.usable;
    return isOpen && this.#transfers.isSettled && !isOtherHost(this.state, this.capabilities);
  }

  reaches(plan: Plan): boolean {
    return reaches(this.state, plan.cwds);
  }

  get state(): State {
    return this.#runner.state;
  }

  get features(): ReadonlyMap<string, string> {
    return this.state.features ?? new Map<string, string>();
  }

  /** Prepares for another document, by REIN if CWD can't reach it; false if that can't be done. */
  async prepare(plan: Plan | undefined): Promise<boolean> {
    this.#isReused = true;
    this.#runner.beginDocument();
    try {
      await this.#runner.settle();
      if (!this.usable) return false;
      const isReached = plan === undefined || this.reaches(plan);
      if (isReached) return true;
      return (await loginAgain(this.#parts, plan)) && this.usable;
    } catch {
      return false; // A new session may let the document in, or says why not.
    }
  }

  /** Enters the directory of `cwds`, from the login directory on. @throws ReplyError, NoWayBack */
  enter(cwds: readonly string[]): Promise<void> {
    return this.#runner.reach((state) => nextToDirectory(state, cwds));
  }

  async enterByName(cwds: readonly string[]): Promise<string | undefined> {
    return parse257(await this.ask(workingDirectory, (state) => nextToDirectory(state, cwds)));
  }

  async locate(plan: DocumentPlan): Promise<LocatedFile> {
    await this.#reachDocument(plan);
    return locatedFile(this.state, plan);
  }

  /**
   * Locates files in turn; pipelined, in one write with the way to `coming`. A reply too many would
   * shift the answers: none counts before the reply to NOOP has shown their order. @throws as
   * `enter` does
   */
  async *locateAll(plans: readonly DocumentPlan[], coming?: Plan): AsyncGenerator<LocatedFile> {
    const comingGoals = coming === undefined ? [] : goalsBefore(coming, this.#parts);
    const goals = [...plans.map(goalOf), answerTo(orderCheck), ...comingGoals];
    const isPipelined = this.capabilities.pipelining;
    const unconfirmed: LocatedFile[] = [];
    for (const [index, plan] of plans.entries()) {
      await this.#runner.reach(goalOf(plan), ...goals.slice(index + 1));
      const located = locatedFile(this.state, plan);
      if (isPipelined) unconfirmed.push(located);
      else yield located;
    }
    if (unconfirmed.length > 0) await this.#checkOrder(comingGoals);
    yield* unconfirmed;
  }

  /** Prepares a listing: resolves with "" in the directory, or with its name if CWD was refused. */
  async locateListing(plan: Plan): Promise<string> {
    await this.#reachDocument(plan);
    return isListedByName(this.state, plan) ? plan.name : "";
  }

  askFacts(name: string): Promise<Facts> {
    return this.#runner.askFacts(name);
  }

  async ask(command: Command, goal: Goal = login): Promise<Reply> {
    await this.#runner.reach(goal, answerTo(command));
    return this.#runner.ask(command);
  }

  /** Retrieves from `offset` to the end or StopReading. @throws RestartRefused; errors of sink and `checkFacts` */
  retrieve(
    name: string,
    offset: number,
    sink: Sink,
    retrieval: Retrieval = {},
  ): Promise<Completion> {
    return this.#trusted(this.#transfers.retrieve(name, offset, sink, retrieval));
  }

  list(command: string, sink: Sink): Promise<Completion> {
    return this.#trusted(this.#transfers.list(command, sink));
  }

  /** Sends QUIT and closes; never throws. Takes a second at most (S12), and none after an abort. */
  async quit(): Promise<void> {
    const { control, options } = this.#parts;
    options.signal.removeEventListener("abort", this.#interrupt);
    await control.quit(options.signal.aborted ? 0 : 1000);
  }

  async #trusted(transfer: Promise<Completion>): Promise<Completion> {
    const completion = await transfer;
    if (!isOtherHost(this.state, this.capabilities)) return completion;
    throw new UntrustedTransfer("another session has the host, this one hasn't");
  }

  async #checkOrder(following: readonly Goal[]): Promise<void> {
    const reply = await this.#runner.ask(orderCheck, ...following);
    if (isCompletion(reply)) return;
    const error = new Misplaced(`the order of replies is not known: ${quoteReply(reply)}`);
    this.#parts.control.close(error);
    throw error;
  }

  async #reachDocument(plan: DocumentPlan): Promise<void> {
    // EPSV isn't sent together with a login: some firewalls read the reply to EPSV.
    if (this.#isReused) await this.#runner.reach(...goalsBefore(plan, this.#parts));
    else await this.#runner.reach(goalOf(plan));
    const warning = typeWarning(this.state, plan);
    if (warning !== undefined) this.#parts.options.observer.warning(warning);
  }
}

/** A session: a control connection that is logged in. Locates documents and transfers their data. */
import type { FtpullError } from "../errors.ts";
import type { Sink } from "../net/rate-limit.ts";
import type { Plan } from "../url/plan.ts";
import { misplaced } from "./control/exchanges.ts";
import { isCompletion, parse257, quoteName, quoteReply } from "./control/reply.ts";
import type { Credentials } from "./credentials.ts";
import type { Completion } from "./data/transfer-end.ts";
import { goalsBefore } from "./data/opening.ts";
import { type Retrieval, Transfers } from "./data/transfer.ts";
import { answerTo, goalOf, type Goal } from "./dialogue.ts";
import {
  type DocumentPlan,
  isListedByName,
  locatedFile,
  nextToFile,
  typeWarning,
  type Facts,
  type LocatedFile,
} from "./document-steps.ts";
import { nextToDirectory, reaches } from "./path-steps.ts";
import type { Runner } from "./runner.ts";
import { beginLogin, loginAgain, openParts, type SessionParts } from "./open-session.ts";
import type { ServerCapabilities } from "./capabilities.ts";
import type { SessionOptions } from "./session-options.ts";
import { plainCommand, type State } from "./state.ts";
import { openControl } from "./tunnel.ts";

const orderCheck = plainCommand("NOOP", 200, 250);

export class Session {
  readonly #parts: SessionParts;
  readonly #runner: Runner;
  readonly #transfers: Transfers;
  readonly capabilities: ServerCapabilities;
  /** The plan whose commands went out with the login, until the session is used. */
  #opened: { readonly plan: Plan | undefined } | undefined;
  readonly #interrupt: () => void;

  private constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#runner = parts.runner;
    this.#transfers = new Transfers(parts);
    this.capabilities = parts.options.capabilities;
    const { control, options } = parts;
    this.#interrupt = () => {
      const reason = options.signal.reason as Error;
      control.exchanges.interrupt(reason);
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
    const parts = await openParts(await openControl(options), credentials, options);
    const session = new Session(parts);
    try {
      await beginLogin(parts, plan);
      session.#opened = { plan };
      return session;
    } catch (error) {
      await session.quit();
      throw error;
    }
  }

  get usable(): boolean {
    const { control, options } = this.#parts;
    return !options.signal.aborted && control.usable && this.#transfers.areSettled;
  }

  /** Why the control connection has ended, if it has. */
  get failure(): FtpullError | undefined {
    return this.#parts.control.failure;
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
    const opened = this.#opened;
    this.#opened = undefined;
    // If the connection is lost since, the failure counts as the plan's try.
    if (opened !== undefined && opened.plan === plan) return true;
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

  /** Enters the directory of `cwds`, from the login directory on. @throws DirectoryRefused, "no way back" */
  enter(cwds: readonly string[]): Promise<void> {
    return this.#runner.reach((state) => nextToDirectory(state, cwds));
  }

  /** Enters a directory, and asks PWD for its name. @throws as `enter` does */
  async enterByName(cwds: readonly string[]): Promise<string | undefined> {
    const pwd = plainCommand("PWD", 257);
    await this.#runner.reachAhead((state) => nextToDirectory(state, cwds), answerTo(pwd));
    return parse257(await this.#runner.ask(pwd));
  }

  async locate(plan: DocumentPlan): Promise<LocatedFile> {
    await this.#reachDocument(plan);
    return locatedFile(this.state, plan);
  }

  /**
   * Locates files, in one write, with the commands for the `coming` listing behind them. A reply too many would
   * shift the answers: none counts before the reply to NOOP, which has a code of its own. @throws as `enter` does
   */
  async *locateAll(plans: readonly DocumentPlan[], coming?: Plan): AsyncGenerator<LocatedFile> {
    const comingGoals = coming === undefined ? [] : goalsBefore(coming, this.#parts.options);
    const goals = [...plans.map(goalOf), answerTo(orderCheck), ...comingGoals];
    const unconfirmed: LocatedFile[] = [];
    for (const [index, plan] of plans.entries()) {
      await this.#runner.reachAhead(goalOf(plan), ...goals.slice(index + 1));
      const located = locatedFile(this.state, plan);
      if (this.capabilities.pipelining) unconfirmed.push(located);
      else yield located;
    }
    if (unconfirmed.length > 0) await this.#checkOrder(comingGoals);
    yield* unconfirmed;
  }

  /** Asks for NOOP's 2yz: a refusal may be that of a command before it. */
  async #checkOrder(coming: readonly Goal[]): Promise<void> {
    const reply = await this.#runner.ask(orderCheck, ...coming);
    if (isCompletion(reply)) return;
    const error = misplaced(`the order of replies is not known: ${quoteReply(reply)}`);
    this.#parts.control.close(error);
    throw error;
  }

  /** Prepares a listing: resolves with "" in the directory, or with its name if CWD was refused. */
  async locateListing(plan: Plan): Promise<string> {
    await this.#reachDocument(plan);
    return isListedByName(this.state, plan) ? plan.name : "";
  }

  /** Asks for a file's facts anew, in its directory: the next document's commands may have led to another one. */
  async askFacts(plan: DocumentPlan): Promise<Facts> {
    await this.#runner.forgetFacts();
    await this.#runner.reach((state) => nextToFile(state, { ...plan, asks: undefined }));
    return locatedFile(this.state, plan).facts;
  }

  /** Retrieves from `offset` to the end, or "enough read". @throws "restart refused"; errors of the sink */
  retrieve(name: string, offset: number, sink: Sink, retrieval?: Retrieval): Promise<Completion> {
    const what = `cannot retrieve ${quoteName(name)}`;
    return this.#transfers.run({ what, line: `RETR ${name}`, offset, ...retrieval }, sink);
  }

  list(command: string, sink: Sink): Promise<Completion> {
    return this.#transfers.run({ what: "cannot list the directory", line: command }, sink);
  }

  /** Sends QUIT and closes; never throws. The reply has a second (S12), and none at the end of the run. */
  async quit({ isLast = false } = {}): Promise<void> {
    const { control, options } = this.#parts;
    options.signal.removeEventListener("abort", this.#interrupt);
    await control.quit(isLast || options.signal.aborted ? 0 : 1000);
  }

  async #reachDocument(plan: DocumentPlan): Promise<void> {
    await this.#runner.reachAhead(...goalsBefore(plan, this.#parts.options));
    const warning = typeWarning(this.state, plan);
    if (warning !== undefined) this.#parts.options.observer.warning(warning);
  }
}

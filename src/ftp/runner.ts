/** Sends what `next` returns, or with pipelining all foreseen commands, and applies the replies in order. */
import { Interrupted } from "../errors.ts";
import { type Exchange, Misplaced } from "./control/exchange.ts";
import { quoteReply, type Reply } from "./control/reply.ts";
import type { Credentials } from "./credentials.ts";
import { answerTo, foresee, login, next, type Goal } from "./dialogue.ts";
import { fileFacts, nextToFacts, type Facts } from "./document-steps.ts";
import { withAccount, withLogin, withPassword } from "./login-steps.ts";
import { NoWayBack } from "./path-steps.ts";
import { apply, demandFor, forAnotherDocument, isCommand } from "./state.ts";
import type { Command, State, Step } from "./state.ts";

export type SentExchange = Pick<Exchange<Command>, "command" | "finalReply">;

export interface Connection {
  send(commands: readonly Command[]): SentExchange[];
}

type Questions = Pick<Credentials, "password" | "retry" | "account" | "knownAccount">;

export class Runner {
  #state: State;
  readonly #connection: Connection;
  readonly #credentials: Questions;
  readonly #capabilities: { pipelining: boolean };
  readonly #sent: SentExchange[] = [];

  constructor(
    state: State,
    connection: Connection,
    credentials: Questions,
    capabilities: { pipelining: boolean },
  ) {
    this.#state = state;
    this.#connection = connection;
    this.#credentials = credentials;
    this.#capabilities = capabilities;
  }

  get state(): State {
    return this.#state;
  }

  beginDocument(): void {
    this.#state = forAnotherDocument(this.#state);
  }

  /**
   * Sends commands until `goal` is reached; pipelined, also those for `following`, which may be
   * unanswered when it resolves. @throws the failure that ends the dialogue; Interrupted
   */
  async reach(goal: Goal, ...following: readonly Goal[]): Promise<void> {
    for (;;) {
      const step = next(this.#state, goal);
      const oldest = this.#sent[0];
      if (oldest === undefined) {
        if (step === undefined) return;
        if ("fail" in step) throw this.#noted(step.fail);
        if (!isCommand(step)) await this.#askUser(step);
        else if (!this.#capabilities.pipelining) this.send([step]);
        else this.send(foresee(this.#state, [goal, ...following]));
      } else if (isCommand(step) && step.line === oldest.command.line) await this.#applyOldest();
      else if (step === undefined && following.length > 0) return;
      // Unanswered commands may still change the directory: `next` is called again after them.
      else await this.#settleBefore(step);
    }
  }

  /** Sends a command for its reply alone; one that was sent early is not sent again. */
  async ask(command: Command, ...following: readonly Goal[]): Promise<Reply> {
    await this.reach(answerTo(command), ...following);
    const { answer } = this.#state;
    if (answer === undefined) throw new Error("a command that is asked has an answer");
    this.#state = { ...this.#state, answer: undefined };
    return answer.reply;
  }

  /** Sends SIZE and MDTM for a file in the working directory, even if they were answered before. */
  async askFacts(name: string, ...following: readonly Goal[]): Promise<Facts> {
    this.#state = { ...this.#state, facts: undefined };
    await this.reach((state) => nextToFacts(state, name), ...following);
    return fileFacts(this.#state, name);
  }

  async sendAccount(demand: Reply): Promise<void> {
    this.#state = { ...this.#state, accountDemand: demandFor("", demand) };
    await this.reach(login);
  }

  async perform(command: Command): Promise<Reply> {
    await this.settle();
    this.send([command]);
    return this.#applyOldest();
  }

  foreseeNext(goals: readonly Goal[]): Command[] {
    return this.#capabilities.pipelining ? foresee(forAnotherDocument(this.#state), goals) : [];
  }

  send(commands: readonly Command[]): void {
    if (commands.length > 0) this.follow(this.#connection.send(commands));
  }

  follow(exchanges: readonly SentExchange[]): void {
    this.#sent.push(...exchanges);
  }

  async settle(): Promise<void> {
    while (this.#sent.length > 0) await this.#applyOldest();
  }

  /** Like `settle`, but a lost connection doesn't hide the failure that `step` holds. */
  async #settleBefore(step: Step | undefined): Promise<void> {
    try {
      await this.settle();
    } catch (error) {
      const isBroken = error instanceof Interrupted || error instanceof Misplaced;
      throw !isBroken && step !== undefined && "fail" in step ? this.#noted(step.fail) : error;
    }
  }

  #noted(failure: Error): Error {
    if (failure instanceof NoWayBack && failure.byPipelining) this.#capabilities.pipelining = false;
    return failure;
  }

  async #applyOldest(): Promise<Reply> {
    const oldest = this.#sent[0];
    if (oldest === undefined) throw new Error("nothing is in flight");
    const reply = await oldest.finalReply();
    this.#sent.shift();
    this.#state = apply(this.#state, oldest.command, reply);
    return reply;
  }

  async #askUser(step: Extract<Step, { ask: string }>): Promise<void> {
    const credentials = this.#credentials;
    if (step.ask === "password") {
      this.#state = withPassword(this.#state, await credentials.password());
    } else if (step.ask === "other credentials") {
      const login = await credentials.retry(quoteReply(step.reply));
      this.#state = withLogin(this.#state, login);
    } else {
      const { reply, refused } = step.demand;
      const account = await credentials.account(quoteReply(reply), refused);
      this.#state = withAccount(this.#state, account, account !== credentials.knownAccount);
    }
  }
}

/** Sends what `next` returns, or with pipelining all foreseen commands, and applies the replies in order. */
import { type FtpullError, Interrupted } from "../errors.ts";
import { type Exchange, Misplaced } from "./control/exchange.ts";
import { quoteReply, type Reply } from "./control/reply.ts";
import { type Credentials, HungUpAtQuestion } from "./credentials.ts";
import { answerTo, login, next, nextWrite, type Goal } from "./dialogue.ts";
import { fileFacts, nextToFacts, type Facts } from "./document-steps.ts";
import { withAccount, withLogin, withPassword } from "./login-steps.ts";
import { NoWayBack } from "./path-steps.ts";
import { apply, demandFor, forAnotherDocument, isCommand } from "./state.ts";
import type { Command, State, Step } from "./state.ts";

export type SentExchange = Pick<Exchange<Command>, "command" | "finalReply">;

export interface Connection {
  send(commands: readonly Command[]): SentExchange[];
  hangsUp(): Promise<boolean>;
  readonly failure?: FtpullError | undefined;
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
    const goals = [goal, ...following];
    for (;;) {
      const step = next(this.#state, goal);
      const areAllAnswered = this.#sent.length === 0;
      const mayBeUnanswered = following.length > 0;
      if (step === undefined && (areAllAnswered || mayBeUnanswered)) return;
      if (step !== undefined && areAllAnswered) await this.#take(step, goals);
      else await this.#takeReplies(step);
    }
  }

  /** Takes the reply to `step` if that was sent next, else all replies, as they may change the directory. */
  async #takeReplies(step: Step | undefined): Promise<void> {
    const oldest = this.#sent[0]?.command;
    if (isCommand(step) && step.line === oldest?.line) await this.#applyOldest();
    else await this.#settleBefore(step);
  }

  async #take(step: Step, goals: readonly Goal[]): Promise<void> {
    if ("fail" in step) throw this.#noted(step.fail);
    if (!isCommand(step)) return this.#askUser(step);
    this.send(this.#capabilities.pipelining ? nextWrite(this.#state, goals) : [step]);
  }

  /** Sends a command for its reply alone; one that was sent early is not sent again. */
  async ask(command: Command, ...following: readonly Goal[]): Promise<Reply> {
    await this.reach(answerTo(command), ...following);
    const { answer } = this.#state;
    if (answer === undefined) throw new Error("the goal was reached without an answer");
    this.#state = { ...this.#state, answer: undefined };
    return answer.reply;
  }

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
    return this.#capabilities.pipelining ? nextWrite(forAnotherDocument(this.#state), goals) : [];
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

  /** Like `settle`, but a lost connection doesn't hide the failure that `step` holds, or a refused login. */
  async #settleBefore(step: Step | undefined): Promise<void> {
    try {
      await this.settle();
    } catch (error) {
      if (error instanceof Interrupted || error instanceof Misplaced) throw error;
      if (step !== undefined && "fail" in step) throw this.#noted(step.fail);
      if (step === undefined || !followsRefusal(step)) throw error;
      this.#sent.length = 0; // No reply is to come: the question is next, and fails with the refusal.
    }
  }

  #noted(failure: Error): Error {
    const isByPipelining = failure instanceof NoWayBack && failure.byPipelining;
    if (isByPipelining) this.#capabilities.pipelining = false;
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
    const hangsUp = (): Promise<boolean> => this.#connection.hangsUp();
    if (step.ask === "password") {
      const password = await credentials.password();
      this.#checkConnection();
      this.#state = withPassword(this.#state, password);
    } else if (step.ask === "other credentials") {
      const others = await credentials.retry(quoteReply(step.reply), hangsUp);
      this.#checkConnection();
      this.#state = withLogin(this.#state, others);
    } else {
      const { reply, refused } = step.demand;
      const account = await credentials.account(quoteReply(reply), refused, hangsUp);
      this.#state = withAccount(this.#state, account, account !== credentials.knownAccount);
    }
  }

  #checkConnection(): void {
    const { failure } = this.#connection;
    if (failure !== undefined) throw new HungUpAtQuestion(failure);
  }
}

function followsRefusal(step: Step): boolean {
  if (!("ask" in step)) return false;
  return step.ask === "other credentials" || (step.ask === "account" && step.demand.refused);
}

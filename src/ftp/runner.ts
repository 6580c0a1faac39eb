/**
 * Sends what `next` returns, or with pipelining all foreseen commands, and applies the replies in order.
 *
 * | method | what is sent | what may be unanswered afterwards | for |
 * | --- | --- | --- | --- |
 * | `reach` | the commands to a goal | nothing | a directory, facts anew, an account, TYPE |
 * | `reachAhead` | the same, and those to the goals that follow | what was sent behind the goal | login, documents, many files |
 * | `ask` | a command whose reply the caller reads, and those to the goals that follow | what was sent behind it | EPSV to PORT, REST, PWD, NOOP |
 * | `perform` | one command, when all others are answered, without a login before it | nothing | AUTH, REIN |
 * | `sendAhead` | the commands to the next document's goals, if pipelined | all of them | a transfer whose last octet has come |
 *
 * A command without a reply isn't sent again: where it is the next step, its reply is awaited. Before another step all
 * replies are taken.
 */
import { type FtpullError, hasReason, networkError } from "../errors.ts";
import type { Exchange } from "./control/exchanges.ts";
import { quoteReply, type Reply } from "./control/reply.ts";
import type { Credentials } from "./credentials.ts";
import { answerTo, login, next, nextWrite, type Goal } from "./dialogue.ts";
import type { ServerCapabilities } from "./capabilities.ts";
import { forAnotherDocument, isCommand } from "./state.ts";
import type { Command, State, Step } from "./state.ts";

type SentExchange = Pick<Exchange<Command>, "command" | "finalReply">;

export interface Connection {
  send(commands: readonly Command[]): SentExchange[];
  readonly failure?: FtpullError | undefined;
}

type Question = Extract<Step, { ask: string }>;

type Questions = Pick<Credentials, "password" | "retry" | "account">;

export class Runner {
  #state: State;
  readonly #connection: Connection;
  readonly #credentials: Questions;
  readonly #capabilities: ServerCapabilities;
  readonly #sent: SentExchange[] = [];

  constructor(
    state: State,
    connection: Connection,
    credentials: Questions,
    capabilities: ServerCapabilities,
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

  /** Resolves when no reply is due that could lead away from `goal`. @throws as `reachAhead` does */
  async reach(goal: Goal): Promise<void> {
    do {
      await this.reachAhead(goal);
      await this.settle();
    } while (next(this.#state, goal) !== undefined);
  }

  /** Resolves when `goal` is reached. @throws the failure that ends the dialogue; Interrupted */
  async reachAhead(goal: Goal, ...following: readonly Goal[]): Promise<void> {
    for (;;) {
      const step = next(this.#state, goal);
      if (step === undefined) return;
      const [oldest] = this.#sent;
      if (oldest === undefined) await this.#take(step, [goal, ...following]);
      else if (isCommand(step) && step.line === oldest.command.line) await this.#applyOldest();
      else await this.#settleBefore(step);
    }
  }

  /** Takes all replies, as they may change the directory. A lost connection doesn't hide a failure that is decided. */
  async #settleBefore(step: Step): Promise<void> {
    try {
      await this.settle();
    } catch (error) {
      const isFirst = hasReason(error, "misplaced reply", "interrupted");
      throw "fail" in step && !isFirst ? step.fail : error;
    }
  }

  async #take(step: Step, goals: readonly Goal[]): Promise<void> {
    if ("fail" in step) {
      // Pipelined, a CWD behind a refused one may have led elsewhere.
      if (hasReason(step.fail, "no way back")) this.#capabilities.learn({ pipelining: false });
      throw step.fail;
    }
    if (!isCommand(step)) return this.#askUser(step);
    this.#send(this.#capabilities.pipelining ? nextWrite(this.#state, goals) : [step]);
  }

  #send(commands: readonly Command[]): void {
    if (commands.length > 0) this.#sent.push(...this.#connection.send(commands));
  }

  async #applyOldest(): Promise<Reply> {
    const oldest = this.#sent[0];
    if (oldest === undefined) throw new Error("nothing is in flight");
    const reply = await oldest.finalReply();
    this.#sent.shift();
    this.#state = oldest.command.effect(this.#state, reply);
    return reply;
  }

  /** Sends a command for its reply alone; one that was sent early is not sent again. */
  async ask(command: Command, ...following: readonly Goal[]): Promise<Reply> {
    await this.reachAhead(answerTo(command), ...following);
    const { answer } = this.#state;
    if (answer === undefined) throw new Error("the goal was reached without an answer");
    this.#state = { ...this.#state, answer: undefined };
    return answer.reply;
  }

  /** Takes all replies, and forgets the facts: they may be another file's of the same name. */
  async forgetFacts(): Promise<void> {
    await this.settle();
    this.#state = { ...this.#state, facts: undefined };
  }

  /** Sends an account for the command of a transfer, whose reply asks for it (S8). */
  async sendAccount(reply: Reply): Promise<void> {
    this.#state = { ...this.#state, accountDemand: { reply } };
    await this.reach(login);
  }

  async perform(command: Command): Promise<Reply> {
    await this.settle();
    this.#send([command]);
    return this.#applyOldest();
  }

  /** Sends the commands for the next document; their replies are taken once it is begun. */
  sendAhead(goals: readonly Goal[]): void {
    if (!this.#capabilities.pipelining) return;
    this.#send(nextWrite(forAnotherDocument(this.#state), goals));
  }

  async settle(): Promise<void> {
    while (this.#sent.length > 0) await this.#applyOldest();
  }

  async #askUser(step: Question): Promise<void> {
    this.#state = { ...this.#state, ...(await this.#answerTo(step)) };
    const { failure } = this.#connection;
    if (failure === undefined) return;
    throw networkError(failure.message, { reason: "lost at question", cause: failure });
  }

  async #answerTo(step: Question): Promise<Partial<State>> {
    const credentials = this.#credentials;
    if (step.ask === "password") return { password: await credentials.password() };
    if (step.ask === "account") {
      const { reply, refused } = step.demand;
      const account = await credentials.account(quoteReply(reply), refused);
      return { accountDemand: { ...step.demand, account } };
    }
    const others = await credentials.retry(quoteReply(step.reply));
    return { ...others, stage: "user", refusal: undefined };
  }
}

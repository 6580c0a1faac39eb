/** A dialogue on paper: each command gets the reply that a table has for it. */
import { expect } from "vitest";
import { parseReply } from "../../../src/ftp/control/reply.ts";
import { goalOf, login, next, nextWrite, type Goal } from "../../../src/ftp/dialogue.ts";
import { initialState, isCommand } from "../../../src/ftp/state.ts";
import type { State, Step } from "../../../src/ftp/state.ts";
import type { Plan } from "../../../src/url/plan.ts";

/** Replies by command line; of several each is given once, and the last one from then on. */
export type Replies = Readonly<Record<string, string | readonly string[]>>;

export interface Talk {
  readonly lines: readonly string[];
  readonly state: State;
  /** "reached", "ask ..." where no answer is left, or the message of the failure. */
  readonly end: string;
}

export function jane(setup: Partial<State> = {}): State {
  const known = { host: "h", secured: false, user: "jane", password: "secret", site: [] };
  return { ...initialState({ ...known, ...setup }), ...setup };
}

export const usual: Readonly<Record<string, string>> = {
  USER: "331 password",
  PASS: "230 in",
  FEAT: "211-\n UTF8\n211 end",
  PWD: '257 "/home"',
  CWD: "250 here",
  SIZE: "213 4",
  MDTM: "213 20260301123000",
  EPSV: "229 (|||2020|)",
};

/** A session without HOST that is logged in. */
export const ready: State = talk(jane({ host: undefined }), login).state;

/** Follows a dialogue, one command at a time; `answers` are given to its questions, in turn. */
export function talk(
  state: State,
  goal: Goal,
  replies: Replies = {},
  answers: readonly string[] = [],
): Talk {
  const lines: string[] = [];
  const counts = new Map<string, number>();
  const rest = [...answers];
  for (let step = next(state, goal); step !== undefined; step = next(state, goal)) {
    if (lines.length === 50) return { lines, state, end: "no end" };
    if (isCommand(step)) {
      const count = counts.get(step.line) ?? 0;
      counts.set(step.line, count + 1);
      lines.push(step.line);
      state = step.effect(state, parseReply(replyFor(step.line, replies, count)));
    } else {
      const answer = rest.shift();
      if ("fail" in step) return { lines, state, end: step.fail.message };
      if (answer === undefined) return { lines, state, end: `ask ${step.ask}` };
      state = answered(state, step, answer);
    }
  }
  return { lines, state, end: "reached" };
}

/**
 * Follows a dialogue as it is written: "USER jane (530 no); ? joe secret; USER joe". A reply is named where
 * it isn't the usual one, and "?" begins an answer.
 */
export function follow(state: State, goal: Goal, dialogue: string): Pick<Talk, "end" | "state"> {
  const steps = dialogue.split("; ").filter((step) => step !== "");
  const answers = steps.filter((step) => step.startsWith("? ")).map((step) => step.slice(2));
  const replies: Record<string, string[]> = {};
  const expected = steps.flatMap((step) => {
    const [, line = "", reply] = /^([^?].*?)(?: \((.*)\))?$/.exec(step) ?? [];
    if (line === "") return [];
    (replies[line] ??= []).push(reply ?? usualReply(line));
    return [line];
  });
  const { lines, ...told } = talk(state, goal, replies, answers);
  expect(lines).toEqual(expected);
  return told;
}

function answered(state: State, step: Extract<Step, { ask: string }>, answer: string): State {
  if (step.ask === "password") return { ...state, password: answer };
  if (step.ask === "account") return withAccount(state, answer);
  const [user = "", password = ""] = answer.split(" ");
  return { ...state, user, password, stage: "user", refusal: undefined };
}

export function withAccount(state: State, account: string): State {
  return { ...state, accountDemand: { ...state.accountDemand!, account } };
}

function replyFor(line: string, replies: Replies, count: number): string {
  const [verb = ""] = line.split(" ");
  const reply = replies[line] ?? replies[verb] ?? usualReply(line);
  return typeof reply === "string" ? reply : (reply[count] ?? reply.at(-1) ?? "");
}

function usualReply(line: string): string {
  return usual[line.split(" ")[0] ?? ""] ?? "200 okay";
}

/** The plan of a file, from a path such as "a/b/x". */
export function file(path: string, type = "I"): Goal {
  return goalOf(planOf(path, "retrieve", type));
}

export function listing(path: string, type?: string): Goal {
  return goalOf(planOf(path, "list", type));
}

export function planOf(path: string, action: Plan["action"] = "retrieve", type?: string): Plan {
  const cwds = path.split("/");
  const name = cwds.pop() ?? "";
  return { cwds, name, action, type, conversion: "none" };
}

/** The lines that would be sent in one write. */
export function foreseenLines(state: State, ...goals: readonly Goal[]): string[] {
  return nextWrite(state, goals).map(({ line }) => line);
}

/** Decides which command is sent next. --explain and pipelining call `next` with foreseen replies. */
import { type DocumentPlan, nextToFile, nextToListing } from "./document-steps.ts";
import { nextToLogin } from "./login-steps.ts";
import { applyForeseen, isCommand } from "./state.ts";
import type { Command, State, Step } from "./state.ts";

/** The state that a session has to reach, as the next step to it after the login. */
export type Goal = (state: State) => Step | undefined;

export const login: Goal = () => undefined;

export function goalOf(plan: DocumentPlan): Goal {
  const nextTo = plan.action === "list" ? nextToListing : nextToFile;
  return (state) => nextTo(state, plan);
}

export function answerTo(command: Command): Goal {
  return ({ answer }) => (answer?.line === command.line ? undefined : command);
}

export function next(state: State, goal: Goal): Step | undefined {
  return nextToLogin(state) ?? goal(state);
}

export function foresee(state: State, goals: readonly Goal[]): Command[] {
  const commands: Command[] = [];
  let foreseen = state;
  for (const goal of goals) {
    let step = next(foreseen, goal);
    while (isCommand(step)) {
      commands.push(step);
      foreseen = applyForeseen(foreseen, step);
      step = next(foreseen, goal);
    }
    const isReached = step === undefined;
    if (!isReached) break;
  }
  return commands;
}

/** The commands that are sent next, in one write. */
export function nextWrite(state: State, goals: readonly Goal[]): Command[] {
  const commands = foresee(state, goals);
  const end = commands.findIndex(({ endsWrite }) => endsWrite);
  return end === -1 ? commands : commands.slice(0, end + 1);
}

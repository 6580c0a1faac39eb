/**
 * Decides which command is sent next, from the state of a session and a goal. --explain and
 * pipelining call it with foreseen replies.
 */
import { nextToHash } from "./checksum-steps.ts";
import {
  type DocumentPlan,
  nextToFacts,
  nextToFile,
  nextToListing,
  nextToType,
} from "./document-steps.ts";
import { nextToLogin } from "./login-steps.ts";
import { nextToDirectory } from "./path-steps.ts";
import { applyForeseen, isCommand } from "./state.ts";
import type { Command, State, Step } from "./state.ts";

/** The state that a session has to reach. Every goal includes the login. */
export type Goal =
  | { readonly kind: "login" }
  | { readonly kind: "directory"; readonly cwds: readonly string[] }
  /** Before the data of a file or of a listing: EPSV and RETR, MLSD, LIST or NLST come next. */
  | { readonly kind: "file" | "listing"; readonly plan: DocumentPlan }
  | { readonly kind: "type"; readonly type: string }
  | { readonly kind: "facts"; readonly name: string }
  /** The algorithm of HASH, if the command has one. */
  | { readonly kind: "hash"; readonly name: string | undefined }
  | { readonly kind: "answer"; readonly command: Command };

/** The goal before the data connection of a document is opened. */
export function goalOf(plan: DocumentPlan): Goal {
  return { kind: plan.action === "list" ? "listing" : "file", plan };
}

export function next(state: State, goal: Goal): Step | undefined {
  return nextToLogin(state) ?? nextToGoal(state, goal);
}

function nextToGoal(state: State, goal: Goal): Step | undefined {
  switch (goal.kind) {
    case "login":
      return undefined;
    case "directory":
      return nextToDirectory(state, goal.cwds);
    case "file":
      return nextToFile(state, goal.plan);
    case "listing":
      return nextToListing(state, goal.plan);
    case "type":
      return nextToType(state, goal.type);
    case "facts":
      return nextToFacts(state, goal.name);
    case "hash":
      return nextToHash(state, goal.name);
    case "answer":
      return state.answer?.line === goal.command.line ? undefined : goal.command;
  }
}

/** The commands to `goals`, in order, if replies are as foreseen; ends at a command that is sent alone. */
export function foresee(state: State, goals: readonly Goal[]): Command[] {
  const commands: Command[] = [];
  for (const goal of goals) {
    let step = next(state, goal);
    for (; isCommand(step); step = next(state, goal)) {
      if (step.alone) return commands.length === 0 ? [step] : commands;
      commands.push(step);
      state = applyForeseen(state, step);
    }
    if (step !== undefined) break;
  }
  return commands;
}

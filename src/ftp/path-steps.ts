/** The steps to a directory: PWD, one CWD per segment, and the shortest reliable way back (P1, M2). */
import { networkError } from "../errors.ts";
import { isCompletion, parse257, quoteName, ReplyError } from "./control/reply.ts";
import type { Command, DirectoryRefusal, State, Step } from "./state.ts";

export class DirectoryRefused extends ReplyError {
  readonly reached: readonly string[];

  constructor({ cwds, reply }: DirectoryRefusal) {
    super(`cannot enter the directory ${quoteName(cwds.at(-1) ?? "")}`, reply);
    this.reached = cwds.slice(0, -1);
  }
}

const noWayBack = () =>
  networkError("the server gives no way back to the login directory", { reason: "no way back" });

export function nextToDirectory(state: State, cwds: readonly string[]): Step | undefined {
  const refusal = refusalOf(state, cwds);
  if (refusal !== undefined) return { fail: new DirectoryRefused(refusal) };
  const { entered, directoryAsked, loginDirectory } = state;
  if (!isWithin(cwds, entered))
    return loginDirectory === undefined ? { fail: noWayBack() } : wayBackCommand(loginDirectory);
  const remaining = cwds.slice(entered.length);
  const [cwd] = remaining;
  if (cwd === undefined) return undefined;
  if (!directoryAsked) return loginDirectoryCommand;
  return cwdCommand(cwd);
}

export function reaches(state: State, cwds: readonly string[]): boolean {
  return isWithin(cwds, state.entered) || state.loginDirectory !== undefined;
}

export function namesIn(pathname: string): string[] {
  return pathname.split("/").filter((name) => name !== "" && name !== ".");
}

export function isWithin(cwds: readonly string[], above: readonly string[]): boolean {
  return above.every((cwd, index) => cwd === cwds[index]);
}

export function refusalOf(state: State, cwds: readonly string[]): DirectoryRefusal | undefined {
  return state.refusals.find((refusal) => isWithin(cwds, refusal.cwds));
}

const loginDirectoryCommand: Command = {
  line: "PWD",
  codes: [257],
  effect: (state, reply) => ({
    ...state,
    directoryAsked: true,
    loginDirectory: parse257(reply),
  }),
};

function cwdCommand(cwd: string): Command {
  return {
    line: `CWD ${cwd}`,
    codes: [250, 200],
    effect: (state, reply) => {
      const cwds = [...state.entered, cwd];
      if (isCompletion(reply)) return { ...state, facts: undefined, entered: cwds };
      return { ...state, refusals: [...state.refusals, { cwds, reply }] };
    },
  };
}

function wayBackCommand(loginDirectory: string): Command {
  return {
    line: `CWD ${loginDirectory}`,
    codes: [250, 200],
    effect: (state, reply) =>
      isCompletion(reply)
        ? { ...state, facts: undefined, entered: [] }
        : { ...state, loginDirectory: undefined },
  };
}

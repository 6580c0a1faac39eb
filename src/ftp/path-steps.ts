/**
 * From the login directory to another one: PWD, one CWD after the other, and the cheapest certain
 * way back (P1, M2).
 */
import { NetworkFailure } from "../errors.ts";
import { isCompletion, parse257, parseReply, quoteName, ReplyError } from "./control/reply.ts";
import { afterLogin } from "./state.ts";
import type { Command, DirectoryRefusal, State, Step } from "./state.ts";

const fileActionOkay = parseReply("250");
const pathnameCreated = parseReply("257");

/** The server's refusal of a CWD. */
export class DirectoryRefused extends ReplyError {}

/** The login directory can't be reached again; another login would begin there. */
export class NoWayBack extends NetworkFailure {
  /** Whether one command at a time would not have led away from it. */
  readonly byPipelining: boolean;

  constructor(byPipelining: boolean) {
    super("the server gives no way back to the login directory");
    this.byPipelining = byPipelining;
  }
}

/** The next step to the directory that `cwds` lead to from the login directory. */
export function nextToDirectory(
  state: State,
  cwds: readonly string[],
  note = "refused: fail",
  lastNote = note,
): Step | undefined {
  const refusal = refusalOf(state, cwds);
  if (refusal !== undefined) return { fail: directoryRefused(refusal) };
  const steps = stepsTo(state, cwds);
  if (steps === undefined) return nextToLoginDirectory(state, cwds);
  const [cwd, ...others] = steps;
  if (cwd === undefined) return undefined;
  const isAtLogin = state.entered?.length === 0;
  return isAtLogin && !state.directoryAsked
    ? directoryCommand
    : cwdCommand(cwd, others.length === 0 ? lastNote : note);
}

function nextToLoginDirectory(state: State, cwds: readonly string[]): Step {
  const { loginDirectory } = state;
  if (loginDirectory !== undefined) return wayBackCommand(loginDirectory);
  return { fail: new NoWayBack(hasStrayed(state, cwds)) };
}

/**
 * Whether the session is where it would not be if each command had waited for the reply before:
 * behind a CWD that was refused, or answered by a demand for an account, the next one may have
 * gone through.
 */
export function hasStrayed(
  { entered, origin, directoryAsked }: State,
  cwds: readonly string[],
): boolean {
  if (entered === undefined || !directoryAsked) return true;
  return entered !== origin && !entered.every((cwd, index) => cwd === cwds[index]);
}

/** Whether there is a way to `cwds`, or one that is likely to work. */
export function reaches(state: State, cwds: readonly string[]): boolean {
  return stepsTo(state, cwds) !== undefined || state.loginDirectory !== undefined;
}

/** What is still to enter; undefined where the way leads back first. */
function stepsTo({ entered }: State, cwds: readonly string[]): readonly string[] | undefined {
  const isBelow = entered?.every((cwd, index) => cwd === cwds[index]) ?? false;
  return isBelow ? cwds.slice(entered?.length) : undefined;
}

export function refusalOf(
  { refusals }: State,
  cwds: readonly string[],
): DirectoryRefusal | undefined {
  return refusals.find((refusal) => refusal.cwds.every((cwd, index) => cwd === cwds[index]));
}

export function directoryRefused({ cwds, reply }: DirectoryRefusal): DirectoryRefused {
  const what = `cannot enter the directory ${quoteName(cwds.at(-1) ?? "")}`;
  return new DirectoryRefused(what, reply);
}

const directoryCommand: Command = {
  line: "PWD",
  note: "the way back to the login directory",
  foreseen: pathnameCreated,
  effect: afterLogin((state, reply) => {
    const loginDirectory = isCompletion(reply) ? parse257(reply) : undefined;
    return { ...state, directoryAsked: true, loginDirectory };
  }),
};

function cwdCommand(cwd: string, note: string): Command {
  return {
    line: `CWD ${cwd}`,
    note,
    foreseen: fileActionOkay,
    effect: (state, reply) => {
      if (isCompletion(reply)) return moved(state, state.entered && [...state.entered, cwd]);
      if (state.stage !== "logged in" || state.entered === undefined) return state;
      const refusal = { cwds: [...state.entered, cwd], reply };
      return { ...state, refusals: [...state.refusals, refusal] };
    },
  };
}

function wayBackCommand(loginDirectory: string): Command {
  return {
    line: `CWD ${loginDirectory}`,
    note: "",
    foreseen: fileActionOkay,
    effect: (state, reply) =>
      isCompletion(reply) ? moved(state, []) : { ...state, loginDirectory: undefined },
  };
}

/** After a CWD that went through; where a login may begin after it is not known. */
function moved(state: State, entered: readonly string[] | undefined): State {
  const isKnown = state.stage === "logged in";
  return { ...state, facts: undefined, entered: isKnown ? entered : undefined };
}

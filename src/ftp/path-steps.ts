/** The steps to a directory: PWD, one CWD per segment, and the shortest reliable way back (P1, M2). */
import { NetworkFailure } from "../errors.ts";
import { isCompletion, parse257, quoteName, ReplyError, type Reply } from "./control/reply.ts";
import { plainCommand } from "./state.ts";
import type { Command, DirectoryRefusal, NamedDirectory, State, Step } from "./state.ts";

export class DirectoryRefused extends ReplyError {
  readonly reached: readonly string[];

  constructor({ cwds, reply }: DirectoryRefusal) {
    super(`cannot enter the directory ${quoteName(cwds.at(-1) ?? "")}`, reply);
    this.reached = cwds.slice(0, -1);
  }
}

/** No CWD leads back to the login directory; another login would begin there. */
export class NoWayBack extends NetworkFailure {
  constructor() {
    super("the server gives no way back to the login directory");
  }
}

/** The next step to the directory of `cwds`; the notes are for --explain, `lastNote` for the last CWD. */
export function nextToDirectory(
  state: State,
  cwds: readonly string[],
  note = "refused: fail",
  lastNote = note,
): Step | undefined {
  const refusal = refusalOf(state, cwds);
  if (refusal !== undefined) return { fail: new DirectoryRefused(refusal) };
  const { entered, directoryAsked } = state;
  if (!isWithin(cwds, entered)) {
    const above = namedAbove(state, cwds);
    return above === undefined ? { fail: new NoWayBack() } : wayBackCommand(above);
  }
  const remaining = cwds.slice(entered.length);
  const [cwd] = remaining;
  if (cwd === undefined) return undefined;
  if (!directoryAsked) return loginDirectoryCommand;
  return cwdCommand(cwd, remaining.length === 1 ? lastNote : note);
}

export function reaches(state: State, cwds: readonly string[]): boolean {
  return isWithin(cwds, state.entered) || namedAbove(state, cwds) !== undefined;
}

/** The nearest directory on the way whose name is known. */
function namedAbove(state: State, cwds: readonly string[]): NamedDirectory | undefined {
  const { named, loginDirectory } = state;
  if (named !== undefined && isWithin(cwds, named.cwds)) return named;
  return loginDirectory === undefined ? undefined : { cwds: [], name: loginDirectory };
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

export const workingDirectory: Command = {
  ...plainCommand("PWD", 257),
  effect: (state, reply) => ({ ...withName(state, reply), answer: { line: "PWD", reply } }),
};

/** Notes the directory's name from PWD, unless the name is the login directory's: PWD may say it everywhere. */
function withName(state: State, reply: Reply): State {
  const { entered, loginDirectory, named } = state;
  const name = parse257(reply);
  if (loginDirectory === undefined || name === undefined || name === loginDirectory) return state;
  // A tree's top is more useful than a directory below it.
  if (named !== undefined && isWithin(entered, named.cwds)) return state;
  return { ...state, named: { cwds: entered, name } };
}

const loginDirectoryCommand: Command = {
  line: "PWD",
  note: "the way back to the login directory",
  codes: [257],
  effect: (state, reply) => ({
    ...state,
    directoryAsked: true,
    loginDirectory: parse257(reply),
  }),
};

function cwdCommand(cwd: string, note: string): Command {
  return {
    line: `CWD ${cwd}`,
    note,
    codes: [250, 200],
    effect: (state, reply) => {
      const cwds = [...state.entered, cwd];
      if (isCompletion(reply)) return { ...state, facts: undefined, entered: cwds };
      return { ...state, refusals: [...state.refusals, { cwds, reply }] };
    },
  };
}

function wayBackCommand({ cwds, name }: NamedDirectory): Command {
  return {
    line: `CWD ${name}`,
    codes: [250, 200],
    effect: (state, reply) => {
      if (isCompletion(reply)) return { ...state, facts: undefined, entered: cwds };
      return cwds.length === 0
        ? { ...state, loginDirectory: undefined }
        : { ...state, named: undefined };
    },
  };
}

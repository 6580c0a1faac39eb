/** The steps to a directory: PWD, one CWD per segment, and the shortest reliable way back (P1, M2). */
import { NetworkFailure } from "../errors.ts";
import { isCompletion, parse257, quoteName, type Reply, ReplyError } from "./control/reply.ts";
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
  readonly byPipelining: boolean;

  constructor({ byPipelining }: { byPipelining: boolean }) {
    super("the server gives no way back to the login directory");
    this.byPipelining = byPipelining;
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
  const remaining = remainingCwds(state, cwds);
  if (remaining === undefined) {
    const above = state.named.findLast((directory) => isWithin(cwds, directory.cwds));
    if (above !== undefined) return wayBackCommand(above);
    return { fail: new NoWayBack({ byPipelining: isInWrongDirectory(state, cwds) }) };
  }
  const [cwd] = remaining;
  if (cwd === undefined) return undefined;
  const isAtLogin = state.entered?.length === 0;
  if (isAtLogin && !state.directoryAsked) return loginDirectoryCommand;
  return cwdCommand(cwd, remaining.length === 1 ? lastNote : note);
}

export function loginDirectoryOf({ named }: State): string | undefined {
  return named.find(({ cwds }) => cwds.length === 0)?.name;
}

/** True if pipelining led to a wrong directory: a CWD after one that failed can succeed. */
export function isInWrongDirectory(state: State, cwds: readonly string[]): boolean {
  const { entered, enteredAtDocumentStart, directoryAsked } = state;
  if (entered === undefined || !directoryAsked) return true;
  return entered !== enteredAtDocumentStart && !isWithin(cwds, entered);
}

export function reaches(state: State, cwds: readonly string[]): boolean {
  return remainingCwds(state, cwds) !== undefined || loginDirectoryOf(state) !== undefined;
}

function remainingCwds({ entered }: State, cwds: readonly string[]): readonly string[] | undefined {
  const isOnTheWay = entered !== undefined && isWithin(cwds, entered);
  return isOnTheWay ? cwds.slice(entered.length) : undefined;
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
  const { entered, named } = state;
  const name = parse257(reply);
  const loginDirectory = loginDirectoryOf(state);
  if (entered === undefined || name === undefined) return state;
  if (loginDirectory === undefined || name === loginDirectory) return state;
  const above = named.filter(({ cwds }) => cwds.length < entered.length && isWithin(entered, cwds));
  return { ...state, named: [...above, { cwds: entered, name }] };
}

const loginDirectoryCommand: Command = {
  line: "PWD",
  note: "the way back to the login directory",
  codes: [257],
  effect: (state, reply) => {
    const name = parse257(reply);
    const named = name === undefined ? [] : [{ cwds: [], name }];
    return { ...state, directoryAsked: true, named };
  },
};

function cwdCommand(cwd: string, note: string): Command {
  return {
    line: `CWD ${cwd}`,
    note,
    codes: [250, 200],
    effect: (state, reply) => {
      if (state.entered === undefined) return state;
      const cwds = [...state.entered, cwd];
      if (isCompletion(reply)) return { ...state, facts: undefined, entered: cwds };
      return { ...state, refusals: [...state.refusals, { cwds, reply }] };
    },
    unsettles: { entered: undefined },
  };
}

function wayBackCommand(directory: NamedDirectory): Command {
  return {
    line: `CWD ${directory.name}`,
    codes: [250, 200],
    effect: (state, reply) => {
      if (isCompletion(reply)) return { ...state, facts: undefined, entered: directory.cwds };
      return { ...state, named: state.named.filter((one) => one !== directory) };
    },
    unsettles: { entered: undefined },
  };
}

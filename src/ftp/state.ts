/** The state of a session, and its change by a reply. Plain data: nothing here sends or waits. */
import { isCompletion, parseReply, replyCode, type Reply } from "./control/reply.ts";

export interface State {
  readonly host: string | undefined;
  readonly hostReply?: Reply | undefined;
  readonly secured: boolean;
  readonly user: string;
  readonly password: string | undefined;
  /** The user typed what the login sends next: it is sent without other commands. */
  readonly typed: boolean;
  readonly isUserAnswered?: boolean;
  readonly stage: "user" | "password" | "account" | "logged in";
  /** The refusal of USER or PASS: other credentials begin anew. */
  readonly refusal?: Reply | undefined;
  readonly accountDemand?: AccountDemand | undefined;
  /** The last command for which an account was sent: asking for another would never end. */
  readonly accountSentFor?: string | undefined;
  readonly bufferSizeSent?: boolean;
  readonly protection?: Reply | undefined;
  readonly features?: ReadonlyMap<string, string>;
  readonly utf8Asked?: boolean;
  readonly site: readonly string[];
  readonly siteReplies: readonly Reply[];
  readonly directoryAsked?: boolean;
  /** Directories that PWD has named, each inside the one before; CWD to these names leads back. */
  readonly named: readonly NamedDirectory[];
  /** CWDs that lead from the login directory to the present one; undefined: unknown. */
  readonly entered: readonly string[] | undefined;
  readonly enteredAtDocumentStart: readonly string[] | undefined;
  readonly refusals: readonly DirectoryRefusal[];
  /** The type in force; undefined until one was set: ASCII (RFC 959 §5.1). */
  readonly type?: string | undefined;
  readonly typeRefusal?: { readonly type: string; readonly reply: Reply } | undefined;
  readonly facts?: FactReplies | undefined;
  readonly hashName?: string;
  readonly answer?: { readonly line: string; readonly reply: Reply } | undefined;
}

export interface NamedDirectory {
  readonly cwds: readonly string[];
  readonly name: string;
}

/** A 332 or 532 to the command `line`, or the refusal of the account that was sent for it. */
export interface AccountDemand {
  readonly line: string;
  readonly reply: Reply;
  readonly refused: boolean;
  readonly account: string | undefined;
}

export interface DirectoryRefusal {
  /** The CWDs from the login directory on; the last one was refused. */
  readonly cwds: readonly string[];
  readonly reply: Reply;
}

export interface FactReplies {
  readonly name: string;
  readonly size?: Reply;
  readonly time?: Reply;
}

export interface Command {
  readonly line: string;
  readonly note?: string;
  /** The 2yz and 3yz that are possible, beside 1yz, 4yz, 5yz and 332; the first one is foreseen. */
  readonly codes: readonly [number, ...number[]];
  readonly foreseen?: Reply;
  /** Form of the reply's first line, where an earlier command's reply can have the same code. */
  readonly form?: RegExp;
  effect(state: State, reply: Reply): State;
  /** Changes of the state if the command succeeds before the login, in place of `effect`: facts become unknown. */
  readonly unsettles?: Partial<State>;
  /** "alone": sent without other commands; "first": only after the replies to all earlier ones. */
  readonly write?: "alone" | "first" | undefined;
  /** `effect` reads every reply, also before the login, and 332 and 532: HOST, USER, PASS ... */
  readonly readsAccountDemand?: boolean;
  /** The command may be answered before the one that it was sent behind. */
  readonly isProbe?: boolean;
}

export type Step =
  | Command
  | { readonly ask: "password" }
  | { readonly ask: "other credentials"; readonly reply: Reply }
  | { readonly ask: "account"; readonly demand: AccountDemand }
  | { readonly fail: Error };

export function isCommand(step: Step | undefined): step is Command {
  return step !== undefined && "line" in step;
}

const atLogin: readonly string[] = [];

export function initialState(
  login: Pick<State, "host" | "secured" | "user" | "password" | "site">,
): State {
  return {
    ...login,
    siteReplies: [],
    typed: false,
    stage: "user",
    named: [],
    entered: atLogin,
    enteredAtDocumentStart: atLogin,
    refusals: [],
  };
}

export function forAnotherDocument(state: State): State {
  return {
    ...state,
    enteredAtDocumentStart: state.entered,
    refusals: [],
    typeRefusal: undefined,
    facts: undefined,
    answer: undefined,
  };
}

export function apply(state: State, command: Command, reply: Reply): State {
  if (command.readsAccountDemand) return command.effect(state, reply);
  // The command is sent again after the login.
  if (state.stage !== "logged in")
    return isCompletion(reply) ? { ...state, ...command.unsettles } : state;
  const wantsAccount = isAccountDemand(reply) && command.line !== state.accountSentFor;
  if (!wantsAccount) return command.effect(state, reply);
  // The first demand counts if several commands shared a write; the others are sent again.
  if (state.accountDemand !== undefined) return state;
  return { ...state, accountDemand: demandFor(command.line, reply) };
}

export function applyForeseen(state: State, command: Command): State {
  return apply(state, command, command.foreseen ?? parseReply(`${command.codes[0]}`));
}

export function demandFor(line: string, reply: Reply): AccountDemand {
  return { line, reply, refused: false, account: undefined };
}

export function isAccountDemand({ code }: Reply): boolean {
  return code === replyCode.needAccount || code === replyCode.needAccountForStoring;
}

/** A command that is sent for its reply alone; sent again if the server wants an account first. */
export function plainCommand(line: string, ...codes: Command["codes"]): Command {
  return {
    line,
    codes,
    effect: (state, reply) =>
      state.accountDemand === undefined ? { ...state, answer: { line, reply } } : state,
  };
}

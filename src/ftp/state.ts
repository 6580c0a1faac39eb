/** The state of a session, and its change by a reply. Plain data: nothing here sends or waits. */
import type { Reply } from "./control/reply.ts";

export interface State {
  readonly host: string | undefined;
  readonly hostReply?: Reply | undefined;
  readonly secured: boolean;
  readonly user: string;
  readonly password: string | undefined;
  readonly isUserAnswered?: boolean;
  readonly stage: "user" | "password" | "logged in";
  /** The refusal of USER or PASS: other credentials begin anew. */
  readonly refusal?: Reply | undefined;
  readonly accountDemand?: AccountDemand | undefined;
  readonly bufferSizeSent?: boolean;
  readonly protection?: Reply | undefined;
  readonly features?: ReadonlyMap<string, string>;
  readonly utf8Asked?: boolean;
  readonly site: readonly string[];
  readonly siteReplies: readonly Reply[];
  readonly directoryAsked?: boolean;
  /** The login directory's name, from PWD: CWD to this name leads back (M2). */
  readonly loginDirectory?: string | undefined;
  /** CWDs that lead from the login directory to the present one. */
  readonly entered: readonly string[];
  readonly refusals: readonly DirectoryRefusal[];
  /** The type in force; undefined until one was set: ASCII (RFC 959 §5.1). */
  readonly type?: string | undefined;
  readonly typeRefusal?: { readonly type: string; readonly reply: Reply } | undefined;
  readonly facts?: FactReplies | undefined;
  readonly answer?: { readonly line: string; readonly reply: Reply } | undefined;
}

/** The server wants an account: `reply` asks for it, or is the refusal of the `refused` one. */
export interface AccountDemand {
  readonly reply: Reply;
  readonly refused?: string | undefined;
  readonly account?: string | undefined;
}

export interface DirectoryRefusal {
  /** The CWDs from the login directory on; the last one was refused. */
  readonly cwds: readonly string[];
  readonly reply: Reply;
}

export interface FactReplies {
  readonly name: string;
  readonly size: Reply | undefined;
  readonly time: Reply | undefined;
}

export interface Command {
  readonly line: string;
  /** The 2yz and 3yz that are possible, beside 1yz, 4yz, 5yz and 332; the first one is foreseen. */
  readonly codes: readonly [number, ...number[]];
  readonly foreseen?: Reply;
  /** Form of the reply's first line, where an earlier command's reply can have the same code. */
  readonly form?: RegExp;
  /** The session's next state, by the final reply: any reply, also one that the command can't have. */
  effect(state: State, reply: Reply): State;
  /** Nothing is sent behind the command before its reply: the user, the password and the account of a login. */
  readonly endsWrite?: boolean;
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

export function initialState(
  login: Pick<State, "host" | "secured" | "user" | "password" | "site">,
): State {
  return { ...login, siteReplies: [], stage: "user", entered: [], refusals: [] };
}

export function forAnotherDocument(state: State): State {
  return { ...state, refusals: [], typeRefusal: undefined, facts: undefined, answer: undefined };
}

export function applyForeseen(state: State, command: Command): State {
  return command.effect(state, command.foreseen ?? { code: command.codes[0], lines: [] });
}

/** A command that is sent for its reply alone. */
export function plainCommand(line: string, ...codes: Command["codes"]): Command {
  return {
    line,
    codes,
    effect: (state, reply) => ({ ...state, answer: { line, reply } }),
  };
}

/**
 * What is known of a session from the replies so far, and how a reply changes it. Plain data:
 * nothing here sends or waits. login-steps.ts and path-steps.ts have the commands.
 */
import { replyCode, type Reply, type ReplyError } from "./control/reply.ts";

export type LoginStage = "user" | "password" | "account" | "refused" | "logged in";

/** Everything that a decision about the next command may depend on. */
export interface State {
  /** The host that HOST names; undefined leaves HOST out. */
  readonly host: string | undefined;
  readonly hostReply?: Reply | undefined;
  /** Whether the control connection has TLS: data connections must have it too. */
  readonly secured: boolean;
  readonly user: string;
  /** Undefined until it is asked for. */
  readonly password: string | undefined;
  /** Whether the password or account was typed by the user: it is sent without other commands. */
  readonly typed: boolean;
  readonly stage: LoginStage;
  /** The refusal of USER or PASS. */
  readonly refusal?: Reply | undefined;
  /** A demand for an account that is not yet met. */
  readonly demand?: Demand | undefined;
  /** The command that an account was sent for last: a second demand is a refusal. */
  readonly accountedFor?: string | undefined;
  readonly bufferSizeSent: boolean;
  /** The reply to PROT P. */
  readonly protection?: Reply | undefined;
  /** Undefined until FEAT is answered. */
  readonly features?: ReadonlySet<string>;
  readonly utf8Asked: boolean;
  readonly directoryAsked: boolean;
  /** The directory that PWD named before the first CWD; if undefined, there is no way back. */
  readonly loginDirectory?: string | undefined;
  /** The CWDs that succeeded since login; undefined when the directory is not known. */
  readonly entered: readonly string[] | undefined;
  /** `entered` as it was when the present document was begun. */
  readonly origin: readonly string[] | undefined;
  /** The refusals of CWD for the present document. */
  readonly refusals: readonly DirectoryRefusal[];
  /** The type in force; undefined until one was set: ASCII (RFC 959 §5.1). */
  readonly type?: string | undefined;
  readonly typeRefusal?: { readonly type: string; readonly reply: Reply } | undefined;
  readonly facts?: NamedFacts | undefined;
  /** The reply to a command that was sent for its reply alone, such as EPSV. */
  readonly answer?: { readonly line: string; readonly reply: Reply } | undefined;
}

/** A 332 or 532, or the refusal of the account that was sent for it. */
export interface Demand {
  /** The command that the server wants an account for. */
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

/** The replies to SIZE and MDTM for a name in the working directory; undefined: not answered. */
export interface NamedFacts {
  readonly name: string;
  readonly size: Answer<number> | undefined;
  readonly modified: Answer<Date> | undefined;
}

/** `value` is undefined where the server does not say. */
export interface Answer<T> {
  readonly value: T | undefined;
  /** A 4yz: the server may say it later. */
  readonly failure: ReplyError | undefined;
}

/** The state of the queue of commands when a reply arrives. */
export interface Arrival {
  /** Whether other commands were sent behind the oldest one, and are not answered yet. */
  readonly hasOthers: boolean;
  /** Whether the oldest command has had a preliminary reply. */
  readonly hasBegun: boolean;
  /** Whether a later command was answered before the oldest one. */
  readonly isOvertaken: boolean;
}

/**
 * The command that a reply belongs to: the oldest; the one behind it; the one that seemed to be
 * answered early, by the oldest's reply; or unknown: then the connection is closed.
 */
export type Owner = "this" | "next" | "swap" | "unknown";

/** One command: what is sent, and the effect of its reply on the state at that time. */
export interface Command {
  readonly line: string;
  /** What --explain says about its replies. */
  readonly note?: string;
  /** The reply with which the dialogue goes on as planned; it holds no values. */
  readonly foreseen: Reply;
  effect(state: State, reply: Reply): State;
  /** Whether no other command may be sent in the same write. */
  readonly alone?: boolean;
  /** Whether `effect` reads 332 and 532 itself: HOST, USER, PASS and ACCT. */
  readonly readsDemand?: boolean;
  /** Which command `reply` answers, where this one is the oldest; without it: this one. */
  readonly ownerOf?: ((reply: Reply, arrival: Arrival) => Owner) | undefined;
}

/** What comes next: a command, a question for credentials, or a failure. */
export type Step =
  | Command
  | { readonly ask: "password" }
  | { readonly ask: "other"; readonly reply: Reply }
  | { readonly ask: "account"; readonly demand: Demand }
  | { readonly fail: Error };

export function isCommand(step: Step | undefined): step is Command {
  return step !== undefined && "line" in step;
}

const atLogin: readonly string[] = [];

/** Where a session begins: connected, greeted, and over TLS where that is wanted. */
export function initialState({
  host,
  secured,
  user,
  password,
}: Pick<State, "host" | "secured" | "user" | "password">): State {
  return {
    host,
    secured,
    user,
    password,
    typed: false,
    stage: "user",
    bufferSizeSent: false,
    utf8Asked: false,
    directoryAsked: false,
    entered: atLogin,
    origin: atLogin,
    refusals: [],
  };
}

/** The same session for another document: refused commands may be sent again. */
export function forAnotherDocument(state: State): State {
  return {
    ...state,
    origin: state.entered,
    refusals: [],
    typeRefusal: undefined,
    facts: undefined,
    answer: undefined,
  };
}

/** The state after `reply` has answered `command`. Any command may want an account (S8). */
export function apply(state: State, command: Command, reply: Reply): State {
  if (state.stage !== "logged in" || command.readsDemand || !isDemand(reply))
    return command.effect(state, reply);
  // The account has been sent for this command: asking for another one would never end.
  if (command.line === state.accountedFor) return command.effect(state, reply);
  // Of several commands in one write the first one's demand counts; the others are sent again.
  return state.demand === undefined ? { ...state, demand: demandFor(command.line, reply) } : state;
}

export function demandFor(line: string, reply: Reply): Demand {
  return { line, reply, refused: false, account: undefined };
}

export function isDemand({ code }: Reply): boolean {
  return code === replyCode.needAccount || code === replyCode.needAccountForStoring;
}

/** An effect that counts only after the login: before it, the command is sent again. */
export function afterLogin(effect: Command["effect"]): Command["effect"] {
  return (state, reply) => (state.stage === "logged in" ? effect(state, reply) : state);
}

/** A command that is sent for its reply alone. */
export function question(line: string, foreseen: Reply): Command {
  return {
    line,
    foreseen,
    effect: (state, reply) => ({ ...state, answer: { line, reply } }),
  };
}

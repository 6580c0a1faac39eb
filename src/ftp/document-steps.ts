/** Steps before a document's data: directory, type, SIZE and MDTM; ways around a refused CWD (P3, P6, P10). */
import type { Plan } from "../url/plan.ts";
import {
  isCompletion,
  isTransientNegative,
  parse213Size,
  parse213Time,
  quoteName,
  quoteReply,
  ReplyError,
  saysMissing,
  type Reply,
} from "./control/reply.ts";
import { DirectoryRefused, isWithin, nextToDirectory, refusalOf } from "./path-steps.ts";
import type { Command, FactReplies, State, Step } from "./state.ts";

/** The plan of a document, with the facts to ask for: by default SIZE and MDTM. */
export interface DocumentPlan extends Plan {
  readonly asks?: "size" | "nothing" | undefined;
}

/**
 * Facts of a file: the size from a "listing" by LIST, where it may differ from SIZE's, or from the "server", by
 * replies or MLSD. `listedSize` is the listing's in any case. A listing's time may be exact to `unit` seconds only, in
 * an unknown zone. `failure` is a 4yz to SIZE or MDTM: the server may answer later.
 */
export interface Facts {
  readonly size?: number | undefined;
  readonly listedSize?: number | undefined;
  readonly modified?: Date | undefined;
  readonly unit?: number | undefined;
  readonly source: "listing" | "server";
  readonly failure?: ReplyError | undefined;
}

export interface LocatedFile {
  readonly name: string;
  readonly facts: Facts;
  /** The refusal of a CWD, for which the name is the whole path. */
  readonly refusal: ReplyError | undefined;
}

export function nextToFile(state: State, plan: DocumentPlan): Step | undefined {
  const { asks } = plan;
  const toDirectory = nextToDirectoryOf(state, plan);
  if (toDirectory !== undefined) return toDirectory;
  const toType = nextToType(state, plan.type ?? "I");
  if (toType !== undefined || asks === "nothing") return toType;
  return nextToFacts(state, nameOf(state, plan), asks);
}

/** After a CWD refused by 550 the whole path is the name: a file there may be readable (P10). */
function nextToDirectoryOf(state: State, { cwds }: Plan): Step | undefined {
  const refusal = refusalOf(state, cwds);
  if (refusal === undefined || !saysMissing(refusal.reply)) return nextToDirectory(state, cwds);
  const toLogin = nextToDirectory(state, []);
  // From where the refused CWD was sent the path would be another one.
  const isStuck = toLogin !== undefined && "fail" in toLogin && isWithin(cwds, state.entered);
  return isStuck ? { fail: new DirectoryRefused(refusal) } : toLogin;
}

export function locatedFile(state: State, plan: Plan): LocatedFile {
  const name = nameOf(state, plan);
  const refused = refusalOf(state, plan.cwds);
  const refusal = refused === undefined ? undefined : new DirectoryRefused(refused);
  return { name, facts: fileFacts(state, name), refusal };
}

function fileFacts(state: State, name: string): Facts {
  const { size, time } = factReplies(state, name);
  // In any type but image the octets transferred are not those that SIZE counts (RFC 3659 §4).
  const counted = state.type === "I" ? size : undefined;
  const failure = failureToGet("size", name, counted) ?? failureToGet("time", name, time);
  return {
    size: counted === undefined ? undefined : parse213Size(counted),
    modified: time === undefined ? undefined : parse213Time(time),
    source: "server",
    failure,
  };
}

export function nextToListing(state: State, plan: Plan): Step | undefined {
  return nextToListedDirectory(state, plan) ?? nextToType(state, plan.type);
}

function nextToListedDirectory(state: State, plan: Plan): Step | undefined {
  const { cwds, name } = plan;
  const isInside = name === "" || isListedByName(state, plan);
  return nextToDirectory(state, isInside ? cwds : [...cwds, name]);
}

/** True if a listing's directory was refused permanently, but not those above it: it is listed from there (P6). */
export function isListedByName(state: State, { cwds, name }: Plan): boolean {
  const refusal = name === "" ? undefined : refusalOf(state, [...cwds, name]);
  if (refusal === undefined || refusal.cwds.length <= cwds.length) return false;
  return !isTransientNegative(refusal.reply);
}

function nameOf(state: State, { cwds, name }: Plan): string {
  if (refusalOf(state, cwds) === undefined) return name;
  const segments = [...cwds, name].filter((segment) => segment !== "");
  return segments.join("/").replace(/^\/+/, "/");
}

export function nextToType(state: State, wanted: string | undefined): Step | undefined {
  const type = typeToSet(wanted, state.type);
  if (type === undefined) return undefined;
  const refusal = state.typeRefusal?.type === type ? state.typeRefusal : undefined;
  if (refusal === undefined) return typeCommand(type);
  // Text is transferred in another type, with a warning; binary data would be changed (P3).
  if (isText(type)) return undefined;
  return { fail: new ReplyError(`cannot set TYPE ${type}`, refusal.reply) };
}

/** The type to set, unless the one in force will do; a listing (`wanted` is undefined) needs ASCII, the initial type. */
function typeToSet(wanted: string | undefined, inForce: string | undefined): string | undefined {
  if (wanted !== undefined) return wanted === inForce ? undefined : wanted;
  return inForce === undefined || inForce === "A" ? undefined : "A";
}

export function typeWarning(state: State, { action, type }: Plan): string | undefined {
  const wanted = action === "list" ? type : (type ?? "I");
  const missing = typeToSet(wanted, state.type);
  if (missing === undefined || state.typeRefusal?.type !== missing) return undefined;
  const { type: inForce = "A" } = state;
  const instead = `sent in TYPE ${inForce}${isText(inForce) ? "" : ", not converted"}`;
  return `TYPE ${missing} was refused: ${quoteReply(state.typeRefusal.reply)}; ${instead}`;
}

function isText(type: string): boolean {
  return !/^[IL]/.test(type);
}

function typeCommand(type: string): Command {
  return {
    line: `TYPE ${type}`,
    codes: [200],
    effect: (state, reply) =>
      isCompletion(reply)
        ? { ...state, type, typeRefusal: undefined }
        : { ...state, typeRefusal: { type, reply } },
  };
}

function nextToFacts(state: State, name: string, asks?: "size"): Step | undefined {
  const { size, time } = factReplies(state, name);
  if (state.type === "I" && size === undefined) return sizeCommand(name);
  return asks === undefined && time === undefined ? timeCommand(name) : undefined;
}

function factReplies({ facts }: State, name: string): FactReplies {
  return facts?.name === name ? facts : { name, size: undefined, time: undefined };
}

function sizeCommand(name: string): Command {
  return {
    line: `SIZE ${name}`,
    codes: [213, 250],
    effect: (state, size) =>
      state.type === "I" ? { ...state, facts: { ...factReplies(state, name), size } } : state,
  };
}

function timeCommand(name: string): Command {
  return {
    line: `MDTM ${name}`,
    codes: [213],
    form: /^213(?!\s*\d{1,13}\s*$)/, // not a size
    effect: (state, time) => ({ ...state, facts: { ...factReplies(state, name), time } }),
  };
}

function failureToGet(what: string, name: string, reply?: Reply): ReplyError | undefined {
  if (reply === undefined || !isTransientNegative(reply)) return undefined;
  return new ReplyError(`cannot get the ${what} of ${quoteName(name)}`, reply);
}

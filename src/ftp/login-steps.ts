/** The steps of a login: HOST, USER, PASS and ACCT (S2 to S9), PBSZ and PROT (RFC 4217), FEAT, SITE. */
import { FtpullError } from "../errors.ts";
import { hints } from "../hints.ts";
import {
  isAccountDemand,
  isCompletion,
  isNegative,
  isTransientNegative,
  parseFeatures,
  parseReply,
  quoteName,
  quoteReply,
  replyCode,
  ReplyError,
  type Reply,
} from "./control/reply.ts";
import { isAnonymous } from "../url/anonymous.ts";
import { hostCommand, hostFailure } from "./host-steps.ts";
import { initialState } from "./state.ts";
import type { Command, AccountDemand, State, Step } from "./state.ts";

const { loggedIn, loggedInAuthorized, needPassword, superfluous } = replyCode;
const { notLoggedIn, wrongCredentials } = replyCode;
/** The foreseen reply to FEAT: most servers have UTF8, so OPTS UTF8 goes out with FEAT. */
const usualFeatures = parseReply("211-\n UTF8\n MLST\n211");

export function nextToLogin(state: State): Step | undefined {
  if (state.accountDemand !== undefined) return accountStep(state.accountDemand);
  if (state.host !== undefined && state.hostReply === undefined) return hostCommand(state.host);
  const fail = hostFailure(state);
  if (fail !== undefined) return { fail };
  if (state.refusal !== undefined) return refusalStep(state, state.refusal);
  if (state.stage === "user") return userCommand(state);
  if (state.stage === "password") return passwordStep(state);
  return nextToProtection(state) ?? nextToFeatures(state) ?? nextToSite(state);
}

function nextToProtection({ secured, bufferSizeSent, protection }: State): Step | undefined {
  if (!secured) return undefined;
  if (!bufferSizeSent) return bufferSizeCommand;
  if (protection === undefined) return protectionCommand;
  if (isCompletion(protection)) return undefined;
  return { fail: tlsRefusal("the server does not encrypt data connections", protection) };
}

function nextToFeatures({ features, utf8Asked }: State): Step | undefined {
  if (features === undefined) return featuresCommand;
  return features.has("UTF8") && !utf8Asked ? utf8Command : undefined;
}

/** SITE tells a server of z/OS or IBM i how to send files; the user gives its text. */
function nextToSite({ site, siteReplies }: State): Step | undefined {
  const failed = siteReplies.findIndex((reply) => !isCompletion(reply));
  const refusal = siteReplies[failed];
  if (refusal !== undefined) {
    const line = quoteName(`SITE ${site[failed]}`);
    return { fail: new ReplyError(`the server refuses ${line}`, refusal) };
  }
  const text = site[siteReplies.length];
  if (text === undefined) return undefined;
  return {
    line: `SITE ${text}`,
    codes: [200, 202, 211, 214, 250],
    effect: (state, reply) => ({ ...state, siteReplies: [...state.siteReplies, reply] }),
  };
}

function userCommand({ user }: State): Command {
  return {
    line: `USER ${user}`,
    codes: [needPassword, loggedIn, loggedInAuthorized],
    effect: (state, reply) => {
      const answered: State = { ...state, isUserAnswered: true };
      if (reply.code === needPassword) return { ...answered, stage: "password" };
      return afterCredentials(answered, reply);
    },
    endsWrite: !isAnonymous(user),
  };
}

/** A user's password travels alone: where replies came late or out of order, it would be judged twice, and lock the account. */
function passwordStep({ user, password }: State): Step {
  if (password === undefined) return { ask: "password" };
  return {
    line: `PASS ${password}`,
    codes: [loggedIn, superfluous, loggedInAuthorized],
    // If USER was enough, or was refused, the reply to PASS means nothing (S6).
    effect: (state, reply) => (state.stage === "password" ? afterCredentials(state, reply) : state),
    endsWrite: !isAnonymous(user),
  };
}

function afterCredentials(state: State, reply: Reply): State {
  if (isCompletion(reply)) return { ...state, stage: "logged in" };
  if (isAccountDemand(reply)) return { ...state, accountDemand: { reply } };
  return { ...state, refusal: reply };
}

function refusalStep({ user, secured }: State, refusal: Reply): Step {
  const tlsDemand = secured ? undefined : demandForTls(refusal);
  if (tlsDemand !== undefined) return { fail: tlsDemand };
  const what = `cannot log in as ${quoteName(user)}`;
  const text = `${what}: ${quoteReply(refusal)}`;
  if (refusal.code !== notLoggedIn && refusal.code !== wrongCredentials)
    return { fail: new ReplyError(what, refusal) };
  // Full servers, too, send 530: then other credentials do not help, but time does.
  const isCrowded = wordsOfCrowded.test(refusal.lines.join(" "));
  if (isCrowded) return { fail: new FtpullError("refused", text, { transient: true }) };
  return { ask: "other credentials", reply: refusal };
}

const wordsOfCrowded =
  /too many (?!failed)|\bmaximum\b(?! login)|\blimit\b|try (?:again )?later|\bbusy\b|\bfull\b(?! (?:e-?mail|name|path))/i;

function demandForTls(reply: Reply): FtpullError | undefined {
  const words = /\b(?:TLS|SSL|encrypt\w*|clear-?text)\b/i;
  if (!isNegative(reply) || !words.test(reply.lines.join(" "))) return undefined;
  const message = `the server wants TLS: ${quoteReply(reply)}`;
  return new FtpullError("tls", message, { hint: hints.tls });
}

function accountStep(demand: AccountDemand): Step {
  if (demand.account === undefined) return { ask: "account", demand };
  return {
    line: `ACCT ${demand.account}`,
    codes: [loggedIn, superfluous, loggedInAuthorized, 200],
    effect: (state, reply) => {
      if (isCompletion(reply)) return { ...state, accountDemand: undefined, stage: "logged in" };
      // After 421 no account helps: the next command tells that the session is over.
      const isOver = reply.code === replyCode.serviceNotAvailable;
      return isOver ? state : { ...state, accountDemand: { reply, refused: demand.account } };
    },
    endsWrite: true,
  };
}

/** PROT is refused without PBSZ (RFC 4217 §9): only the reply to PROT is checked. */
const bufferSizeCommand: Command = {
  line: "PBSZ 0",
  codes: [200],
  effect: (state) => ({ ...state, bufferSizeSent: true }),
};

const protectionCommand: Command = {
  line: "PROT P",
  codes: [200],
  effect: (state, reply) => ({ ...state, protection: reply }),
};

/** The error for a server that refuses TLS: the session never goes on in clear text. 421 is no refusal of TLS. */
export function tlsRefusal(what: string, reply: Reply): FtpullError {
  if (reply.code === replyCode.serviceNotAvailable) return new ReplyError(what, reply);
  const transient = isTransientNegative(reply);
  return new FtpullError("tls", `${what}: ${quoteReply(reply)}`, { transient });
}

/** Assumed where FEAT is refused: python3-aioftp has MLSD all the same. */
const featuresWithoutFeat: ReadonlyMap<string, string> = new Map([["MLSD", ""]]);

const featuresCommand: Command = {
  line: "FEAT",
  codes: [211],
  foreseen: usualFeatures,
  effect: (state, reply) => ({
    ...state,
    features: isCompletion(reply) ? parseFeatures(reply) : featuresWithoutFeat,
  }),
};

const utf8Command: Command = {
  line: "OPTS UTF8 ON",
  codes: [200, 202],
  effect: (state) => ({ ...state, utf8Asked: true }),
};

/** REIN ends the login and the virtual host of HOST; the connection stays (M2). Over TLS no REIN is sent. */
export const reinitializeCommand: Command = {
  line: "REIN",
  codes: [220],
  effect: (state, reply) => {
    if (!isCompletion(reply)) return state;
    const { host, user, password, secured, site } = state;
    return initialState({ host, secured, user, password, site });
  },
};

/** HOST (RFC 7151) chooses a virtual host; a server without it refuses, and goes on (S2). */
import { isNetworkError } from "../errors.ts";
import { hints } from "../hints.ts";
import {
  isCompletion,
  isTransientNegative,
  replyCode,
  ReplyError,
  type Reply,
} from "./control/reply.ts";
import type { Command, State } from "./state.ts";

export function hostCommand(host: string): Command {
  // The zone of an IPv6 address (fe80::1%eth0) has a meaning on this machine only.
  const argument = host.includes(":") ? `[${host.replace(/%.*$/, "")}]` : host;
  return {
    line: `HOST ${argument}`,
    codes: [220, 200],
    effect: (state, reply) => ({ ...state, hostReply: reply }),
  };
}

/** The failure of a session whose HOST was refused for now. */
export function hostFailure(state: State): Error | undefined {
  const { hostReply } = state;
  return hostReply && isTransientNegative(hostReply) ? unserved(state, hostReply) : undefined;
}

/** True if the next sessions send no HOST. 501 or 504 and a close is another refusal: it ends the run. */
export function refusesHost({ hostReply, isUserAnswered = false }: State): boolean {
  if (hostReply === undefined || isCompletion(hostReply)) return false;
  return !isTransientNegative(hostReply) && (isUserAnswered || !isLasting(hostReply));
}

/** Explains a connection lost before an answer to USER: a server may close it over HOST (S2). */
export function explainedByHost(error: unknown, state: State): unknown {
  const { host, hostReply, isUserAnswered = false } = state;
  if (host === undefined || isUserAnswered || !isNetworkError(error)) return error;
  if (hostReply === undefined) return error.with({ hint: hints.noHost });
  return isLasting(hostReply) ? unserved(state, hostReply) : error;
}

function isLasting({ code }: Reply): boolean {
  return code === replyCode.syntaxError || code === replyCode.parameterNotImplemented;
}

function unserved({ host = "" }: State, reply: Reply): ReplyError {
  const message = `the server does not serve the host "${host}"`;
  return new ReplyError(message, reply, { hint: hints.noHost });
}

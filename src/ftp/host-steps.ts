/** HOST (RFC 7151) chooses a virtual host; a server without it refuses, and goes on (S2). */
import { NetworkFailure } from "../errors.ts";
import { isCompletion, isTransientNegative, replyCode, ReplyError } from "./control/reply.ts";
import type { ServerCapabilities } from "./session-options.ts";
import type { Command, State } from "./state.ts";

export function hostCommand(host: string): Command {
  // The zone of an IPv6 address (fe80::1%eth0) has a meaning on this machine only.
  const argument = host.includes(":") ? `[${host.replace(/%.*$/, "")}]` : host;
  return {
    line: `HOST ${argument}`,
    note: "refused before login: go on without it",
    codes: [220, 200],
    effect: (state, reply) => ({ ...state, hostReply: reply }),
    readsAccountDemand: true,
  };
}

/** The failure of a session whose HOST was refused for now, or though the server has served the host before. */
export function hostFailure(state: State): Error | undefined {
  const { hostReply, isHostServed = false } = state;
  if (hostReply === undefined || isCompletion(hostReply)) return undefined;
  if (isTransientNegative(hostReply)) return unserved(state);
  // Without HOST, what comes could be another host's.
  return isHostServed ? unserved(state)?.with({ transient: true }) : undefined;
}

/** Notes what the server replied to HOST, once USER is answered; 501 or 504 and a close end the run. */
export function noteHost(capabilities: ServerCapabilities, state: State): void {
  const { hostReply, isUserAnswered = false } = state;
  if (hostReply === undefined || isTransientNegative(hostReply)) return;
  if (isCompletion(hostReply)) capabilities.host = "served";
  else if (isUserAnswered || !isLasting(state)) capabilities.host ??= "refused";
}

/** Explains a connection lost before an answer to USER: a server may close it over HOST (S2). */
export function explainedByHost(error: unknown, state: State): unknown {
  const { host, hostReply, isUserAnswered = false } = state;
  if (host === undefined || isUserAnswered || !(error instanceof NetworkFailure)) return error;
  if (isLasting(state)) return unserved(state, "connect without naming the host: add --no-host");
  if (hostReply !== undefined) return error;
  return error.with({ hint: "a server without virtual hosts may not take HOST: add --no-host" });
}

function isLasting({ hostReply }: State): boolean {
  const { syntaxError, parameterNotImplemented } = replyCode;
  return hostReply?.code === syntaxError || hostReply?.code === parameterNotImplemented;
}

function unserved({ host, hostReply }: State, hint?: string): ReplyError | undefined {
  if (hostReply === undefined) return undefined;
  return new ReplyError(`the server does not serve the host "${host ?? ""}"`, hostReply, hint);
}

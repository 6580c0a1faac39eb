/** HOST (RFC 7151) chooses a virtual host; a server without it refuses, and goes on (S2). */
import { NetworkFailure } from "../errors.ts";
import { replyCode, ReplyError, type Reply } from "./control/reply.ts";
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

/** Explains a connection lost before an answer to USER: a server may close it over HOST (S2). */
export function explainedByHost(error: unknown, state: State): unknown {
  const { host, hostReply, isUserAnswered = false } = state;
  const { syntaxError, parameterNotImplemented } = replyCode;
  if (host === undefined || isUserAnswered || !(error instanceof NetworkFailure)) return error;
  if (hostReply?.code === syntaxError || hostReply?.code === parameterNotImplemented)
    return hostUnserved(host, hostReply, "connect without naming the host: add --no-host");
  return error.with({ hint: "a server without virtual hosts may not take HOST: add --no-host" });
}

export function hostUnserved(host: string | undefined, reply: Reply, hint?: string): ReplyError {
  return new ReplyError(`the server does not serve the host "${host ?? ""}"`, reply, hint);
}

/** HOST (RFC 7151) chooses a virtual host. Once accepted, HOST has to be accepted in all sessions of the run. */
import { FtpullError, NetworkFailure } from "../errors.ts";
import { isCompletion, replyCode, ReplyError, type Reply } from "./control/reply.ts";
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

/**
 * Explains a connection lost before an answer to USER: a server may close it over HOST (S2). After a
 * refusal of HOST, later sessions leave it out: an open connection would go on without it, too.
 */
export function explainedByHost(
  error: unknown,
  state: State,
  capabilities: ServerCapabilities,
): unknown {
  const { host, hostReply, isUserAnswered = false } = state;
  const { syntaxError, parameterNotImplemented } = replyCode;
  if (host === undefined || isUserAnswered) return error;
  if (hostReply?.code === syntaxError || hostReply?.code === parameterNotImplemented)
    return hostUnserved(host, hostReply, "connect without naming the host: add --no-host");
  const isAccepted = hostReply !== undefined && isCompletion(hostReply);
  const isKnown = isAccepted || capabilities.host !== undefined;
  if (isKnown || !(error instanceof NetworkFailure)) return error;
  if (hostReply !== undefined) {
    capabilities.host = "left out";
    return error;
  }
  return error.with({ hint: "a server without virtual hosts may not take HOST: add --no-host" });
}

export function hostUnserved(host: string | undefined, reply: Reply, hint?: string): ReplyError {
  return new ReplyError(`the server does not serve the host "${host ?? ""}"`, reply, hint);
}

/** True if the session, without HOST or after its refusal, may serve another host: another session had HOST accepted. */
export function isOtherHost({ hostReply }: State, { host }: ServerCapabilities): boolean {
  const isNamed = hostReply !== undefined && isCompletion(hostReply);
  return host === "accepted" && !isNamed;
}

export function checkHost(state: State, capabilities: ServerCapabilities): string | undefined {
  const { hostReply } = state;
  if (hostReply === undefined) return undefined;
  if (isOtherHost(state, capabilities)) {
    const { message } = hostUnserved(state.host, hostReply);
    throw new FtpullError("refused", message, { transient: true });
  }
  const { host: before } = capabilities;
  capabilities.host = isCompletion(hostReply) ? "accepted" : (before ?? "refused");
  const isFirstAfterRefusals = capabilities.host === "accepted" && before !== "accepted";
  return isFirstAfterRefusals && before !== undefined
    ? "HOST was refused before: what came may be another host's"
    : undefined;
}

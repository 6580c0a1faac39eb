/**
 * HOST (RFC 7151), which chooses a virtual host, and its reply. A server that has accepted HOST has
 * to accept it in all sessions of the run.
 */
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
 * The error for a lost connection if the server refused HOST with 501 or 504, and never answered
 * USER (S2); undefined for connections that were lost otherwise.
 */
export function hostRefusal({ host, hostReply, stage }: State): ReplyError | undefined {
  const { syntaxError, parameterNotImplemented } = replyCode;
  const isUserAnswered = stage !== "user";
  if (isUserAnswered || hostReply === undefined) return undefined;
  if (hostReply.code !== syntaxError && hostReply.code !== parameterNotImplemented)
    return undefined;
  return hostUnserved(host, hostReply, "connect without naming the host: add --no-host");
}

/**
 * Adds the hint that HOST can be left out to a connection that was lost while HOST waited for its
 * reply: some servers without virtual hosts close it. Not after HOST was answered in this run.
 */
export function hintedAtHost(
  error: unknown,
  { host, hostReply }: State,
  capabilities: ServerCapabilities,
): unknown {
  const isAnswered = hostReply !== undefined || capabilities.host !== undefined;
  if (host === undefined || isAnswered || !(error instanceof NetworkFailure)) return error;
  return error.with({ hint: "a server without virtual hosts may not take HOST: add --no-host" });
}

export function hostUnserved(host: string | undefined, reply: Reply, hint?: string): ReplyError {
  return new ReplyError(`the server does not serve the host "${host ?? ""}"`, reply, hint);
}

/**
 * True if the session may serve another host's documents: it refused HOST, which another session of
 * the run accepted.
 */
export function isOtherHost({ hostReply }: State, { host }: ServerCapabilities): boolean {
  return host === "accepted" && hostReply !== undefined && !isCompletion(hostReply);
}

/**
 * Notes a session's reply to HOST; returns the warning that earlier sessions may have served
 * another host. @throws FtpullError, transient, if `isOtherHost`
 */
export function checkHost(state: State, capabilities: ServerCapabilities): string | undefined {
  const { hostReply } = state;
  if (hostReply === undefined) return undefined;
  if (isOtherHost(state, capabilities)) {
    const { message } = hostUnserved(state.host, hostReply);
    throw new FtpullError("refused", message, { transient: true });
  }
  const isFirstAfterRefusals = isCompletion(hostReply) && capabilities.host === "refused";
  capabilities.host = isCompletion(hostReply) ? "accepted" : "refused";
  return isFirstAfterRefusals
    ? "HOST was refused before: what came may be another host's"
    : undefined;
}

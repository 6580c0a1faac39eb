/**
 * HOST (RFC 7151), which chooses a virtual host, and its reply. A server that has accepted HOST has
 * to accept it in all sessions of the run.
 */
import { FtpullError } from "../errors.ts";
import { isCompletion, replyCode, ReplyError, type Reply } from "./control/reply.ts";
import type { ServerCapabilities } from "./session-options.ts";
import type { Command, State } from "./state.ts";

export function hostCommand(host: string): Command {
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
 * A refusal of HOST with 501 or 504 (S2), and no reply to USER behind it. Called only when the
 * connection is lost.
 */
export function hostRefusal({ host, hostReply, stage }: State): ReplyError | undefined {
  const { syntaxError, parameterNotImplemented } = replyCode;
  if (stage !== "user") return undefined;
  if (hostReply?.code !== syntaxError && hostReply?.code !== parameterNotImplemented)
    return undefined;
  const hint = "connect without naming the host: add --no-host";
  return hostUnserved(host, hostReply, hint);
}

export function hostUnserved(host = "", reply: Reply, hint?: string): ReplyError {
  return new ReplyError(`the server does not serve the host "${host}"`, reply, hint);
}

/**
 * True if the session may serve another host's documents: it refused HOST, which another session of
 * the run accepted.
 */
export function isOtherHost({ hostReply }: State, { host }: ServerCapabilities): boolean {
  return host.isAccepted === true && hostReply !== undefined && !isCompletion(hostReply);
}

/**
 * Notes a session's reply to HOST; returns the warning that earlier sessions may have served
 * another host. @throws FtpullError, transient, if `isOtherHost`
 */
export function checkHost(state: State, { host }: ServerCapabilities): string | undefined {
  const { hostReply } = state;
  if (hostReply === undefined) return undefined;
  if (!isCompletion(hostReply)) {
    host.isRefused = true;
    if (!host.isAccepted) return undefined;
    const { message } = hostUnserved(state.host, hostReply);
    throw new FtpullError("refused", message, { transient: true });
  }
  const isLate = host.isRefused && !host.isAccepted;
  host.isAccepted = true;
  return isLate ? "HOST was refused before: what came may be another host's" : undefined;
}

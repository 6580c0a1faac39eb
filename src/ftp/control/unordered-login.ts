/**
 * A login whose replies don't come in the order of the commands: python3-aioftp refuses unknown
 * commands at once, and pyftpdlib a wrong password after 3 s, behind all other replies.
 */
import type { Command } from "../state.ts";
import { isIntermediate, isNegative, replyCode, type Reply } from "./reply.ts";

type Sent = Pick<Command, "line">;

const { loggedIn, loggedInAuthorized, notLoggedIn, wrongCredentials } = replyCode;
const { unknownCommand, notImplemented } = replyCode;

export function isLogin({ line }: Sent): boolean {
  return /^(?:USER|PASS) /.test(line);
}

/** A server knows USER and PASS: a reply that names an unknown command belongs to another one. */
export function saysUnknown({ code }: Reply): boolean {
  return code === unknownCommand || code === notImplemented;
}

export function isLoggedIn({ code }: Reply): boolean {
  return code === loggedIn || code === loggedInAuthorized;
}

/**
 * Puts the replies to a login and to the commands behind it in the commands' order, if they must
 * hold the refusal of the login: demands for the password, the refusal, the others. Undefined if
 * they may hold none. `oldest` is USER or PASS; with `areAll` no more replies are to come.
 */
export function refusalFirst(
  oldest: Sent,
  replies: readonly Reply[],
  areAll: boolean,
): readonly Reply[] | undefined {
  const demands = replies.filter(isIntermediate);
  // SuSE's ftp-proxy passes its upstream's greeting on as a reply: no password was judged.
  if (oldest.line.startsWith("USER ") && demands.length === 0) return undefined;
  const refusal = refusalIn(replies, areAll);
  if (refusal === undefined) return undefined;
  const others = replies.filter((reply) => reply !== refusal && !isIntermediate(reply));
  return [...demands, refusal, ...others];
}

/** Commands that need a login are refused by the same code, but several times in the same words. */
function refusalIn(replies: readonly Reply[], areAll: boolean): Reply | undefined {
  const refusals = replies.filter(({ code }) => code === notLoggedIn || code === wrongCredentials);
  const words = refusals.map(textOf);
  const isUnique = (reply: Reply): boolean =>
    words.filter((text) => text === textOf(reply)).length === 1;
  const refusal = refusals.findLast(isUnique) ?? refusals.at(-1);
  if (refusal !== undefined) return refusal;
  return areAll && replies.every(isNegative) ? replies[0] : undefined;
}

function textOf({ lines }: Reply): string {
  return lines.join("\n");
}

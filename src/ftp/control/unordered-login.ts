/**
 * A login whose replies don't come in the order of the commands: python3-aioftp refuses unknown
 * commands at once, and pyftpdlib a wrong password after 3 s, behind all other replies.
 */
import type { Command } from "../state.ts";
import { isIntermediate, isNegative, isPreliminary, replyCode, type Reply } from "./reply.ts";

type Sent = Pick<Command, "line">;

const { loggedIn, loggedInAuthorized, notLoggedIn, wrongCredentials } = replyCode;
const { unknownCommand, notImplemented, serviceNotAvailable } = replyCode;

/** Replies to an unordered login, from the first misplaced one on. */
export class UnorderedLogin {
  readonly #replies: Reply[] = [];
  #hasLoggedIn = false;
  hasReordered = false;

  get count(): number {
    return this.#replies.length;
  }

  assigned(reply: Reply): void {
    this.#hasLoggedIn ||= isLoggedIn(reply);
  }

  /** True if `reply`, which `oldest` can't have, may belong to another command of the login. */
  mayFit(reply: Reply, oldest: Sent | undefined): boolean {
    const isOpen = oldest !== undefined && isLogin(oldest) && !this.#hasLoggedIn;
    return isOpen && !isPreliminary(reply) && reply.code !== serviceNotAvailable;
  }

  add(reply: Reply): void {
    this.#replies.push(reply);
  }

  clear(): void {
    this.#replies.length = 0;
  }

  take(oldest: Sent, expected: number): readonly Reply[] | undefined {
    const areAll = this.#replies.length === expected;
    const replies = refusalFirst(oldest, this.#replies.splice(0), areAll);
    this.hasReordered ||= replies !== undefined;
    return replies;
  }
}

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
 * The replies to `oldest`, USER or PASS, and to the commands behind it, in order: the refusal of
 * the login comes before the others. Undefined if none need be that refusal. Without a demand for a
 * password (SuSE's ftp-proxy passes its upstream's greeting on instead), no password was judged.
 */
function refusalFirst(
  oldest: Sent,
  replies: readonly Reply[],
  areAll: boolean,
): readonly Reply[] | undefined {
  const demands = replies.filter(isIntermediate);
  if (oldest.line.startsWith("USER ") && demands.length === 0) return undefined;
  const refusal = refusalIn(replies, areAll);
  if (refusal === undefined) return undefined;
  const others = replies.filter((reply) => reply !== refusal && !isIntermediate(reply));
  return [...demands, refusal, ...others];
}

/** Commands that need a login are refused by the same code, but several times in the same words. */
function refusalIn(replies: readonly Reply[], areAll: boolean): Reply | undefined {
  const refusals = replies.filter(({ code }) => code === notLoggedIn || code === wrongCredentials);
  const words = refusals.map(({ lines }) => lines.join("\n"));
  const unique = words.findLastIndex((text) => words.indexOf(text) === words.lastIndexOf(text));
  return refusals.at(unique) ?? (areAll && replies.every(isNegative) ? replies[0] : undefined);
}

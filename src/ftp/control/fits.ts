/** Which command can have which reply: asked where commands have shared a write, when a wrong match would go unnoticed. */
import type { Command } from "../state.ts";
import {
  isAccountDemand,
  isCompletion,
  isNegative,
  isPreliminary,
  isTransientNegative,
  type Reply,
} from "./reply.ts";

export type SentCommand = Pick<Command, "line" | "codes" | "form">;

/** The oldest command that waits for a reply; `isLast` if no command waits behind it. */
interface Pending {
  readonly oldest: { readonly command: SentCommand; readonly first?: Reply | undefined };
  readonly isLast: boolean;
  readonly isLoggedIn: boolean;
}

/**
 * True if the oldest command can have the reply.
 *
 * | reply | the oldest command can have it |
 * | --- | --- |
 * | 1yz | always: a final reply follows, and decides |
 * | 2yz, 3yz | if it is one of the command's codes, in its form (MDTM's is a time, SIZE's has the same code) |
 * | 2yz behind 1yz | always: servers end transfers with any; a reply that was left out shows at the next one |
 * | 332, 532 | if it is the last: ACCT has to come before those behind it |
 * | 4yz, 5yz of USER, PASS | if it is the last, or a login is done: it may be the refusal of a command that needs one |
 * | 3yz, 5yz behind 1yz | if it is the last: it may be the refusal of the next file's CWD |
 * | 4yz, 5yz | always |
 */
export function fits(reply: Reply, { oldest, isLast, isLoggedIn }: Pending): boolean {
  const { command, first } = oldest;
  if (isPreliminary(reply) || (first !== undefined && isCompletion(reply))) return true;
  if (isLast && (first !== undefined || isNegative(reply) || isAccountDemand(reply))) return true;
  if (isAccountDemand(reply)) return false;
  if (!isNegative(reply))
    return command.codes.includes(reply.code) && (command.form?.test(reply.lines[0] ?? "") ?? true);
  if (first !== undefined) return isTransientNegative(reply);
  // PASS is refused, too, where USER was enough.
  return isLoggedIn || !isLogin(command);
}

export function isLogin({ line }: SentCommand): boolean {
  return line.startsWith("USER ") || line.startsWith("PASS ");
}

/**
 * Whether a server answers what is sent during a transfer after it, in order. RFC 959 leaves that
 * open. One that does can be asked for the next document together with this one.
 */
import { NetworkFailure } from "../../errors.ts";
import type { TransferReplies } from "../data/transfer.ts";
import type { ServerCapabilities } from "../session-options.ts";
import type { ControlConnection } from "./control-connection.ts";
import { quoteReply, replyCode, type Reply } from "./reply.ts";

/** What is sent behind a transfer's command to find out: no answer to it can be taken for the transfer's. */
export const question: readonly string[] = ["NOOP"];

/**
 * The replies to a transfer's command, of which `first` is the first, with `behind` sent in the
 * same write. The answer to `question` is passed over where it comes too early.
 * @throws FtpullError "network" where another command's comes too early: the connection is
 *   closed, since nobody knows any more which reply belongs to what
 */
export function repliesInOrder(
  first: Promise<Reply>,
  control: ControlConnection,
  behind: readonly string[],
  capabilities: ServerCapabilities,
): TransferReplies {
  const { timeoutMs } = control;
  const end = (): Promise<Reply> => control.completion(0);
  if (behind.length === 0) return { first, last: end, timeoutMs };
  const isQuestion = behind === question;
  const isEarly = isQuestion ? isAnswer : isOfAnother;
  // Until the answer comes after the transfer: there are servers that drop it.
  if (isQuestion) capabilities.inOrder = false;
  const passOver = (early: Reply): void => {
    if (!isQuestion) throw outOfOrder(control, early, "during a transfer");
    control.ahead.answered();
  };
  const begin = async (): Promise<Reply> => {
    const reply = await first;
    if (!isEarly(reply, false)) return reply;
    passOver(reply);
    return control.reply();
  };
  const last = async (): Promise<Reply> => {
    const reply = await end();
    if (!isEarly(reply, true)) return reply;
    passOver(reply);
    const next = await end();
    // NOOP's answer at last: what came before was the transfer's.
    return next.code === replyCode.okay ? reply : next;
  };
  return { first: begin(), last, timeoutMs };
}

/** A server that reads during a transfer, but for ABOR only, calls NOOP unknown. */
function isAnswer({ code }: Reply, hasBegun: boolean): boolean {
  return code === 200 || (hasBegun && (code === 500 || code === 502));
}

/** What CWD, TYPE, SIZE, MDTM and EPSV are answered by, and a transfer that has begun is not. */
function isOfAnother({ code }: Reply, hasBegun: boolean): boolean {
  return [200, 213, 229].includes(code) || (hasBegun && [500, 502, 504, 550].includes(code));
}

/** Closes the connection on which `reply` came, as `when` says, though it can't be due yet. */
export function outOfOrder(control: ControlConnection, reply: Reply, when: string): NetworkFailure {
  const text = `the server doesn't answer in order: ${quoteReply(reply)} ${when}`;
  const failure = new NetworkFailure(text);
  control.close(failure);
  return failure;
}

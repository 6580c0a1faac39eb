/** A transfer: its command, the data, and the reply that ends it, in any order (RFC 959 §5.4, §3.2). */
import { FtpullError, NetworkFailure, toFtpullError, UnreachablePort } from "../../errors.ts";
import { within } from "../../net/deadline.ts";
import { type Exchange, Misplaced } from "../control/exchange.ts";
import {
  BrokenOff,
  isCompletion,
  isNegative,
  isPreliminary,
  quoteReply,
  replyCode,
  ReplyError,
  TransferRefused,
  type Reply,
} from "../control/reply.ts";
import { BrokenData, StopReading, UnclosedData, type DataConnection } from "./data-connection.ts";
import type { DataEnd } from "./secured-data.ts";

type End = DataEnd | FtpullError;

/** The longest wait for the other connection to give the reason of a failure. */
const graceMs = 1000;

/** End of a transfer. With an `error` only the number of octets tells whether the file is whole. */
export interface Completion {
  readonly error?: FtpullError;
  /** The last reply, a 2yz; after StopReading it isn't asked for. */
  readonly reply?: Reply;
  readonly isEmpty?: boolean;
  /** Octets of the file that the first reply announced, if the transfer began at 0. */
  readonly announced?: number | undefined;
}

/**
 * Waits for the end of the data and the final reply, at most `timeoutMs` after that end. @throws
 * TransferRefused before any octet, BrokenOff after; FtpullError "network"; the sink's error
 */
export async function runTransfer(
  what: string,
  exchange: Exchange,
  data: DataConnection,
  timeoutMs: number,
): Promise<Completion> {
  const ended = data.ended.catch(toFtpullError);
  try {
    const first = await firstReply(exchange.firstReply(), ended);
    if (!isPreliminary(first) && !isCompletion(first)) throw new TransferRefused(what, first);
    return await bothEnds(what, exchange.finalReply("unlimited"), ended, timeoutMs);
  } catch (error) {
    data.abort();
    if (error instanceof Misplaced && data.begun) throw new UntrustedTransfer(error.message);
    throw await reasonOf(brokenOff(what, error, exchange.first, data), ended);
  }
}

/** Some names, such as directories, are refused only behind 1yz. */
function brokenOff(what: string, error: unknown, first: Reply | undefined, data: DataConnection) {
  if (!(error instanceof ReplyError) || first === undefined || !isPreliminary(first)) return error;
  return new (data.begun ? BrokenOff : TransferRefused)(what, error.reply);
}

/** Octets came over a session whose replies don't count: they may be another document's. */
export class UntrustedTransfer extends NetworkFailure {}

async function reasonOf(error: unknown, ended: Promise<End>): Promise<unknown> {
  // The server does not reply while it waits for a connection that cannot be made.
  if (error instanceof NetworkFailure) {
    const reason = await within(0, ended);
    return reason instanceof UnreachablePort ? reason : error;
  }
  if (!(error instanceof ReplyError) || !aboutData.has(error.reply.code)) return error;
  const reason = await ended;
  return reason instanceof FtpullError && !(reason instanceof BrokenData) ? reason : error;
}

const aboutData = new Set<number>([replyCode.cannotOpenData, replyCode.transferAborted]);

/** A server that refuses may close the data connection first: its reply says more, if it comes. */
function firstReply(reply: Promise<Reply>, ended: Promise<End>): Promise<Reply> {
  const dropped = ended.then(async (end) => {
    // With StopReading the data was faster than the reply.
    if (!(end instanceof FtpullError) || end instanceof StopReading) return reply;
    const late = await within(graceMs, reply);
    if (late === undefined) throw end;
    return late;
  });
  return Promise.race([reply, dropped]);
}

async function bothEnds(
  what: string,
  last: Promise<Reply>,
  ended: Promise<End>,
  timeoutMs: number,
): Promise<Completion> {
  const replied: Promise<Reply | FtpullError> = last.catch((error: unknown) => {
    if (error instanceof Misplaced) throw error;
    return toFtpullError(error);
  });
  const refused = replied.then((reply) => (isRefusal(reply) ? within(graceMs, ended) : ended));
  const end = await Promise.race([ended, refused]);
  const isStopped = end instanceof StopReading;
  if (end instanceof FtpullError && !isStopped) return judgeBroken(what, end, replied);
  const longest = isStopped ? graceMs : timeoutMs;
  const outcome = await within(longest, replied);
  if (end === undefined && outcome instanceof FtpullError) throw outcome;
  if (outcome instanceof FtpullError) return { error: outcome };
  if (outcome === undefined) return unconfirmed(` within ${longest / 1000} s`);
  // After StopReading servers reply 426 or 451, or 225 or 226.
  return isStopped ? {} : judge(what, outcome, end);
}

/** True if no more data is to be expected; after the loss of the control connection, it may come. */
const isRefusal = (reply: Reply | FtpullError): boolean =>
  reply instanceof FtpullError ? reply.kind === "protocol" : isNegative(reply);

/** Judges a broken data connection: the reply says why, or is positive, and the octets decide. */
async function judgeBroken(
  what: string,
  error: FtpullError,
  replied: Promise<Reply | FtpullError>,
): Promise<Completion> {
  if (error.kind !== "network") throw error;
  const isBroken = error instanceof BrokenData;
  // A reply after a local timeout is its consequence, not its reason.
  const outcome = await within(isBroken ? graceMs : 0, replied);
  if (outcome === undefined || outcome instanceof FtpullError) throw error;
  if (isCompletion(outcome)) return { error, reply: outcome };
  throw isBroken && isNegative(outcome) ? new ReplyError(what, outcome) : error;
}

function judge(what: string, reply: Reply, end: DataEnd | undefined): Completion {
  // The reply to an early QUIT, from a server that sends none to the transfer.
  if (reply.code === replyCode.closing) return unconfirmed();
  if (isCompletion(reply) && end === "unclosed") return { error: new UnclosedData(), reply };
  if (isCompletion(reply)) return { reply };
  if (isNegative(reply)) throw new ReplyError(what, reply);
  throw new FtpullError("protocol", `${what}: ${quoteReply(reply)} where the end was expected`);
}

function unconfirmed(when = ""): Completion {
  const text = `the server did not confirm the end of the transfer${when}`;
  return { error: new NetworkFailure(text) };
}

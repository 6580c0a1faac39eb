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

type DataOutcome = DataEnd | FtpullError;
type ReplyOutcome = Reply | FtpullError;

/** The longest wait for the other connection to tell the reason of a failure. */
const graceMs = 1000;

/**
 * The end of a transfer. With an `error` only the number of octets tells whether the file is whole. `reply` is a
 * 2yz; after StopReading it isn't asked for. `announced` is the number of octets in the first reply, the file's if
 * the transfer began at 0.
 */
export interface Completion {
  readonly error?: FtpullError;
  readonly reply?: Reply;
  readonly isEmpty?: boolean;
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
    // A server that refuses may close the data connection first, and the reply says more.
    const first = await withGrace(exchange.firstReply(), ended, hasFailed);
    if (first === undefined) throw toFtpullError(await ended);
    if (!isPreliminary(first) && !isCompletion(first)) throw new TransferRefused(what, first);
    return await bothEnds(what, exchange.finalReply("unlimited"), ended, timeoutMs);
  } catch (error) {
    data.abort();
    if (error instanceof Misplaced && data.hasOctets) throw new UntrustedTransfer(error.message);
    const hasBegun = exchange.first !== undefined && isPreliminary(exchange.first);
    const isEarlyEnd = hasBegun && error instanceof ReplyError;
    const failure = isEarlyEnd ? earlyEnd(what, error.reply, data) : error;
    throw await reasonOf(failure, ended);
  }
}

/** The error for a refusal behind 1yz: some names, such as directories, are refused only there. */
function earlyEnd(what: string, reply: Reply, { hasOctets }: DataConnection): ReplyError {
  return hasOctets ? new BrokenOff(what, reply) : new TransferRefused(what, reply);
}

/** Octets came over a session whose replies don't count: they may be another document's. */
export class UntrustedTransfer extends NetworkFailure {}

/** The failure of the data connection where `error` is its consequence, else `error`. */
async function reasonOf(error: unknown, ended: Promise<DataOutcome>): Promise<unknown> {
  // The server does not reply while it waits for a connection that cannot be made.
  if (error instanceof NetworkFailure) {
    const reason = await within(0, ended);
    return reason instanceof UnreachablePort ? reason : error;
  }
  const isAboutData = error instanceof ReplyError && codesAboutData.has(error.reply.code);
  if (!isAboutData) return error;
  const reason = await ended;
  const isOwnFailure = reason instanceof FtpullError && !(reason instanceof BrokenData);
  return isOwnFailure ? reason : error;
}

const codesAboutData = new Set<number>([replyCode.cannotOpenData, replyCode.transferAborted]);

/** Resolves as `awaited` does; undefined if it hasn't come `graceMs` after an outcome of `other` that ends the wait. */
function withGrace<T, U>(
  awaited: Promise<T>,
  other: Promise<U>,
  endsWait: (outcome: U) => boolean,
): Promise<T | undefined> {
  const afterOther = other.then((outcome) =>
    endsWait(outcome) ? within(graceMs, awaited) : awaited,
  );
  return Promise.race([awaited, afterOther]);
}

function hasFailed(end: DataOutcome): boolean {
  return end instanceof FtpullError && !(end instanceof StopReading);
}

async function bothEnds(
  what: string,
  last: Promise<Reply>,
  ended: Promise<DataOutcome>,
  timeoutMs: number,
): Promise<Completion> {
  const replied: Promise<ReplyOutcome> = last.catch((error: unknown) => {
    if (error instanceof Misplaced) throw error;
    return toFtpullError(error);
  });
  const end = await withGrace(ended, replied, endsTransfer);
  const isStopped = end instanceof StopReading;
  if (end instanceof FtpullError && !isStopped) {
    if (end.kind !== "network") throw end;
    // A reply after a local timeout is its consequence, not its reason.
    const reason = await within(end instanceof BrokenData ? graceMs : 0, replied);
    return judgeBroken(what, end, reason);
  }
  const patienceMs = isStopped ? graceMs : timeoutMs;
  const reply = await within(patienceMs, replied);
  if (reply === undefined) return unconfirmed(` within ${patienceMs / 1000} s`);
  return judgeEnded(what, end, reply);
}

/** True if no more data is to be expected; after the loss of the control connection, it may come. */
function endsTransfer(reply: ReplyOutcome): boolean {
  return reply instanceof FtpullError ? reply.kind === "protocol" : isNegative(reply);
}

/** Judges a broken data connection: the reply says why, or is positive, and the octets decide. */
function judgeBroken(what: string, error: FtpullError, reply?: ReplyOutcome): Completion {
  if (reply === undefined || reply instanceof FtpullError) throw error;
  if (isCompletion(reply)) return { error, reply };
  if (error instanceof BrokenData && isNegative(reply)) throw new ReplyError(what, reply);
  throw error;
}

function judgeEnded(what: string, end: DataOutcome | undefined, reply: ReplyOutcome): Completion {
  if (reply instanceof FtpullError) {
    if (end === undefined) throw reply;
    return { error: reply };
  }
  // After StopReading servers reply 426 or 451, or 225 or 226.
  if (end instanceof StopReading) return {};
  if (isCompletion(reply) && end === "unclosed") return { error: new UnclosedData(), reply };
  if (isCompletion(reply)) return { reply };
  if (isNegative(reply)) throw new ReplyError(what, reply);
  throw new FtpullError("protocol", `${what}: ${quoteReply(reply)} where the end was expected`);
}

function unconfirmed(withinTime = ""): Completion {
  const text = `the server did not confirm the end of the transfer${withinTime}`;
  return { error: new NetworkFailure(text) };
}

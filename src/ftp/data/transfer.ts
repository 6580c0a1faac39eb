/** A transfer: its command, the data, and the reply that ends it, in any order (RFC 959 §5.4, §3.2). */
import { FtpullError, NetworkFailure, toFtpullError } from "../../errors.ts";
import { within } from "../../net/deadline.ts";
import { type Exchange, Misplaced } from "../control/exchanges.ts";
import {
  BrokenOff,
  isCompletion,
  isPreliminary,
  replyCode,
  type Reply,
  TransferRefused,
} from "../control/reply.ts";
import { BrokenData, StopReading, UnclosedData, type DataConnection } from "./data-connection.ts";
import type { DataEnd } from "./secured-data.ts";

/**
 * The end of a transfer. With an `error` only the number of octets tells whether the file is whole. `reply` is a
 * 2yz; after StopReading it isn't asked for. `announced` is the number of octets in the first reply, the file's if
 * the transfer began at 0.
 */
export interface Completion {
  readonly error?: FtpullError | undefined;
  readonly reply?: Reply | undefined;
  readonly isEmpty?: boolean;
  readonly announced?: number | undefined;
}

/** Octets came over a session whose replies don't count: they may be another document's. */
export class UntrustedTransfer extends NetworkFailure {}

type DataOutcome = DataEnd | FtpullError;
type ReplyOutcome = Reply | FtpullError;

/** The longest wait for the other connection to tell the reason of a failure. */
const longestGraceMs = 1000;

/**
 * Waits for the end of the data, and then for the final reply. @throws TransferRefused before any octet, BrokenOff
 * after; FtpullError "network"; the sink's error
 */
export async function runTransfer(
  what: string,
  exchange: Exchange,
  data: DataConnection,
): Promise<Completion> {
  const ended = data.ended.catch(toFtpullError);
  // The data has limits of its own.
  const last = exchange.firstReply().then(() => exchange.finalReply("unlimited"));
  const replied = last.catch(toFtpullError);
  const hasBegun = (): boolean => exchange.first !== undefined && isPreliminary(exchange.first);
  try {
    const end = await endOfData(ended, replied, hasBegun);
    // A reply after a failure of this side is its consequence, unless the server had refused before.
    const graceMs = hasBegun() && isOwn(end) ? 0 : longestGraceMs;
    const reply =
      end instanceof FtpullError
        ? await within(graceMs, replied)
        : await exchange.finalReply().catch(toFtpullError);
    if (reply instanceof Misplaced)
      throw data.hasOctets ? new UntrustedTransfer(reply.message) : reply;
    return judge(what, data, end, reply, hasBegun());
  } catch (error) {
    data.abort();
    await ended; // A write on its way would land in the next transfer.
    throw error;
  }
}

/** Resolves with the end of the data; undefined where a reply, or its failure, says that no more will come. */
function endOfData(
  ended: Promise<DataOutcome>,
  replied: Promise<ReplyOutcome>,
  hasBegun: () => boolean,
): Promise<DataOutcome | undefined> {
  const ruledOut = replied.then((reply) => {
    const isLost = reply instanceof FtpullError;
    if (!isLost && isCompletion(reply)) return ended;
    if (reply instanceof Misplaced || !hasBegun()) return within(0, ended);
    // After the loss of the control connection the data may still come.
    return isLost && reply.kind === "network" ? ended : within(longestGraceMs, ended);
  });
  return Promise.race([ended, ruledOut]);
}

/** True for a failure of this side: of the sink, of TLS, or a limit of time. */
function isOwn(end: DataOutcome | undefined): end is FtpullError {
  return end instanceof FtpullError && !(end instanceof BrokenData || end instanceof StopReading);
}

/**
 * The end of a transfer, by the end of its data and its last reply. "Broken" data was cut by the server or the
 * network, or still goes on; "failed" data is a failure of this side; "stopped" data by StopReading.
 *
 * | data | 2yz | another reply | none |
 * | --- | --- | --- | --- |
 * | ended | whole | the reply's failure | the octets decide |
 * | broken | the octets decide | the reply's failure | the data's failure |
 * | failed | the octets decide, if it was a silence | the data's, or the refusal behind it | the data's failure |
 * | stopped | as wanted | as wanted | as wanted, but the session is over |
 */
function judge(
  what: string,
  { hasOctets }: DataConnection,
  end: DataOutcome | undefined,
  outcome: ReplyOutcome | undefined,
  hasBegun: boolean,
): Completion {
  const reply = outcome instanceof FtpullError ? undefined : outcome;
  const error = end instanceof FtpullError ? end : undefined;
  const silence = () => (outcome instanceof FtpullError ? outcome : unconfirmed());
  if (end instanceof StopReading) return reply === undefined ? { error: silence() } : {};
  if (reply === undefined && typeof end === "string") return { error: silence() };
  if (reply === undefined) throw error ?? silence();
  if (isCompletion(reply)) {
    if (isOwn(end) && end.kind !== "network") throw end;
    return { error: end === "unclosed" ? new UnclosedData() : error, reply };
  }
  const isConsequence = isOwn(end) && (hasBegun || codesAboutData.has(reply.code));
  if (isConsequence) throw end;
  throw new (hasOctets ? BrokenOff : TransferRefused)(what, reply);
}

const codesAboutData = new Set<number>([replyCode.cannotOpenData, replyCode.transferAborted]);

function unconfirmed(): NetworkFailure {
  return new NetworkFailure("the server did not confirm the end of the transfer");
}

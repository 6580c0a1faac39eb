/** A transfer: its command, the data, and the reply that ends it, in any order (RFC 959 §5.4, §3.2). */
import { FtpullError, hasReason, networkError, toFtpullError } from "../../errors.ts";
import { within } from "../../net/deadline.ts";
import type { Exchange } from "../control/exchanges.ts";
import {
  isCompletion,
  isPreliminary,
  replyCode,
  type Reply,
  transferError,
} from "../control/reply.ts";
import type { DataConnection } from "./data-connection.ts";
import type { DataEnd } from "./secured-data.ts";

/**
 * The end of a transfer. With an `error` only the number of octets tells whether the file is whole. `reply` is a
 * 2yz; after "enough read" it isn't asked for. `announced` is the number of octets in the first reply, the file's if
 * the transfer began at 0.
 */
export interface Completion {
  readonly error?: FtpullError | undefined;
  readonly reply?: Reply | undefined;
  readonly isEmpty?: boolean;
  readonly announced?: number | undefined;
}

type DataOutcome = DataEnd | FtpullError;
type ReplyOutcome = Reply | FtpullError;

/** The longest wait for the other connection to tell the reason of a failure. */
const longestGraceMs = 1000;

/**
 * Waits for the end of the data, and then for the final reply. @throws transferError;
 * FtpullError "network"; the sink's error
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
    // Octets over a session whose replies don't count may be another document's.
    if (hasReason(reply, "misplaced reply"))
      throw data.hasOctets ? networkError(reply.message, { reason: "untrusted data" }) : reply;
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
    if (hasReason(reply, "misplaced reply") || !hasBegun()) return within(0, ended);
    // After the loss of the control connection the data may still come.
    return isLost && reply.kind === "network" ? ended : within(longestGraceMs, ended);
  });
  return Promise.race([ended, ruledOut]);
}

/** True for a failure of this side: of the sink, of TLS, or a limit of time. */
function isOwn(end: DataOutcome | undefined): end is FtpullError {
  return end instanceof FtpullError && !hasReason(end, "data cut", "enough read");
}

/**
 * The end of a transfer, by the end of its data and its last reply. "Broken" data was cut by the server or the
 * network, or still goes on; "failed" data is a failure of this side; "stopped" data by a sink that has enough.
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
  if (hasReason(end, "enough read")) return reply === undefined ? { error: silence() } : {};
  if (reply === undefined && typeof end === "string") return { error: silence() };
  if (reply === undefined) throw error ?? silence();
  if (isCompletion(reply)) {
    if (isOwn(end) && end.kind !== "network") throw end;
    return { error: end === "unclosed" ? unclosed() : error, reply };
  }
  const isConsequence = isOwn(end) && (hasBegun || codesAboutData.has(reply.code));
  if (isConsequence) throw end;
  throw transferError(what, reply, hasOctets);
}

const codesAboutData = new Set<number>([replyCode.cannotOpenData, replyCode.transferAborted]);

function unconfirmed(): FtpullError {
  return networkError("the server did not confirm the end of the transfer");
}

function unclosed(): FtpullError {
  const words = "the data connection was closed without TLS's close_notify: it may have been cut";
  return networkError(words, { reason: "data unclosed" });
}

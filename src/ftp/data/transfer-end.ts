/** How a transfer ends: by its data and its final reply, in any order (RFC 959 §5.4, §3.2). */
import { FtpullError, hasReason, networkError, toFtpullError } from "../../errors.ts";
import { within } from "../../net/time-limit.ts";
import type { Exchange } from "../control/exchanges.ts";
import {
  isCompletion,
  isPreliminary,
  parse150Size,
  replyCode,
  type Reply,
  transferError,
} from "../control/reply.ts";
import type { DataConnection } from "./data-connection.ts";
import { type DataEnd, isClosed, isOwnFailure } from "./data-end.ts";

/**
 * The end of a transfer. With a `doubt` only the number of octets tells whether the file is whole. `reply` is a
 * 2yz; after "enough read" it isn't asked for. `announced` is the number of octets in the first reply, the file's if
 * the transfer began at 0.
 */
export interface Completion {
  readonly doubt?: FtpullError | undefined;
  readonly reply?: Reply | undefined;
  readonly isEmpty?: boolean;
  readonly announced?: number | undefined;
}

type DataState = DataEnd | "going on";

/** The final reply, or why there is none. */
type ReplyState = Reply | FtpullError;

/** The longest wait for the other connection to tell the reason of a failure. */
const longestGraceMs = 1000;

/**
 * Waits for the end of the data, then for the final reply; `dataClosed` is called in between, unless the data failed.
 * @throws transferError; FtpullError "network"; the sink's error
 */
export async function endOfTransfer(
  what: string,
  exchange: Exchange,
  data: DataConnection,
  dataClosed: () => void,
): Promise<Completion> {
  // The data has limits of its own.
  const last = exchange.firstReply().then(() => exchange.finalReply("unlimited"));
  const replied = last.catch(toFtpullError);
  const end = await endOfData(exchange, data, replied);
  if (isClosed(end)) dataClosed();
  const reply = await finalReply(exchange, end, replied);
  // Octets over a session whose replies don't count may be another document's.
  if (hasReason(reply, "misplaced reply"))
    throw data.hasOctets ? networkError(reply.message, { reason: "untrusted data" }) : reply;
  return judge(what, exchange, data, end, reply);
}

/** Resolves with the end of the data, or with "going on" where a reply, or its failure, rules out that more will come. */
function endOfData(
  exchange: Exchange,
  { ended }: DataConnection,
  replied: Promise<ReplyState>,
): Promise<DataState> {
  const endWithin = async (ms: number) => (await within(ms, ended)) ?? "going on";
  const ruledOut = replied.then((reply) => {
    const isLost = reply instanceof FtpullError;
    if (!isLost && isCompletion(reply)) return ended;
    if (hasReason(reply, "misplaced reply") || !hasBegun(exchange)) return endWithin(0);
    // After the loss of the control connection the data may still come.
    return isLost && reply.kind === "network" ? ended : endWithin(longestGraceMs);
  });
  return Promise.race([ended, ruledOut]);
}

async function finalReply(
  exchange: Exchange,
  end: DataState,
  replied: Promise<ReplyState>,
): Promise<ReplyState> {
  if (isClosed(end)) return exchange.finalReply().catch(toFtpullError);
  // A reply after a failure of this side is its consequence, unless the server had refused before.
  const graceMs = hasBegun(exchange) && isOwnFailure(end) ? 0 : longestGraceMs;
  return (await within(graceMs, replied)) ?? networkError(unconfirmedText);
}

/**
 * The end of a transfer, by the end of its data and its last reply.
 *
 * | data | 2yz | another reply | none |
 * | --- | --- | --- | --- |
 * | closed | whole | the reply's failure | the octets decide |
 * | closed without close_notify | the octets decide | the reply's failure | the octets decide |
 * | broken | the octets decide | the reply's failure | the data's failure |
 * | going on | can't be: its end is awaited | the reply's failure | the session's failure |
 * | failed on this side | the octets decide, if it was a silence | the data's, or the refusal behind it | the data's |
 * | stopped | as wanted | as wanted | as wanted, but the session is over |
 */
function judge(
  what: string,
  exchange: Exchange,
  data: DataConnection,
  end: DataState,
  reply: ReplyState,
): Completion {
  const dataError = end instanceof FtpullError ? end : undefined;
  const isReplied = !(reply instanceof FtpullError);
  const announced = exchange.first && parse150Size(exchange.first, exchange.command.line);
  const facts = { isEmpty: !data.hasOctets, announced };
  if (hasReason(end, "enough read")) return { doubt: isReplied ? undefined : reply, ...facts };
  if (!isReplied) {
    if (isClosed(end)) return { doubt: reply, ...facts };
    throw dataError ?? reply;
  }
  if (isCompletion(reply)) {
    if (isOwnFailure(end) && end.kind !== "network") throw end;
    // A reply alone may be one too many, with a refusal behind it: SIZE has to confirm the empty file.
    const unbegun = isUnbegun(exchange, data) ? networkError(unbegunText) : undefined;
    return { doubt: dataError ?? unbegun, reply, ...facts };
  }
  const isConsequence = isOwnFailure(end) && (hasBegun(exchange) || codesAboutData.has(reply.code));
  if (isConsequence) throw end;
  throw transferError(what, reply, data.hasOctets);
}

/** True if the only reply to RETR is a 2yz, and no data has come. */
export function isUnbegun({ command, first, final }: Exchange, { hasOctets }: DataConnection) {
  const isAlone = final !== undefined && first === final && isCompletion(final) && !hasOctets;
  return isAlone && command.line.startsWith("RETR ");
}

function hasBegun({ first }: Exchange): boolean {
  return first !== undefined && isPreliminary(first);
}

const codesAboutData = new Set<number>([replyCode.cannotOpenData, replyCode.transferAborted]);
const unconfirmedText = "the server did not confirm the end of the transfer";
const unbegunText = "the server confirmed a transfer that it hadn't begun";

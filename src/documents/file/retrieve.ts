/** Retrieves a file in one try: where it begins, what arrives, whether it is whole, and its name. */
import { FtpullError, NetworkFailure } from "../../errors.ts";
import { BrokenOff, RestartRefused } from "../../ftp/control/reply.ts";
import { type Completion, UntrustedTransfer } from "../../ftp/data/transfer.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Conversion } from "../../text/line-ends.ts";
import type { Result } from "../result.ts";
import { BeginAgain } from "../retry.ts";
import { leastOctets } from "../segments/blocks.ts";
import { SegmentedDownload } from "../segments/segmented-download.ts";
import type { Document } from "../task.ts";
import type { Tries } from "../task-tries.ts";
import { exactTime } from "./facts.ts";
import { Incoming } from "./incoming.ts";
import type { Output } from "./output.ts";
import { RangeReceiver } from "./range-receiver.ts";
import { CannotContinue, resumeOffset } from "./resume.ts";
import { skipAsWhole } from "./skip.ts";
import { type Arrival, checkWhole, isInDoubt } from "./whole.ts";

/** The file on its server. `askAgain` asks for its facts once more. */
export interface Source {
  readonly session: Session;
  readonly name: string;
  readonly facts: Facts;
  readonly conversion: Conversion;
  readonly askAgain: () => Promise<Facts>;
}

/** Returns the number of bytes, or the result of a file that was whole already. @throws BeginAgain, CannotContinue */
export async function retrieveFile(
  source: Source,
  output: Output,
  tries: Tries,
): Promise<number | Result> {
  const { facts, conversion } = source;
  const { document, rules } = output.download;
  const now = { url: document.shownUrl, ...facts };
  const stored = output.choose(now);
  const isText = conversion !== "none";
  const beginning = resumeOffset(stored, now, { isText, mustContinue: rules.mustContinue });
  if (beginning.dropped !== undefined && output.mustContinue)
    throw await refused(output, beginning.dropped);
  const { offset } = beginning;
  const connections = connectionsFor(facts, offset, output);
  const isInOrder = connections === 1;
  const file = new Incoming(output, tries, { facts, beginning, conversion, isInOrder });
  try {
    const arrival = isInOrder
      ? await receiveInOrder(source, file, tries)
      : await receiveBlocks(source, file, document, connections, tries);
    const again = isInDoubt(arrival) ? await factsNow(source, arrival) : undefined;
    const note = checkWhole(arrival, again);
    if (note !== undefined) tries.say(note);
  } catch (error) {
    if (!showsOtherFile(error)) throw error;
    const { message } = error;
    throw output.mustContinue ? await refused(output, message) : new BeginAgain(message);
  }
  const isAllHere = stored?.other !== undefined && offset > 0 && file.octets === offset;
  return isAllHere ? skipAsWhole(output.download, facts) : file.publish();
}

/** The failure of -c; the copy of the other program's file goes. */
async function refused({ destination }: Output, reason: string): Promise<FtpullError> {
  await destination.discard();
  return new CannotContinue(reason);
}

function showsOtherFile(error: unknown): error is FtpullError {
  return [BeginAgain, RestartRefused, UntrustedTransfer].some((kind) => error instanceof kind);
}

/** Several connections could mix two files of one size, which only the time tells apart. */
function connectionsFor(facts: Facts, offset: number, output: Output): number {
  const mayDivide = exactTime(facts) !== undefined && output.destination.cut !== undefined;
  const octets = (facts.size ?? 0) - offset;
  return mayDivide && octets >= 2 * leastOctets ? output.mostConnections : 1;
}

async function receiveInOrder(source: Source, file: Incoming, tries: Tries): Promise<Arrival> {
  const { session, name, facts } = source;
  const { size = Infinity } = facts;
  // Data without end would fill the disk: no log grows so much while it is fetched.
  const end = 2 * size + 1024 ** 3;
  const receiver = new RangeReceiver(file, { position: file.offset, end });
  const isResumed = receiver.offset > 0;
  const following = isResumed ? {} : { size, next: () => tries.upcoming(session) };
  const completion = await session
    .retrieve(name, receiver.offset, (chunk) => receiver.take(chunk), following)
    .catch((error: unknown) => refusedAtEnd(error, file.octets === size));
  if (!receiver.isCompared)
    throw completion.error ?? new BeginAgain("the server sent nothing from where it was to go on");
  if (receiver.position === end) throw new FtpullError("integrity", "the server sends without end");
  // The number in a 150 is sure to be the file's only for an image transfer from 0.
  const { announced } = session.state.type === "I" && !isResumed ? completion : {};
  return { octets: file.octets, isResumed, facts, announced, error: completion.error };
}

/** A negative reply after all bytes leaves the file in doubt; after fewer, it is a break. */
function refusedAtEnd(error: unknown, isComplete: boolean): Completion {
  if (isComplete && error instanceof BrokenOff) return { error };
  throw error;
}

async function receiveBlocks(
  { session, name, facts }: Source,
  file: Incoming,
  document: Document,
  connections: number,
  tries: Tries,
): Promise<Arrival> {
  await new SegmentedDownload(document, file, connections, tries).receive(session, name);
  return { octets: file.octets, isResumed: true, facts };
}

/** Asks once more; over a new session the next try does, which fetches the last 4 KiB. */
async function factsNow({ session, askAgain }: Source, { error }: Arrival): Promise<Facts> {
  if (session.usable) return askAgain();
  throw error ?? new NetworkFailure("nothing shows that the file is unchanged");
}

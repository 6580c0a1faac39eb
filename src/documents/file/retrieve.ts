/** Retrieves a file in one try: where it begins, what arrives, whether it is whole, and its name. */
import { FtpullError, hasReason, networkError } from "../../errors.ts";
import { existingFile } from "../../files/regular-file.ts";
import { type Completion } from "../../ftp/data/transfer-end.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { GotFile } from "../../ftp/proxy-file.ts";
import type { Session } from "../../ftp/session.ts";
import type { Conversion } from "../../text/line-ends.ts";
import type { Result } from "../result.ts";
import { beginAgain } from "../retry.ts";
import { leastOctets } from "../segments/blocks.ts";
import { SegmentedDownload } from "../segments/segmented-download.ts";
import type { Tries } from "../task-tries.ts";
import { exactTime } from "./facts.ts";
import { Incoming } from "./incoming.ts";
import type { Output } from "./output.ts";
import { RangeReceiver } from "./range-receiver.ts";
import { type Beginning, cannotContinue, resumeOffset } from "./resume.ts";
import { keepIfIntact } from "./skip.ts";
import { type Arrival, checkWhole, isInDoubt } from "./whole.ts";

/** The file on its server. `askAgain` asks for its facts once more. */
export interface Source {
  readonly session: Session;
  readonly name: string;
  readonly facts: Facts;
  readonly conversion: Conversion;
  readonly askAgain: () => Promise<Facts>;
}

/** Returns the number of bytes, or the result of a file that was whole already. @throws "begin again", "cannot continue" */
export async function retrieveFile(
  source: Source,
  output: Output,
  tries: Tries,
): Promise<number | Result> {
  const { document, rules } = output.download;
  const { facts, conversion } = source;
  const now = { url: document.shownUrl, ...facts };
  const stored = output.choose(now);
  const { label } = output.destination;
  const mustContinue =
    rules.existing.otherwise === "continue" && (existingFile(label)?.size ?? 0) > 0;
  let file: Incoming;
  try {
    const beginning = resumeOffset(stored, now, conversion !== "none");
    if (beginning.dropped !== undefined && mustContinue) throw beginAgain(beginning.dropped);
    file = await receive(source, beginning, output, tries);
  } catch (error) {
    if (!hasReason(error, "begin again", "restart refused", "untrusted data")) throw error;
    if (!mustContinue) throw beginAgain(error.message);
    output.destination.discard(); // The copy goes.
    throw cannotContinue(error.message);
  }
  const isAllHere = stored?.other !== undefined && file.octets === stored.octets;
  return isAllHere && file.offset > 0 ? keepWhole(source, output, tries) : file.publish();
}

async function keepWhole({ facts }: Source, { download }: Output, { observer }: Tries) {
  const kept = await keepIfIntact(download, "unchanged", facts, observer);
  if (kept === undefined) throw beginAgain("the file here is damaged");
  return kept;
}

/** Receives what is missing. @throws unless the file is whole */
async function receive(
  source: Source,
  beginning: Beginning,
  output: Output,
  tries: Tries,
): Promise<Incoming> {
  const { facts, conversion } = source;
  const connections = connectionsFor(facts, beginning.offset, output);
  const isInOrder = connections === 1;
  const file = new Incoming(output, tries, { facts, beginning, conversion, isInOrder });
  // All bytes came in an earlier try, whose end left a doubt: the facts that were asked for since have settled it.
  const isComplete = beginning.offset > 0 && output.destination.octets === facts.size;
  if (isComplete) return file;
  const { document } = output.download;
  const blocks = isInOrder ? undefined : new SegmentedDownload(document, file, connections, tries);
  await blocks?.receive(source.session, source.name);
  const arrival = blocks
    ? { octets: file.octets, isResumed: true, facts }
    : await receiveInOrder(source, file, tries);
  const again = isInDoubt(arrival) ? await factsNow(source, arrival) : undefined;
  const note = checkWhole(arrival, again);
  if (note !== undefined) tries.say(note);
  return file;
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
    .catch((error: unknown): Completion => {
      // A negative reply after all bytes leaves the file in doubt; after fewer, it is a break.
      if (file.octets === size && hasReason(error, "transfer broken off")) return { error };
      throw error;
    });
  if (!receiver.isCompared)
    throw completion.error ?? beginAgain("the server sent nothing from where it was to go on");
  if (receiver.position === end) throw new FtpullError("integrity", "the server sends without end");
  // The number in a 150 is sure to be the file's only for an image transfer from 0.
  const { announced } = session.state.type === "I" && !isResumed ? completion : {};
  return { octets: file.octets, isResumed, facts, announced, error: completion.error };
}

/** Asks once more; over a new session the next try does, which fetches the last 4 KiB. */
async function factsNow({ session, askAgain }: Source, { error }: Arrival): Promise<Facts> {
  if (session.usable) return askAgain();
  throw error ?? networkError("nothing shows that the file is unchanged");
}

/**
 * Stores a file that a proxy sends by GET: each try begins at 0, and nothing is kept of one that fails. Returns the
 * number of bytes. @throws FtpullError
 */
export async function storeGotFile(file: GotFile, output: Output, tries: Tries): Promise<number> {
  const { destination, download } = output;
  const { size, modified } = file;
  output.choose({ url: download.document.shownUrl, size, modified });
  const facts = { size, modified, source: "server" } as const;
  const bytes = { facts, beginning: { offset: 0 }, conversion: "none", isInOrder: true } as const;
  const incoming = new Incoming(output, tries, bytes);
  try {
    await file.receive(async (chunk) => {
      await incoming.write(incoming.octets, chunk);
      incoming.advance(chunk.length);
    });
    return await incoming.publish();
  } catch (error) {
    // Bytes on standard output stay counted: no try can begin again behind them.
    if (destination.rewindable) destination.discard();
    throw error;
  }
}

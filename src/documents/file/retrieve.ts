/** Retrieves a file in one try: where it begins, what arrives, whether it is whole, and its name. */
import { FtpullError, hasReason, networkError } from "../../errors.ts";
import type { Version } from "../../files/destination.ts";
import { existingFile } from "../../files/regular-file.ts";
import type { Completion } from "../../ftp/data/transfer-end.ts";
import type { Result } from "../result.ts";
import { beginAgain } from "../retry.ts";
import { leastOctets } from "../segments/blocks.ts";
import type { Tries } from "../task-tries.ts";
import { exactTime } from "./facts.ts";
import type { Incoming } from "./incoming.ts";
import { RangeReceiver } from "./range-receiver.ts";
import { cannotContinue, resumeOffset } from "./resume.ts";
import { keepIfIntact } from "./skip.ts";
import type { Source } from "./source.ts";
import { type Arrival, checkWhole, isInDoubt } from "./whole.ts";

/** Returns the number of bytes, or the result of a file that was whole already. @throws "begin again", "cannot continue" */
export async function retrieveFile(
  source: Source,
  file: Incoming,
  tries: Tries,
): Promise<number | Result> {
  const { destination } = file;
  const version = versionOf(file.download.document.shownUrl, source);
  const stored = file.choose(version);
  const mustStay = mayOnlyContinue(file);
  try {
    const beginning = resumeOffset(stored, version, source.facts, source.onlyWhole);
    if (beginning.dropped !== undefined && mustStay) throw beginAgain(beginning.dropped);
    const connections = connectionsFor(source, beginning.offset, file);
    const { facts } = source;
    const isInOrder = connections === 1;
    file.begin({ facts, version, beginning, isInOrder, tries });
    // All bytes came in an earlier try, whose end left a doubt: the facts that were asked for since have settled it.
    const isComplete = beginning.offset > 0 && destination.octets === facts.size;
    if (!isComplete) await receive(source, file, connections, tries);
  } catch (error) {
    if (!showsOtherFile(error)) throw error;
    if (!mustStay) throw beginAgain(error.message);
    destination.discard(); // The copy goes.
    throw cannotContinue(error.message);
  }
  const isAllHere = stored?.other !== undefined && file.octets === stored.octets;
  return isAllHere && file.offset > 0 ? keepWhole(file, tries) : file.publish();
}

/** True with -c alone, which replaces an empty file only. */
function mayOnlyContinue({ download, destination }: Incoming): boolean {
  const { otherwise } = download.rules.existing;
  return otherwise === "continue" && (existingFile(destination.label)?.size ?? 0) > 0;
}

/** The version by which the bytes can be resumed; without size and time, no run does it. */
function versionOf(url: string, { facts, onlyWhole }: Source): Version {
  if (onlyWhole !== undefined) return { url };
  return { url, size: facts.size, modified: exactTime(facts) };
}

/** Several connections could mix two files of one size, which only the time tells apart. */
function connectionsFor(source: Source, offset: number, file: Incoming): number {
  const { facts, retrieveBlocks } = source;
  const takesBlocks = file.destination.cut !== undefined && retrieveBlocks !== undefined;
  const octets = (facts.size ?? 0) - offset;
  return takesBlocks && exactTime(facts) && octets >= 2 * leastOctets ? file.mostConnections : 1;
}

/** Receives what is missing. @throws unless the file is whole */
async function receive(source: Source, file: Incoming, connections: number, tries: Tries) {
  const isInOrder = connections === 1;
  if (!isInOrder) await source.retrieveBlocks?.(file, connections);
  const { facts, octets } = file;
  const arrival = isInOrder
    ? await receiveInOrder(source, file)
    : { octets, isResumed: true, facts };
  const again = isInDoubt(arrival) ? await factsNow(source, arrival) : undefined;
  const note = checkWhole(arrival, again);
  if (note !== undefined) tries.say(note);
}

async function receiveInOrder(source: Source, file: Incoming): Promise<Arrival> {
  const { facts } = source;
  const { size = Infinity } = facts;
  // Data without end would fill the disk: no log grows so much while it is fetched.
  const end = 2 * size + 1024 ** 3;
  const receiver = new RangeReceiver(file, { position: file.offset, end });
  const { error, announced } = await source
    .retrieve(receiver.offset, (chunk) => receiver.take(chunk))
    .catch((failure: unknown): Completion => {
      // A negative reply after all bytes leaves the file in doubt; after fewer, it is a break.
      if (file.octets === size && hasReason(failure, "transfer broken off"))
        return { error: failure };
      throw failure;
    });
  if (!receiver.isCompared)
    throw error ?? beginAgain("the server sent nothing from where it was to go on");
  if (receiver.position === end) throw new FtpullError("integrity", "the server sends without end");
  return { octets: file.octets, isResumed: receiver.offset > 0, facts, announced, error };
}

/** Asks once more; over a new session the next try does, which fetches the last 4 KiB. */
async function factsNow({ askAgain }: Source, { error }: Arrival) {
  const now = await askAgain?.();
  if (now !== undefined) return now;
  throw error ?? networkError("nothing shows that the file is unchanged");
}

function showsOtherFile(error: unknown): error is FtpullError {
  return hasReason(error, "begin again", "restart refused", "untrusted data");
}

/** Keeps another program's file, to which nothing was added. */
async function keepWhole({ download, facts }: Incoming, { observer }: Tries): Promise<Result> {
  const kept = await keepIfIntact(download, "unchanged", facts, observer);
  if (kept === undefined) throw beginAgain("the file here is damaged");
  return kept;
}

/** Retrieves a file in one try: where it begins, what arrives, whether it is whole, and its name. */
import { FtpullError, hasReason, networkError } from "../../errors.ts";
import { existingFile } from "../../files/regular-file.ts";
import type { Completion } from "../../ftp/data/transfer-end.ts";
import type { Result } from "../result.ts";
import { beginAgain } from "../retry.ts";
import { leastOctets } from "../segments/blocks.ts";
import type { Tries } from "../task-tries.ts";
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
  const { facts, version } = source;
  const stored = file.choose(version);
  const mustStay = mayOnlyContinue(file);
  try {
    const beginning = resumeOffset(stored, version, facts, source.onlyWhole);
    const isShared = beginning.offset === 0 && file.resumed === undefined;
    const dropped = beginning.dropped ?? (isShared ? "several URLs go into it" : undefined);
    if (mustStay && dropped !== undefined) throw beginAgain(dropped);
    const connections = connectionsFor(source, beginning.offset, file);
    file.begin({ facts, version, beginning, isInOrder: connections === 1, tries });
    // All bytes came in an earlier try, whose end left a doubt: the facts that were asked for since have settled it.
    const isComplete = beginning.offset > 0 && file.destination.octets === facts.size;
    if (!isComplete) await receive(source, file, connections, tries);
  } catch (error) {
    if (!hasReason(error, "begin again", "restart refused", "untrusted data")) throw error;
    if (!mustStay) throw beginAgain(error.message);
    file.destination.discard(); // The copy goes.
    throw cannotContinue(error.message);
  }
  const isAllHere = stored?.other !== undefined && file.octets === stored.octets;
  if (!isAllHere || file.offset === 0) return file.publish();
  const kept = await keepIfIntact(file.download, "unchanged", facts, tries.observer);
  if (kept === undefined) throw beginAgain("the file here is damaged");
  return kept;
}

/** True with -c alone, which replaces an empty file only, and one that a checksum has shown to be damaged. */
function mayOnlyContinue({ download, destination }: Incoming): boolean {
  const { otherwise } = download.rules.existing;
  return otherwise === "continue" && (existingFile(destination.label)?.size ?? 0) > 0;
}

/** Several connections could mix two files of one size, which only the time tells apart. */
function connectionsFor({ version, retrieveBlocks }: Source, offset: number, file: Incoming) {
  const { size = 0, modified } = version;
  const takesBlocks = file.destination.cut !== undefined && retrieveBlocks !== undefined;
  const isLarge = size - offset >= 2 * leastOctets;
  return takesBlocks && isLarge && modified !== undefined ? file.mostConnections : 1;
}

/** Receives what is missing. @throws unless the file is whole */
async function receive(source: Source, file: Incoming, connections: number, tries: Tries) {
  const isInOrder = connections === 1;
  if (!isInOrder) await source.retrieveBlocks?.(file, connections);
  const { facts, octets } = file;
  const arrival = isInOrder
    ? await receiveInOrder(source, file)
    : { octets, isResumed: true, facts };
  const isDoubtful = isInDoubt(arrival);
  const again = isDoubtful ? await source.askAgain?.() : undefined;
  // The next try asks over a new session, and fetches the last 4 KiB.
  if (isDoubtful && again === undefined)
    throw arrival.error ?? networkError("nothing shows that the file is unchanged");
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

/** Retrieves a file in one try: where it begins, what arrives, whether it is whole, and its name. */
import { FtpullError, hasReason, networkError } from "../../errors.ts";
import type { Completion } from "../../ftp/data/transfer-end.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { Result } from "../result.ts";
import { beginAgain } from "../retry.ts";
import { leastOctets } from "./blocks.ts";
import type { Tries } from "../task-tries.ts";
import { FileTry } from "./file-try.ts";
import type { Incoming } from "./incoming.ts";
import { RangeReceiver } from "./range-receiver.ts";
import { beginningOf, cannotContinue } from "./resume.ts";
import { keepIfIntact } from "./skip.ts";
import type { Source } from "./source.ts";
import { type Arrival, checkAgain, checkCount, isInDoubt } from "../whole.ts";

/** Returns the number of bytes, or the result of a file that was whole already. @throws "begin again", "cannot continue" */
export async function retrieveFile(
  source: Source,
  file: Incoming,
  tries: Tries,
): Promise<number | Result> {
  const { facts, version } = source;
  const { destination } = file;
  const stored = file.choose(version);
  const { mustStay } = destination;
  const beginning = beginningOf(stored, destination.octets, source);
  const connections = connectionsFor(source, beginning.offset, file);
  const attempt = new FileTry(file, { facts, version, beginning, connections, tries });
  const { does, dropped } = beginning;
  if (mustStay && dropped !== undefined) throw leftAsItIs(file, dropped);
  try {
    if (does !== "publish") await receive(source, attempt, tries);
  } catch (error) {
    if (!hasReason(error, "begin again", "restart refused", "untrusted data")) throw error;
    throw mustStay ? leftAsItIs(file, error.message) : beginAgain(error.message);
  }
  // A small file comes from its first byte, and may have grown.
  const isAllHere = does === "compare" && attempt.octets === beginning.offset;
  if (!isAllHere) return attempt.publish();
  const kept = await keepIfIntact(file, "unchanged", facts, tries.observer);
  if (kept === undefined) throw beginAgain("the file here is damaged");
  return kept;
}

function leftAsItIs(file: Incoming, because: string): FtpullError {
  file.destination.discard(); // The copy goes.
  return cannotContinue(because);
}

/** Several connections could mix two files of one size, which only the time tells apart. */
function connectionsFor({ version, retrieveBlocks }: Source, offset: number, file: Incoming) {
  const { size = 0, modified } = version;
  const takesBlocks = file.destination.cut !== undefined && retrieveBlocks !== undefined;
  const isLarge = size - offset >= 2 * leastOctets;
  return takesBlocks && isLarge && modified !== undefined ? file.mostConnections : 1;
}

/** Receives what is missing. @throws unless the file is whole */
async function receive(source: Source, attempt: FileTry, tries: Tries): Promise<void> {
  const arrival = attempt.isInOrder
    ? await receiveInOrder(source, attempt)
    : await receiveBlocks(source, attempt);
  const note = isInDoubt(arrival)
    ? checkAgain(arrival, await askAgain(source, arrival))
    : checkCount(arrival);
  if (note !== undefined) tries.say(note);
}

async function askAgain(source: Source, { doubt }: Arrival): Promise<Facts> {
  const facts = await source.askAgain?.();
  if (facts !== undefined) return facts;
  // The next try asks over a new session, and fetches the last 4 KiB.
  throw doubt ?? networkError("nothing shows that the file is unchanged");
}

async function receiveBlocks(
  { facts, retrieveBlocks }: Source,
  attempt: FileTry,
): Promise<Arrival> {
  await retrieveBlocks?.(attempt);
  return { octets: attempt.octets, isResumed: true, facts };
}

async function receiveInOrder({ facts, retrieve }: Source, attempt: FileTry): Promise<Arrival> {
  const { size = Infinity } = facts;
  // Data without end would fill the disk: no log grows so much while it is fetched.
  const end = 2 * size + 1024 ** 3;
  const receiver = new RangeReceiver(attempt, { position: attempt.offset, end });
  const { doubt, announced } = await retrieve(receiver.offset, (chunk) =>
    receiver.take(chunk),
  ).catch((failure: unknown): Completion => {
    // A negative reply after all bytes leaves the file in doubt; after fewer, it is a break.
    if (attempt.octets === size && hasReason(failure, "transfer broken off"))
      return { doubt: failure };
    throw failure;
  });
  if (!receiver.isCompared)
    throw doubt ?? beginAgain("the server sent nothing from where it was to go on");
  if (receiver.position === end) throw new FtpullError("integrity", "the server sends without end");
  return { octets: attempt.octets, isResumed: receiver.offset > 0, facts, announced, doubt };
}

/** Retrieves a file: where it starts, what arrives, and whether it is whole. */
import { NetworkFailure } from "../../errors.ts";
import type { Version } from "../../files/destination.ts";
import { cannotContinue } from "../../files/file-error.ts";
import { RestartRefused } from "../../ftp/control/reply.ts";
import { UntrustedTransfer } from "../../ftp/data/transfer.ts";
import type { Facts, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Conversion } from "../../text/line-ends.ts";
import type { Result } from "../result.ts";
import { planOver } from "../task.ts";
import type { Tries } from "../task-tries.ts";
import { BeginAgain } from "../retry.ts";
import { leastOctets } from "../segments/blocks.ts";
import { SegmentedDownload } from "../segments/segmented-download.ts";
import { DocumentFile } from "./document-file.ts";
import type { Download } from "./download.ts";
import { RangeReceiver } from "./range-receiver.ts";
import { checkPieces, checkUnchanged, hasOnlyGrown, octetsToBuildOn } from "./resume.ts";
import { skipAsWhole } from "./skip.ts";
import { checkWhole } from "./whole.ts";

/** Returns the number of octets, or the result of a file that was whole already. @throws BeginAgain */
export async function retrieveFile(
  session: Session,
  conversion: Conversion,
  { name, facts }: LocatedFile,
  download: Download,
  tries: Tries,
): Promise<number | Result> {
  const version = { url: download.document.shownUrl, ...facts };
  const stored = download.destination.partial(version);
  const offset = stored === undefined ? 0 : octetsToBuildOn(stored, version, conversion);
  if (stored?.inPlace !== undefined) checkPieces(stored.inPlace.path);
  if (stored?.inPlace !== undefined && offset === version.size)
    return skipAsWhole(download, stored.inPlace, version, tries);
  const isUsers = stored?.inPlace !== undefined;
  const connections = isUsers ? undefined : connectionsFor(version, offset, download);
  const given = { version, offset, isUsers, conversion, connections };
  const file = new DocumentFile(given, download, tries);
  try {
    if (connections === undefined) await receiveInOrder(session, name, file);
    else await new SegmentedDownload(file, connections).receive(session, name);
    return await file.publish();
  } catch (error) {
    const isUnusable = error instanceof RestartRefused || error instanceof UntrustedTransfer;
    if (!isUnusable) throw error;
    throw isUsers ? cannotContinue(error.message) : new BeginAgain(error.message);
  }
}

/** Undefined for octets in order: several connections could mix two files of one size, which only the time tells apart. */
function connectionsFor({ size = 0, modified }: Version, offset: number, download: Download) {
  const { mostConnections, destination } = download;
  const mayDivide = modified !== undefined && destination.cut !== undefined && mostConnections > 1;
  return mayDivide && size - offset >= 2 * leastOctets ? mostConnections : undefined;
}

async function receiveInOrder(session: Session, name: string, file: DocumentFile): Promise<void> {
  const { version, offset, tries } = file;
  const next = () => tries.upcoming(session);
  const receiver = new RangeReceiver(file, { position: offset, end: endFor(version) });
  const isResumed = receiver.offset > 0;
  const take = (chunk: Buffer) => receiver.take(chunk);
  const following = isResumed ? {} : { size: version.size, next };
  const completion = await session.retrieve(name, receiver.offset, take, following);
  if (!receiver.isCompared)
    throw new BeginAgain("the server sent nothing from where it was to go on");
  // The size in a 150 is sure to be the document's only for an image transfer from 0.
  const { announced } = session.state.type === "I" && !isResumed ? completion : {};
  const isInDoubt = isResumed || file.octets > (version.size ?? Infinity);
  const size = isInDoubt ? await sizeNow(session, file) : version.size;
  const note = checkWhole({ ...completion, announced }, file.octets, size);
  if (note !== undefined) tries.say(note);
}

/** Data without end would fill the disk: no log grows so much while it is fetched. */
function endFor({ size = Infinity }: Version): number {
  return 2 * size + 1024 ** 3;
}

/**
 * The size of a document that was resumed, or of which more came than SIZE had said: it is asked for once more. One
 * that has only grown, as a log does, is whole with what the server had when it sent the end. @throws BeginAgain
 */
async function sizeNow(session: Session, file: DocumentFile): Promise<number | undefined> {
  const { version, octets, tries } = file;
  // The next try asks, and fetches the last 4 KiB.
  if (!session.usable) throw new NetworkFailure("nothing shows that the document is unchanged");
  const now = await factsNow(session, file.download);
  if (now.failure !== undefined) return version.size;
  if (hasOnlyGrown(now, version) && octets <= now.size) {
    const grown = `the document has grown to ${now.size} octets`;
    if (octets < now.size) tries.say(`${grown}: the first ${octets} are saved`);
    return octets;
  }
  checkUnchanged(now, version);
  // Servers give a size of 0, again and again, for files that they make while they send them.
  return version.size === 0 && octets > 0 ? undefined : version.size;
}

async function factsNow(session: Session, { document }: Download): Promise<Facts> {
  // The next document's commands may have led to another directory.
  const { name } = await session.locate({ ...planOver(session, document), asks: "nothing" });
  return session.askFacts(name);
}

/** Retrieves a file: where it starts, what arrives, and whether it is whole. */
import type { PartialDocument, Version } from "../../files/destination.ts";
import { unknownEnd } from "../../files/gaps.ts";
import { RestartRefused } from "../../ftp/control/reply.ts";
import { StopReading } from "../../ftp/data/data-connection.ts";
import { UntrustedTransfer } from "../../ftp/data/transfer.ts";
import type { Facts, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Conversion } from "../../text/line-ends.ts";
import type { Tries } from "../task-tries.ts";
import type { Observer } from "../events.ts";
import { BeginAgain, GrewDuringTransfer } from "../retry.ts";
import type { Upcoming } from "../task.ts";
import { leastOctets } from "../segments/ranges.ts";
import { SegmentedDownload } from "../segments/segmented-download.ts";
import { confirm } from "./confirm.ts";
import { DocumentFile } from "./document-file.ts";
import type { Download } from "./download.ts";
import { overlapSize, RangeReceiver } from "./range-receiver.ts";
import { checkUnchanged, hasOnlyGrown, octetsToBuildOn, receivedMore } from "./resume.ts";
import { checkKept, isDifferent, isNewer, type SizeAndTime } from "./timestamping.ts";
import { checkWhole } from "./whole.ts";

/**
 * Retrieves a located file, building on stored octets; returns its octets, undefined for a file
 * that was whole already. @throws BeginAgain if the stored octets are useless
 */
export async function retrieveFile(
  session: Session,
  conversion: Conversion,
  { name, facts }: LocatedFile,
  download: Download,
  tries: Tries,
  { next }: Upcoming,
): Promise<number | undefined> {
  const { destination, restartsFromZero, beforeGrowth } = download;
  const version = { url: download.document.shownUrl, ...facts };
  const partial = restartsFromZero ? undefined : destination.partial();
  const mayHaveGrown = beforeGrowth !== undefined;
  if (mayHaveGrown) await checkGrown(version, beforeGrowth, download);
  const resumed =
    partial === undefined ? 0 : octetsToBuildOn(partial, version, conversion, mayHaveGrown);
  const here = resumed === version.size ? partial?.inPlace : undefined;
  if (here !== undefined && (await isWholeInPlace(here, version, download, tries.observer)))
    return undefined;
  const parts = partsFor(download, version, resumed, partial);
  if (parts === undefined && partial?.missing !== undefined)
    throw new BeginAgain("what is here is not the beginning of the document");
  const missing = partial?.missing ?? [[resumed, version.size ?? unknownEnd]];
  const file = new DocumentFile(version, missing, download, tries, { parts, conversion });
  try {
    if (mayHaveGrown) await compareBeginning(session, name, file);
    if (parts === undefined) await receiveInOrder(session, name, file, next);
    else await new SegmentedDownload(file).receive(session, name);
    return await file.publish();
  } catch (error) {
    const reason = beginningAgain(error) ?? error;
    // Segments that disagree show several documents: the next try uses one connection.
    if (parts !== undefined && reason instanceof BeginAgain) download.usesOneConnection = true;
    throw reason;
  } finally {
    file.close();
  }
}

/** Unless the document has grown, the octets behind SIZE were the server's fault, and it begins again. */
async function checkGrown(now: Facts, before: Version, download: Download): Promise<void> {
  if (hasOnlyGrown(now, before)) return;
  checkUnchanged(now, before);
  download.beforeGrowth = undefined;
  download.mayGrow = false;
  if (download.destination.rewindable) await download.destination.discard();
  throw receivedMore(before.size);
}

function beginningAgain(error: unknown): BeginAgain | undefined {
  if (error instanceof RestartRefused) return new BeginAgain(error.message);
  return error instanceof UntrustedTransfer
    ? new BeginAgain(error.message, { keeps: false })
    : undefined;
}

/** Connections, if octets may come in any order. */
function partsFor(
  { destination, rules, usesOneConnection }: Download,
  { size, modified }: Facts,
  resumed: number,
  partial: PartialDocument | undefined,
): number | undefined {
  if (size === undefined || destination.save === undefined) return undefined;
  // Only the time shows that another file of the same size has taken the place meanwhile.
  if (modified === undefined) return undefined;
  const most = usesOneConnection ? 1 : rules.segments;
  const isLarge = size - resumed >= 2 * leastOctets;
  return partial?.missing !== undefined || (most > 1 && isLarge) ? most : undefined;
}

/**
 * True if a file from before the run, of the document's size, is the document; it isn't changed.
 * @throws BeginAgain if it is older: octets before those compared may have changed since
 */
async function isWholeInPlace(
  here: NonNullable<PartialDocument["inPlace"]>,
  document: SizeAndTime,
  { destination, verification: { checksums } }: Download,
  observer: Observer,
): Promise<boolean> {
  const hasSameTime = document.modified !== undefined && !isDifferent(document, here);
  if (checksums.length === 0 && !hasSameTime) {
    if (!isNewer(document, here)) return false;
    throw new BeginAgain("the document is newer than the file that is here");
  }
  await checkKept(destination.label, checksums, observer, "-c");
  await destination.discard(); // A killed run may have left a folder beside the file.
  observer.info(`"${destination.label}" is whole already`);
  return true;
}

async function receiveInOrder(
  session: Session,
  name: string,
  file: DocumentFile,
  next: Upcoming["next"],
): Promise<void> {
  const { size } = file.version;
  const receiver = new RangeReceiver(file, file.ranges.take()!);
  // A short document that has grown begins again at 0.
  const isResumed = receiver.offset > 0 || file.download.beforeGrowth !== undefined;
  const take = (chunk: Buffer): void | Promise<void> => receiver.take(chunk);
  // After QUIT, or among the next document's commands, the facts couldn't be asked for again.
  const more = isResumed ? {} : { size, next };
  const completion = await session.retrieve(name, receiver.offset, take, more);
  if (!receiver.isCompared)
    throw new BeginAgain("the server sent nothing from where it was to go on");
  if (!file.isOpen) file.open();
  const { announced } = session.state.type === "I" && !isResumed ? completion : {};
  checkWhole({ ...completion, announced }, file.octets, size, file.tries.observer);
  if (receiver.hasMore && file.download.beforeGrowth === undefined) {
    file.download.beforeGrowth = file.version;
    throw new GrewDuringTransfer(receivedMore(size).message);
  }
  if (isResumed) await confirm(session, name, file, receiver.hasMore);
}

/**
 * A document that grows arrives in two transfers; the second ends at the SIZE that was asked for
 * before it. Proven is that the document's first octets, and those before the end of the first
 * transfer (compared by RangeReceiver), are unchanged. A file that was written anew in place during
 * the first transfer, and differs in neither of these, would be a mixture; a file that was replaced
 * by a rename isn't, since the server goes on reading the old one.
 */
async function compareBeginning(session: Session, name: string, file: DocumentFile): Promise<void> {
  const end = overlapSize;
  // A shorter document is compared whole; standard output can't be read again.
  if (file.octets <= end || !file.download.destination.rewindable) return;
  let position = 0;
  const compare = (chunk: Buffer): void => {
    const octets = chunk.subarray(0, end - position);
    file.compare(position, octets);
    position += octets.length;
    if (position === end) throw new StopReading();
  };
  const completion = await session.retrieve(name, 0, compare);
  if (!completion.completed) throw completion.error;
}

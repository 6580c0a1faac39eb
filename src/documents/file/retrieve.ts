/** Retrieves a file: where it starts, what arrives, and whether it is whole. */
import type { Version } from "../../files/destination.ts";
import { type Gap, unknownEnd } from "../../files/gaps.ts";
import { RestartRefused } from "../../ftp/control/reply.ts";
import { StopReading } from "../../ftp/data/data-connection.ts";
import { UntrustedTransfer } from "../../ftp/data/transfer.ts";
import type { LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Conversion } from "../../text/line-ends.ts";
import type { Result } from "../result.ts";
import type { Tries } from "../task-tries.ts";
import { BeginAgain } from "../retry.ts";
import { leastOctets } from "../segments/ranges.ts";
import { SegmentedDownload } from "../segments/segmented-download.ts";
import { confirm } from "./confirm.ts";
import { DocumentFile, type Outstanding } from "./document-file.ts";
import type { Download } from "./download.ts";
import { overlapSize, RangeReceiver } from "./range-receiver.ts";
import { octetsToBuildOn } from "./resume.ts";
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
  const partial = download.partial();
  await download.requireGrowth(version);
  const mayHaveGrown = download.beforeGrowth !== undefined;
  const resumed =
    partial === undefined ? 0 : octetsToBuildOn(partial, version, conversion, mayHaveGrown);
  const sameSize = resumed === version.size ? partial?.inPlace : undefined;
  const skip = sameSize && (await skipAsWhole(download, sameSize, version, tries));
  if (skip !== undefined) return skip;
  const outstanding = outstandingOf(version, resumed, partial?.missing, download);
  download.destination.replaces = download.replaceable;
  const file = new DocumentFile(version, { ...outstanding, conversion }, download, tries);
  return receive(session, name, file, sameSize === undefined || resumed <= overlapSize);
}

async function receive(session: Session, name: string, file: DocumentFile, isAllCompared: boolean) {
  const { download, tries, connections } = file;
  let failure: unknown;
  try {
    await compareBeginning(session, name, file);
    if (connections === undefined) await receiveInOrder(session, name, file);
    else await new SegmentedDownload(file).receive(session, name);
    // The server's time would hide from -N what is wrong in octets that were not compared.
    const octets = await file.publish({ givesTime: isAllCompared });
    if (!isAllCompared) tries.observer.warnAlways(partlyCompared(download.destination.label));
    return octets;
  } catch (error) {
    failure = beginningAgain(error);
    throw failure;
  } finally {
    file.close();
    download.endTry(file.openedAt, connections, failure);
  }
}

function outstandingOf(
  { size, modified }: Version,
  resumed: number,
  gaps: readonly Gap[] | undefined,
  { destination, mostConnections }: Download,
): Outstanding {
  // Several connections could mix two files of the same size, which only the time tells apart.
  const mayDivide = modified !== undefined && size !== undefined && destination.save !== undefined;
  if (gaps !== undefined && mayDivide) return { missing: gaps, connections: mostConnections };
  if (gaps !== undefined) throw new BeginAgain("what is here is not the beginning of the document");
  const isLarge = mayDivide && size - resumed >= 2 * leastOctets;
  const connections = isLarge && mostConnections > 1 ? mostConnections : undefined;
  return { missing: [[resumed, size ?? unknownEnd]], connections };
}

function partlyCompared(label: string): string {
  return `"${label}" had all octets: only the last ${overlapSize} were compared (-f fetches it anew)`;
}

function beginningAgain(error: unknown): unknown {
  if (error instanceof RestartRefused) return new BeginAgain(error.message);
  if (!(error instanceof UntrustedTransfer)) return error;
  return new BeginAgain(error.message, { keepsOctets: false });
}

async function receiveInOrder(session: Session, name: string, file: DocumentFile): Promise<void> {
  const { size } = file.version;
  const { next } = file.tries.upcoming(session);
  const receiver = new RangeReceiver(file, file.ranges.take()!);
  // A document that has grown is resumed even at offset 0: if short, all of it is compared.
  const isResumed = receiver.offset > 0 || file.download.beforeGrowth !== undefined;
  const take = (chunk: Buffer) => receiver.take(chunk);
  // A resumed transfer is confirmed by new facts: QUIT or the next document's commands have to wait.
  const following = isResumed ? {} : { size, next };
  const completion = await session.retrieve(name, receiver.offset, take, following);
  if (!receiver.isCompared)
    throw new BeginAgain("the server sent nothing from where it was to go on");
  if (!file.isOpen) file.open();
  // The size in a 150 is sure to be the document's only for an image transfer from 0.
  const { announced } = session.state.type === "I" && !isResumed ? completion : {};
  const note = checkWhole({ ...completion, announced }, file.octets, size);
  if (note !== undefined) file.tries.say(note);
  if (receiver.hasOctetsBehindEnd && file.download.beforeGrowth === undefined)
    throw file.download.outgrew(file.version);
  if (isResumed) await confirm(session, name, file, receiver);
}

/**
 * Compares the first octets of a document that has grown; RangeReceiver compares the last stored ones.
 * A file that was written anew in place, and is equal in both places, goes unnoticed, as a mixture. After
 * a rename the server goes on reading the old file.
 */
async function compareBeginning(session: Session, name: string, file: DocumentFile): Promise<void> {
  const end = overlapSize;
  const { beforeGrowth, destination } = file.download;
  // RangeReceiver compares all of a shorter document; standard output can't be read again.
  if (beforeGrowth === undefined || file.octets <= end || !destination.rewindable) return;
  let position = 0;
  const compare = (chunk: Buffer): void => {
    const octets = chunk.subarray(0, end - position);
    file.compare(position, octets, 0);
    position += octets.length;
    if (position === end) throw new StopReading();
  };
  const { error } = await session.retrieve(name, 0, compare);
  if (error !== undefined) throw error;
}

/** Retrieves a file: where it starts, what arrives, and whether it is whole. */
import type { PartialDocument, Replaceable, Version } from "../../files/destination.ts";
import { cannotContinue } from "../../files/file-error.ts";
import { type Gap, unknownEnd } from "../../files/gaps.ts";
import { RestartRefused } from "../../ftp/control/reply.ts";
import { StopReading } from "../../ftp/data/data-connection.ts";
import { UntrustedTransfer } from "../../ftp/data/transfer.ts";
import type { LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Conversion } from "../../text/line-ends.ts";
import type { Result } from "../result.ts";
import type { Tries } from "../task-tries.ts";
import { BeginAgain, GrewDuringTransfer } from "../retry.ts";
import { SegmentedDownload } from "../segments/segmented-download.ts";
import { confirm } from "./confirm.ts";
import { DocumentFile, type Outstanding } from "./document-file.ts";
import type { Download } from "./download.ts";
import { begunInPieces, PlainFile } from "./plain-file.ts";
import { overlapSize, RangeReceiver } from "./range-receiver.ts";
import { octetsToBuildOn, receivedMore } from "./resume.ts";
import { skipAsWhole } from "./skip.ts";
import { checkWhole } from "./whole.ts";

const finishThere = "finish it with that program, or replace it with -f";

/** Returns the number of octets, or the result of a file that was whole already. @throws BeginAgain */
export async function retrieveFile(
  session: Session,
  conversion: Conversion,
  { name, facts }: LocatedFile,
  download: Download,
  tries: Tries,
): Promise<number | Result> {
  const { destination, restartsFromZero, beforeGrowth } = download;
  const version = { url: download.document.shownUrl, ...facts };
  const partial = restartsFromZero ? undefined : destination.partial();
  if (partial?.inPlace !== undefined) download.plainFile = plainFileFor(partial.inPlace, download);
  const mayHaveGrown = beforeGrowth !== undefined;
  if (mayHaveGrown) await download.requireGrowth(version, beforeGrowth);
  const resumed =
    partial === undefined ? 0 : octetsToBuildOn(partial, version, conversion, mayHaveGrown);
  const inPlace = resumed === version.size ? partial?.inPlace : undefined;
  const whole = inPlace && (await skipAsWhole(download, inPlace, version, tries));
  if (whole !== undefined) return whole;
  const outstanding = outstandingOf(version, resumed, partial?.missing, download);
  const { connections } = outstanding;
  destination.replaces = replaceableBy(download);
  const file = new DocumentFile(version, { ...outstanding, conversion }, download, tries);
  try {
    if (mayHaveGrown) await compareBeginning(session, name, file);
    if (connections === undefined) await receiveInOrder(session, name, file);
    else await new SegmentedDownload(file).receive(session, name);
    const isCompared = inPlace === undefined || resumed <= overlapSize;
    // The server's time would hide from -N what is wrong in octets that were not compared.
    const octets = await file.publish({ givesTime: isCompared });
    if (!isCompared) tries.observer.warnAlways(partlyCompared(destination.label));
    return octets;
  } catch (error) {
    const reason = beginningAgain(error);
    // Segments that disagree show several documents: the next try uses one connection.
    if (connections !== undefined && reason instanceof BeginAgain)
      download.usesOneConnection = true;
    throw reason;
  } finally {
    file.close();
  }
}

/** Undefined where the file may be replaced. @throws BeginAgain or FtpullError "integrity" for a file with holes */
function plainFileFor(
  { path, size }: NonNullable<PartialDocument["inPlace"]>,
  download: Download,
): PlainFile | undefined {
  const replacesFiles = replacesAnyFile(download);
  const holes = begunInPieces(download.destination.label);
  if (replacesFiles && holes !== undefined) throw new BeginAgain(holes);
  if (replacesFiles) return undefined;
  if (holes !== undefined) throw cannotContinue(holes, finishThere);
  return new PlainFile(path, size);
}

/** True with -N, in a tree and with a checksum, which tell which document belongs in a file's place. */
function replacesAnyFile({ rules, verification }: Download): boolean {
  return rules.isToFetch !== undefined || verification.checksums.length > 0;
}

function replaceableBy(download: Download): Replaceable {
  if (replacesAnyFile(download)) return "any";
  // A file that fits this document may not fit the one that a later run finds in its place.
  return download.plainFile === undefined ? "found" : "beginning";
}

function outstandingOf(
  version: Version,
  resumed: number,
  gaps: readonly Gap[] | undefined,
  download: Download,
): Outstanding {
  const connections = download.connectionsFor(version, resumed, gaps !== undefined);
  if (gaps === undefined) return { missing: [[resumed, version.size ?? unknownEnd]], connections };
  if (connections !== undefined) return { missing: gaps, connections };
  throw new BeginAgain("what is here is not the beginning of the document");
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
  if (receiver.hasOctetsBehindEnd && file.download.beforeGrowth === undefined) {
    file.download.beforeGrowth = file.version;
    throw new GrewDuringTransfer(receivedMore(size).message);
  }
  if (isResumed) await confirm(session, name, file, receiver);
}

/**
 * Compares the first octets of a document that has grown; RangeReceiver compares the last stored ones.
 * A file that was written anew in place, and is equal in both places, goes unnoticed, as a mixture. After
 * a rename the server goes on reading the old file.
 */
async function compareBeginning(session: Session, name: string, file: DocumentFile): Promise<void> {
  const end = overlapSize;
  // RangeReceiver compares all of a shorter document; standard output can't be read again.
  if (file.octets <= end || !file.download.destination.rewindable) return;
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

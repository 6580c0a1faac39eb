/** The list of --checksums at a URL: fetched before the documents, over their sessions and with their tries. */
import { basename } from "node:path";
import { ChecksumList } from "../../checksums/checksum-list.ts";
import { type Batch, perform } from "../../documents/fetch-all.ts";
import { planOver, type Task } from "../../documents/task.ts";
import { unknown } from "../../documents/task-queue.ts";
import { retrieveList } from "../../documents/verify/retrieve-list.ts";
import { FtpullError } from "../../errors.ts";
import { localName } from "../../files/names.ts";
import type { Settings } from "../../options/command-line.ts";
import { decoderFor } from "../../text/encoding.ts";
import { ExpectedChecksums } from "./expected-checksums.ts";
import type { Requested } from "./requested.ts";

/** A million take 650 MB of memory. */
const mostChecksums = 1_000_000;

/**
 * Fetches it; of `documents` alone the checksums are kept, where no others can follow. Undefined after
 * a failure, which is reported.
 */
export async function fetchList(
  document: Requested,
  documents: readonly Requested[],
  { recursive, inputFiles, remoteEncoding, verify }: Settings,
  batch: Batch,
): Promise<ExpectedChecksums | undefined> {
  const areAll = !recursive && inputFiles.length === 0 && documents.every((one) => !one.pattern);
  const decode = decoderFor(remoteEncoding);
  const names = new Set(documents.map(({ presumed }) => localName(presumed.name, decode)));
  const isWanted = (path: string): boolean => !areAll || names.has(basename(path));
  const read: ChecksumList[] = [];
  const run: Task["run"] = async (session, { observer }) => {
    const plan = planOver(session, document);
    const list = boundedList(plan.name, isWanted);
    await retrieveList(session, plan, list, { observer, encoding: "utf8" });
    read.push(list);
    return undefined;
  };
  await perform({ ...document, run }, { next: () => unknown, coming: () => undefined }, batch);
  const [content] = read;
  const [source, label] = [document.shownUrl, document.shownUrl];
  return content && ExpectedChecksums.by({ content, source, label, verify }, batch.observer);
}

function boundedList(name: string, isWanted: (path: string) => boolean): ChecksumList {
  let left = mostChecksums;
  return new ChecksumList(name, "the list", (path) => {
    if (!isWanted(path)) return false;
    if (left-- > 0) return true;
    const hint = "save the list, and name that file";
    const words = `the list has more than ${mostChecksums} checksums`;
    throw new FtpullError("integrity", words, { hint });
  });
}

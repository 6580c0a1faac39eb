/** The list of --checksums at a URL: fetched before the documents, over their sessions and with their tries. */
import { basename } from "node:path";
import { ChecksumList } from "../../checksums/checksum-list.ts";
import { type Batch, perform } from "../../documents/fetch-all.ts";
import { planOver, type Task } from "../../documents/task.ts";
import { unknown } from "../../documents/task-queue.ts";
import { retrieveList } from "../../documents/verify/retrieve-list.ts";
import { localName } from "../../files/names.ts";
import type { Settings } from "../../options/command-line.ts";
import { decoderFor } from "../../text/encoding.ts";
import { ExpectedChecksums } from "./expected-checksums.ts";
import type { Requested } from "./requested.ts";

/**
 * Fetches it; of `documents` alone the checksums are kept, where no others can follow. Undefined after
 * a failure, which is reported.
 */
export async function fetchList(
  document: Requested,
  documents: readonly Requested[],
  settings: Settings,
  batch: Batch,
): Promise<ExpectedChecksums | undefined> {
  const { recursive, inputFiles, remoteEncoding } = settings;
  const areAll = !recursive && inputFiles.length === 0 && documents.every((one) => !one.pattern);
  const decode = decoderFor(remoteEncoding);
  const names = new Set(documents.map(({ presumed }) => localName(presumed.name, decode)));
  const isWanted = (path: string): boolean => !areAll || names.has(basename(path));
  const read: ChecksumList[] = [];
  const run: Task["run"] = async (session, { observer }) => {
    const plan = planOver(session, document);
    const list = new ChecksumList(plan.name, "the list", "utf8", isWanted);
    await retrieveList(session, plan, list, observer);
    read.push(list);
    return undefined;
  };
  await perform({ document, run }, { next: () => unknown, coming: () => undefined }, batch);
  const [content] = read;
  const [source, label] = [document.shownUrl, document.shownUrl];
  return content && new ExpectedChecksums(settings, batch.observer, { content, source, label });
}

/** Reads the list of --checksums from a file, or fetches it before the documents, with the same tries. */
import { posix } from "node:path";
import { ChecksumList, readChecksumList } from "../../checksums/checksum-list.ts";
import type { Observer } from "../../documents/events.ts";
import { type Batch, perform } from "../../documents/fetch-all.ts";
import { type Document, planOver, type Task } from "../../documents/task.ts";
import { unknown } from "../../documents/task-queue.ts";
import type { GivenList } from "../../documents/verify/checksums.ts";
import { retrieveSums } from "../../documents/verify/retrieve-sums.ts";
import { inputName } from "../../files/input-file.ts";
import { localName } from "../../files/names.ts";
import type { Settings } from "../../options/command-line.ts";
import { decoderFor } from "../../text/encoding.ts";
import { utf8Octets } from "../../text/percent.ts";

/** Undefined without --checksums. @throws FtpullError "file"; "usage"; "integrity" */
export async function readList(
  { checksums: source }: Settings,
  observer: Observer,
): Promise<GivenList | undefined> {
  if (source === undefined) return undefined;
  return given(await readChecksumList(source), source, inputName(source), observer);
}

/** Keeps only checksums of `documents` if no others can follow. Undefined after a failure, which is reported. */
export async function fetchList(
  document: Document,
  documents: readonly Document[],
  settings: Settings,
  batch: Batch,
): Promise<GivenList | undefined> {
  const { recursive, inputFiles, remoteEncoding } = settings;
  const areAll =
    !recursive && inputFiles.length === 0 && documents.every((one) => !one.patterns?.length);
  const decode = decoderFor(remoteEncoding);
  const names = new Set(
    documents.flatMap(({ plan: { name } }) => [
      posix.basename(name),
      utf8Octets(localName(name, decode)),
    ]),
  );
  const isWanted = (path: string): boolean => !areAll || names.has(posix.basename(path));
  const read: ChecksumList[] = [];
  const run: Task["run"] = async (session, { observer }) => {
    const plan = planOver(session, document);
    const list = new ChecksumList(plan.name, "the list", isWanted);
    await retrieveSums(session, plan, list, observer);
    read.push(list);
    return undefined;
  };
  await perform({ document, run }, { next: () => unknown, coming: () => undefined }, batch);
  const [content] = read;
  const { shownUrl } = document;
  return content && given(content, shownUrl, shownUrl, batch.observer);
}

function given(content: ChecksumList, source: string, label: string, observer: Observer) {
  const { first, count } = content.strangeLines;
  const more = count === 1 ? "" : `, nor are ${count - 1} more`;
  if (count > 0) observer.warning(`line ${first} of ${label} is no checksum${more}`);
  return { content, source, label };
}

/** Reads the list of --checksums from a file, or fetches it before the documents, with the same tries. */
import { posix } from "node:path";
import { ChecksumList, readChecksumList } from "../../checksums/checksum-list.ts";
import type { Observer } from "../../documents/events.ts";
import { type Batch, perform } from "../../documents/fetch-all.ts";
import { type Document, planOver, type Task } from "../../documents/task.ts";
import { type Ahead, unknown } from "../../documents/task-queue.ts";
import type { GivenList } from "../../documents/verify/checksums.ts";
import { retrieveSums } from "../../documents/verify/retrieve-sums.ts";
import { inputName } from "../../files/input-file.ts";
import { localName } from "../../files/names.ts";
import type { Settings } from "../../options/command-line.ts";
import { decoderFor } from "../../text/encoding.ts";
import { utf8Octets } from "../../text/percent.ts";
import { nameOfOutput } from "./local-paths.ts";
import { hasPattern } from "./requested.ts";

export async function readList(
  { checksums: source }: Settings,
  observer: Observer,
): Promise<GivenList | undefined> {
  if (source === undefined) return undefined;
  return withWarning(await readChecksumList(source), source, inputName(source), observer);
}

export async function fetchList(
  document: Document,
  documents: readonly Document[],
  settings: Settings,
  batch: Batch,
): Promise<GivenList | undefined> {
  const isWanted = wantedPaths(documents, settings);
  const fetched: ChecksumList[] = [];
  const run: Task["run"] = async (session, { observer }) => {
    const plan = planOver(session, document);
    const list = new ChecksumList(plan.name, "the list", isWanted);
    await retrieveSums(session, plan, list, observer);
    fetched.push(list);
    return undefined;
  };
  await perform({ document, run }, noTaskAhead, batch);
  const [content] = fetched;
  const { shownUrl } = document;
  return content && withWarning(content, shownUrl, shownUrl, batch.observer);
}

const noTaskAhead: Ahead = { next: () => unknown, coming: () => undefined };

function wantedPaths(documents: readonly Document[], settings: Settings) {
  const { recursive, inputFiles, remoteEncoding } = settings;
  const mayHaveMore = recursive || inputFiles.length > 0;
  if (mayHaveMore || documents.some(hasPattern)) return () => true;
  const decode = decoderFor(remoteEncoding);
  const ownNames = documents.flatMap(({ plan: { name } }) => [
    posix.basename(name),
    utf8Octets(localName(name, decode)),
  ]);
  const savedAs = nameOfOutput(settings);
  const names = new Set(savedAs === undefined ? ownNames : [...ownNames, utf8Octets(savedAs)]);
  return (path: string) => names.has(posix.basename(path));
}

function withWarning(
  content: ChecksumList,
  source: string,
  label: string,
  observer: Observer,
): GivenList {
  const { first, count } = content.strangeLines;
  const more = count === 1 ? "" : `, nor are ${count - 1} more`;
  if (count > 0) observer.warning(`line ${first} of ${label} is no checksum${more}`);
  return { content, source, label };
}

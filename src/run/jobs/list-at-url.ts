/** The list of --checksums at a URL: fetched before the documents, over their sessions and as they are. */
import { basename } from "node:path";
import { ChecksumList } from "../../checksums/checksum-list.ts";
import type { Attempt } from "../../documents/attempt.ts";
import { type Batch, perform } from "../../documents/fetch-all.ts";
import { DocumentTask, planOver } from "../../documents/task.ts";
import { unknown } from "../../documents/task-queue.ts";
import { retrieveList } from "../../documents/verify/retrieve-list.ts";
import { localName } from "../../files/names.ts";
import { FtpullError } from "../../errors.ts";
import type { Session } from "../../ftp/session.ts";
import type { Settings } from "../../options/command-line.ts";
import { decoderFor } from "../../text/encoding.ts";
import { ExpectedChecksums } from "./expected-checksums.ts";
import type { Requested } from "./requested.ts";

/** A million take 650 MB of memory. */
const mostPaths = 1_000_000;

/** Fetches it; `documents` are those that are known. Undefined after a failure, which is reported. */
export async function fetchList(
  list: Requested,
  documents: readonly Requested[],
  { recursive, inputFiles, remoteEncoding, verify }: Settings,
  batch: Batch,
): Promise<ExpectedChecksums | undefined> {
  const hasOthers = recursive || inputFiles.length > 0;
  const areAll = !hasOthers && documents.every(({ pattern }) => pattern === undefined);
  const decode = decoderFor(remoteEncoding);
  const names = new Set(documents.map(({ presumed }) => localName(presumed.name, decode)));
  const task = new ListTask(list, (path) => !areAll || names.has(basename(path)));
  await perform(task, { next: () => unknown, coming: () => undefined }, batch);
  const { list: content } = task;
  const [source, label] = [list.shownUrl, list.shownUrl];
  return content && ExpectedChecksums.by({ content, source, label, verify }, batch.observer);
}

class ListTask extends DocumentTask {
  readonly #isWanted: (path: string) => boolean;
  list: ChecksumList | undefined;

  constructor(document: Requested, isWanted: (path: string) => boolean) {
    super(document);
    this.#isWanted = isWanted;
  }

  async run(session: Session, { observer }: Attempt): Promise<undefined> {
    const plan = planOver(session, this);
    let paths = 0;
    const list = new ChecksumList(plan.name, "the list", (path) => {
      const isWanted = this.#isWanted(path);
      if (isWanted && ++paths > mostPaths) throw tooLong();
      return isWanted;
    });
    await retrieveList(session, plan, list, { observer, encoding: "utf8" });
    this.list = list;
  }
}

function tooLong(): FtpullError {
  const hint = "save the list, and name that file";
  return new FtpullError("integrity", `the list has more than ${mostPaths} checksums`, { hint });
}

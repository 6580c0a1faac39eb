/** Puts the parts of a run together, fetches the documents, and reports the results. */
import { type Batch, fetchAll } from "../documents/fetch-all.ts";
import { failed } from "../documents/result.ts";
import type { Document } from "../documents/task.ts";
import { deleteGone } from "../documents/tree/deletion.ts";
import type { GoneFiles } from "../documents/tree/gone-files.ts";
import { Selection } from "../documents/tree/selection.ts";
import { Checksums, type GivenList } from "../documents/verify/checksums.ts";
import { Interrupted, toFtpullError } from "../errors.ts";
import type { Destination } from "../files/destination.ts";
import type { SessionPool } from "../ftp/session-pool.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import type { RetryPolicy } from "../tries.ts";
import { checkDeletion } from "./jobs/deletion-check.ts";
import { commandFor, resumeCommand } from "./command-for.ts";
import { fetchList, readList } from "./jobs/given-list.ts";
import { interruptions } from "./interruptions.ts";
import {
  chained,
  checkSingleFile,
  listAtUrl,
  requested,
  type UrlSource,
} from "./jobs/requested.ts";
import { TaskMaker } from "./jobs/task-maker.ts";
import { Outcome } from "./outcome.ts";
import { proxyChoice } from "./proxies.ts";
import { outputsFor } from "./outputs.ts";
import { poolFor, retryPolicy } from "./pool.ts";
import { tlsChoice } from "./tls-choice.ts";
import { UrlList } from "./jobs/url-list.ts";

interface Run extends UrlSource {
  readonly signal: AbortSignal;
  readonly policy: RetryPolicy;
  readonly pool: SessionPool;
}

/** Resolves with the exit status. @throws Interrupted; ClosedOutput; FtpullError "usage", "file" */
export async function run(settings: Settings, messages: Messages): Promise<number> {
  const outcome = new Outcome(messages, settings.json);
  const proxyFor = await proxyChoice(settings, settings.verbose ? messages : undefined);
  const checksumsUrl = listAtUrl(settings, messages);
  const givenChecksums = checksumsUrl ?? (await readList(settings, messages));
  // A terminal is read to its end here: a signal ends the program at once, as none is handled yet.
  const urlLists = await openUrlLists(settings, outcome);
  const closeLists = (reason?: Error) => urlLists?.forEach((list) => list.close(reason));
  if (urlLists === undefined) return outcome.status;
  try {
    const tlsFor = await tlsChoice(settings, messages);
    const signal = interruptions(messages);
    signal.addEventListener("abort", () => closeLists(signal.reason as Error));
    const policy = retryPolicy(settings, signal);
    const pool = poolFor(settings, messages, signal, { policy, tlsFor, proxyFor });
    const parts = { settings, messages, outcome, lists: urlLists, signal, policy, pool };
    await fetchDocuments(parts, givenChecksums);
    return outcome.status;
  } catch (error) {
    if (error instanceof Interrupted && (settings.recursive || messages.hasTree)) {
      const message = `fetch what is left with: ${resumeCommand(settings)()}`;
      messages.failure(undefined, error.with({ message }));
    }
    throw error;
  } finally {
    closeLists();
  }
}

async function openUrlLists({ inputFiles }: Settings, { report }: Outcome) {
  try {
    return await UrlList.openAll(inputFiles);
  } catch (error) {
    await report(failed(undefined, toFtpullError(error)));
    return undefined;
  }
}

async function fetchDocuments(run: Run, source: GivenList | Document | undefined): Promise<void> {
  const { settings, messages, outcome } = run;
  const documents = requested(run);
  const first = await firstOf(documents, countReadAhead(settings));
  if (settings.checksum !== undefined) checkSingleFile(first);
  if (settings.delete) checkDeletion(first, settings);
  const outputs = outputsFor(settings, messages, areSeveral(first, settings));
  const { shared, inventory } = outputs;
  const batch = batchFor(run, shared);
  const isToFetch = source !== undefined && "url" in source;
  const given = isToFetch ? await fetchList(source, first, settings, batch) : source;
  if (isToFetch && given === undefined) return run.pool.close();
  const selection = new Selection(settings);
  const checksums = new Checksums(settings, selection, messages, given);
  const { report } = batch;
  const { signal } = run;
  const gone: GoneFiles[] | undefined = settings.delete ? [] : undefined;
  const common = { settings, observer: messages, report, selection, checksums, gone };
  const maker = new TaskMaker({ ...common, ...outputs });
  const tasks = maker.tasksFor(chained(first, documents));
  const isWhole = await fetchAll(tasks, batch).catch(async (error: unknown) => {
    await shared?.abandon?.();
    throw error;
  });
  await shared?.conclude?.();
  signal.throwIfAborted();
  const { expected } = checksums;
  if (isWhole && expected) for await (const result of expected.failures()) void report(result);
  const rules = { ...batch, most: settings.maxDelete, inventory, signal };
  if (gone !== undefined) await deleteGone(gone, outcome.status, rules);
  await inventory?.total();
  await outcome.conclude(settings, whyEmpty(settings, selection));
}

function batchFor(run: Run, shared: Destination | undefined): Batch {
  const { settings, messages, outcome, pool, policy } = run;
  return {
    pool,
    policy,
    observer: messages,
    report: outcome.report,
    // Documents that go into one file have to come in order.
    jobs: shared === undefined ? settings.jobs : 1,
    commandFor: commandFor(settings),
    resumeCommand: resumeCommand(settings),
  };
}

/** A tree without any file is no failure, but options may be the reason. */
function whyEmpty({ recursive, spider }: Settings, selection: Selection): string | undefined {
  if (!recursive || spider || !selection.choosesFiles) return undefined;
  return "nothing was fetched: no file meets -A, -R, --newer-than or --older-than";
}

/**
 * Number of URLs to read before the first is fetched. An input file may be slow: none of it is
 * awaited, or two with --checksum, which refuses a second document.
 */
function countReadAhead({ checksum, inputFiles }: Settings): number {
  if (inputFiles.length === 0) return Infinity;
  return checksum === undefined ? 0 : 2;
}

function areSeveral(first: readonly Document[], { inputFiles }: Settings): boolean {
  return inputFiles.length > 0 || first.length > 1 || Boolean(first[0]?.patterns?.length);
}

async function firstOf<T>(items: AsyncIterator<T>, count: number): Promise<T[]> {
  const first: T[] = [];
  for (let next; first.length < count && !(next = await items.next()).done;) first.push(next.value);
  return first;
}

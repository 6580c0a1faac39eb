/** Puts the parts of a run together, fetches the documents, and reports the results. */
import { type Batch, fetchAll } from "../documents/fetch-all.ts";
import { failed } from "../documents/result.ts";
import type { Document, Task } from "../documents/task.ts";
import { deleteGone } from "../documents/tree/deletion.ts";
import { Selection } from "../documents/tree/selection.ts";
import { Checksums, type GivenList } from "../documents/verify/checksums.ts";
import { Interrupted, toFtpullError } from "../errors.ts";
import type { Destination } from "../files/destination.ts";
import type { SessionPool } from "../ftp/session-pool.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import type { RetryPolicy } from "../tries.ts";
import { commandFor, resumeCommand } from "./command-for.ts";
import { interruptions } from "./interruptions.ts";
import { checkDeletion } from "./jobs/deletion-check.ts";
import { fetchList, readList } from "./jobs/given-list.ts";
import {
  chained,
  checkSingleFile,
  checksumsAtUrl,
  requested,
  type UrlSource,
} from "./jobs/requested.ts";
import { TaskMaker } from "./jobs/task-maker.ts";
import { UrlList } from "./jobs/url-list.ts";
import { type Emptiness, Outcome } from "./outcome.ts";
import { outputsFor } from "./outputs.ts";
import { poolFor, retryPolicy } from "./pool.ts";
import { proxyChoice } from "./proxies.ts";
import { tlsChoice } from "./tls-choice.ts";

interface Run extends UrlSource {
  readonly signal: AbortSignal;
  readonly policy: RetryPolicy;
  readonly pool: SessionPool;
  readonly checksumsUrl: Document | undefined;
  readonly checksumsFile: GivenList | undefined;
}

/** Resolves with the exit status. @throws Interrupted; ClosedOutput; FtpullError "usage", "file" */
export async function run(settings: Settings, messages: Messages): Promise<number> {
  const outcome = new Outcome(messages, settings);
  const proxyFor = await proxyChoice(settings, settings.verbose ? messages : undefined);
  const checksumsUrl = checksumsAtUrl(settings, messages);
  const checksumsFile = checksumsUrl ? undefined : await readList(settings, messages);
  // A terminal is read to its end here: a signal ends the program at once, as none is handled yet.
  const lists = await openUrlLists(settings, outcome);
  if (lists === undefined) return outcome.status;
  const closeLists = (reason?: Error): void => lists.forEach((list) => list.close(reason));
  try {
    const tlsFor = await tlsChoice(settings, messages);
    const signal = interruptions(messages);
    signal.addEventListener("abort", () => closeLists(signal.reason as Error));
    const policy = retryPolicy(settings, signal);
    const pool = poolFor(settings, messages, signal, { policy, tlsFor, proxyFor });
    const source = { settings, messages, outcome, lists };
    await fetchDocuments({ ...source, signal, policy, pool, checksumsUrl, checksumsFile });
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

async function fetchDocuments(run: Run): Promise<void> {
  const { settings, messages, outcome, signal } = run;
  const documents = requested(run);
  const first = await firstOf(documents, countReadAhead(settings));
  if (settings.checksum !== undefined) checkSingleFile(first);
  if (settings.delete) checkDeletion(first, settings);
  const outputs = outputsFor(settings, messages, first);
  const batch = batchFor(run, outputs.shared);
  const list = await givenList(run, first, batch);
  if (list === "failed") return run.pool.close();
  const parts = { ...outputs, ...partsFor(run, list) };
  const maker = new TaskMaker(parts);
  const tasks = maker.tasksFor(chained(first, documents));
  const isWhole = await fetchTasks(tasks, batch, outputs.shared);
  signal.throwIfAborted();
  if (isWhole) await reportMissingFiles(parts.checksums, outcome);
  const deletion = { ...parts, most: settings.maxDelete, signal };
  if (settings.delete) await deleteGone(maker.gone, outcome.status, deletion);
  await outputs.inventory?.total();
  const isCutOff = maker.cutOff.directories > 0;
  await outcome.conclude(settings, isCutOff ? undefined : whyEmpty(settings, parts.selection));
}

/** The list of --checksums; "failed" for one whose failure is reported: without the list, nothing is fetched. */
async function givenList(run: Run, first: readonly Document[], batch: Batch) {
  const { settings, checksumsUrl, checksumsFile } = run;
  if (checksumsUrl === undefined) return checksumsFile;
  return (await fetchList(checksumsUrl, first, settings, batch)) ?? "failed";
}

function partsFor({ settings, messages, outcome }: Run, list: GivenList | undefined) {
  const isLevelGiven = settings.given.some(({ long }) => long === "--level");
  const selection = new Selection({ ...settings, isLevelGiven });
  const checksums = new Checksums(settings, selection, messages, list);
  return { settings, observer: messages, report: outcome.report, selection, checksums };
}

async function fetchTasks(tasks: AsyncIterable<Task>, batch: Batch, shared?: Destination) {
  const isWhole = await fetchAll(tasks, batch).catch(async (error: unknown) => {
    await shared?.abandon?.();
    throw error;
  });
  await shared?.conclude?.();
  return isWhole;
}

async function reportMissingFiles({ expected }: Checksums, { report }: Outcome): Promise<void> {
  if (expected === undefined) return;
  for await (const result of expected.failures()) void report(result);
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

function whyEmpty({ recursive, spider }: Settings, selection: Selection): Emptiness | undefined {
  if (!recursive || spider || !selection.choosesFiles) return undefined;
  const text = "nothing was fetched: no file meets -A, -R, --newer-than or --older-than";
  return { text, isUsual: selection.hasTimes };
}

/**
 * Number of URLs to read before the first is fetched. None of an input file is awaited, which may be
 * slow, except for --checksum, which refuses a second document.
 */
function countReadAhead({ checksum, inputFiles }: Settings): number {
  if (inputFiles.length === 0) return Infinity;
  return checksum === undefined ? 0 : 2;
}

async function firstOf<T>(items: AsyncIterator<T>, count: number): Promise<T[]> {
  const first: T[] = [];
  while (first.length < count) {
    const next = await items.next();
    if (next.done) break;
    first.push(next.value);
  }
  return first;
}

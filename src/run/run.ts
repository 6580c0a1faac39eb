/** Fetching what the URLs name: the parts put together, the results reported. */
import { clockMs } from "../clock.ts";
import { type Batch, fetchAll } from "../documents/fetch-all.ts";
import { hintFor } from "../documents/hints.ts";
import { failed, type Report } from "../documents/result.ts";
import { Inventory } from "../documents/spider/inventory.ts";
import type { Task } from "../documents/task.ts";
import { Selection } from "../documents/tree/selection.ts";
import { FtpullError, Interrupted, toFtpullError } from "../errors.ts";
import { standardOutput, stdoutLabel } from "../files/output/document-output.ts";
import type { PoolOptions } from "../ftp/session-pool.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import { retryPolicy } from "../tries.ts";
import { commandFor, continuingCommand, howToGoOn } from "./command-for.ts";
import { checkSingleFile, ExpectedChecksums } from "./jobs/expected-checksums.ts";
import { fetchList } from "./jobs/list-at-url.ts";
import { interruptions } from "./interruptions.ts";
import { fileRules } from "./jobs/file-rules.ts";
import { chained, listAtUrl, requested, type Requested } from "./jobs/requested.ts";
import { TaskMaker } from "./jobs/task-maker.ts";
import { Outcome } from "./outcome.ts";
import { proxyChoice } from "./proxies.ts";
import { outputsFor } from "./outputs.ts";
import { poolFor } from "./pool.ts";
import { tlsChoice } from "./tls-choice.ts";
import { UrlList } from "./jobs/url-list.ts";

/**
 * Fetches all documents and resolves with the run's exit status.
 * @throws Interrupted; ClosedOutput; FtpullError "usage", "file" for the files that options name
 */
export async function run(settings: Settings, messages: Messages): Promise<number> {
  const begun = clockMs();
  const outcome = new Outcome(messages, settings);
  const proxyFor = await proxyChoice(settings, settings.verbose ? messages : undefined);
  const listUrl = listAtUrl(settings, messages);
  let expected = await ExpectedChecksums.read(
    listUrl ? { ...settings, checksums: undefined } : settings,
    messages,
  );
  const report: Report = (result) => {
    expected.ended(result);
    return outcome.report(result);
  };
  // Opened before signals are handled: until then a signal ends the wait for a FIFO's writer at once.
  let lists: readonly UrlList[];
  try {
    lists = await UrlList.openAll(settings.inputFiles);
  } catch (error) {
    await report(failed(undefined, toFtpullError(error)));
    return outcome.status;
  }
  const closeLists = (reason?: Error) => lists.forEach((list) => list.close(reason));
  try {
    const tlsFor = await tlsChoice(settings, messages);
    const signal = interruptions(messages);
    signal.addEventListener("abort", () => closeLists(signal.reason as Error));
    const again = commandFor(settings);
    const policy = retryPolicy(settings, signal);
    const retrying: PoolOptions["retrying"] = (url, error, words, failures) => {
      const hint = failures === 1 ? (error.hint ?? hintFor(error, url, again)) : undefined;
      messages.info(`${url.host}: ${error.message}; ${words}`, hint);
    };
    const pool = poolFor(settings, messages, signal, { policy, tlsFor, proxyFor, retrying });
    const printed = settings.json ? undefined : standardOutput(() => process.stdout);
    const inventory = settings.spider ? new Inventory(printed) : undefined;
    const caughtUp = () => outcome.caughtUp();
    const documents = requested({ settings, lists, messages, report, caughtUp });
    const count = settings.inputFiles.length === 0 ? Infinity : 2;
    const first = dependsOnCount(settings) ? await firstOf(documents, count) : [];
    if (settings.checksum !== undefined) checkSingleFile(first);
    const several =
      settings.inputFiles.length > 0 || first.length > 1 || first[0]?.pattern !== undefined;
    const { shared, listing } = outputsFor(settings, messages, several);
    if (settings.json && shared?.label === stdoutLabel) throw bothOnStdout();
    const selection = new Selection(settings);
    const rules = fileRules(settings, shared, selection, false);
    const rulesBelow = fileRules(settings, shared, selection, true);
    const all = first.length > 0 ? chained(first, documents) : documents;
    const ways = { rules, rulesBelow, listing, inventory };
    const batch: Batch = {
      pool,
      policy,
      observer: messages,
      report,
      // What goes into one file has to come in order.
      jobs: shared === undefined ? settings.jobs : 1,
      commandFor: again,
      sameCommand: continuingCommand(settings),
      tellsRest: settings.recursive,
    };
    if (listUrl !== undefined) {
      const listed = await fetchList(listUrl, first, settings, batch);
      if (listed === undefined) {
        await pool.close();
        return outcome.status;
      }
      expected = listed;
    }
    const maker = new TaskMaker({ settings, selection, expected, messages, report, ...ways });
    await fetchAll(tasksOf(all, maker, report), batch).catch(async (error: unknown) => {
      await shared?.abandon?.();
      throw error;
    });
    await shared?.conclude?.();
    signal.throwIfAborted();
    await inventory?.total();
    for (const result of expected.absent(selection)) void report(result);
    const isTree = settings.recursive && !settings.spider;
    await outcome.conclude((clockMs() - begun) / 1000, isTree, whyEmpty(settings));
    return outcome.status;
  } catch (error) {
    if (error instanceof Interrupted && settings.recursive) messages.info(howToGoOn(settings));
    throw error;
  } finally {
    closeLists();
  }
}

/** A tree without any file is no failure, but may be one of the options. */
function whyEmpty({ recursive, spider, ...settings }: Settings): string | undefined {
  const { accept, reject, newerThan, olderThan } = settings;
  const selects =
    [...accept, ...reject].length > 0 || newerThan !== undefined || olderThan !== undefined;
  if (!recursive || spider || !selects) return undefined;
  return "nothing was fetched: no file meets -A, -R, --newer-than or --older-than";
}

function bothOnStdout(): FtpullError {
  return new FtpullError("usage", "--json and documents can't both be on standard output");
}

/**
 * Whether it matters if there are several documents. Those of an input file, which may come slowly,
 * aren't waited for.
 */
function dependsOnCount({ checksum, checksums, outputDocument, inputFiles }: Settings): boolean {
  return (
    checksum !== undefined ||
    ((checksums ?? outputDocument) !== undefined && inputFiles.length === 0)
  );
}

async function firstOf<T>(items: AsyncIterator<T>, count: number): Promise<T[]> {
  const first: T[] = [];
  for (let next; first.length < count && !(next = await items.next()).done;) first.push(next.value);
  return first;
}

async function* tasksOf(
  documents: AsyncIterable<Requested>,
  maker: TaskMaker,
  report: Report,
): AsyncGenerator<Task> {
  for await (const document of documents) {
    let task: Task | undefined;
    try {
      task = maker.taskFor(document);
    } catch (error) {
      await report(failed(document.shownUrl, toFtpullError(error)));
    }
    if (task !== undefined) yield task;
  }
}

/** Puts the parts of a run together, fetches the documents, and reports the results. */
import { readChecksumList } from "../checksums/checksum-list.ts";
import { type Batch, fetchAll } from "../documents/fetch-all.ts";
import type { ListingOutput } from "../documents/listing/listing-task.ts";
import { Inventory } from "../documents/spider/inventory.ts";
import type { Task } from "../documents/task.ts";
import { Selection } from "../documents/tree/selection.ts";
import { Checksums } from "../documents/verify/checksums.ts";
import { FtpullError, usageError } from "../errors.ts";
import type { Destination } from "../files/destination.ts";
import { documentOutput, standardOutput, stdoutLabel } from "../files/output/document-output.ts";
import { listingFormatter } from "../listing/format.ts";
import type { Settings } from "../options/command-line.ts";
import { isTerminal } from "../terminal/is-terminal.ts";
import type { Messages } from "../terminal/messages.ts";
import { decoderFor } from "../text/encoding.ts";
import { directoryUrl } from "../url/format.ts";
import { interruptions } from "./interruptions.ts";
import { existingFor } from "./jobs/file-rules.ts";
import { requested, type Requested } from "./jobs/requested.ts";
import { TaskMaker } from "./jobs/task-maker.ts";
import { Outcome } from "./outcome.ts";
import { poolFor, retryPolicy, tlsChoice } from "./pool.ts";
import { proxyChoice } from "./proxies.ts";

/** Resolves with the exit status. @throws Interrupted; FtpullError "usage", "file" */
export async function run(settings: Settings, messages: Messages): Promise<number> {
  const outcome = new Outcome(messages, settings);
  const { report } = outcome;
  const proxyFor = await proxyChoice(settings, messages);
  // A terminal is read to its end here: a signal ends the program at once, as none is handled yet.
  const list =
    settings.checksums === undefined ? undefined : await readChecksumList(settings.checksums);
  const urls = await requested(settings, messages, outcome);
  const outputs = outputsFor(settings, messages, urls.extent);
  const selection = new Selection(settings);
  const checksums = new Checksums(settings, selection, messages, list);
  const parts = { settings, observer: messages, report, selection, checksums };
  const maker = new TaskMaker({ ...outputs, ...parts });
  const tlsFor = await tlsChoice(settings, messages);
  const signal = interruptions(messages);
  const policy = retryPolicy(settings, signal);
  const pool = poolFor(settings, messages, signal, { policy, tlsFor, proxyFor });
  // Documents that go into one file have to come in order.
  const jobs = outputs.shared === undefined ? settings.jobs : 1;
  const batch = { pool, policy, observer: messages, report, jobs };
  const fetched = fetchTasks(maker.tasksFor(urls), batch, outputs.shared);
  await fetched.finally(() => outcome.interrupted());
  signal.throwIfAborted();
  for await (const result of checksums.missing()) void report(result);
  for (const path of selection.idleExclusions)
    messages.warnAlways(`-X "${path}" left nothing out: no directory has this path`);
  const isTree = !settings.spider && (settings.recursive || urls.extent === "pattern");
  await outcome.conclude(selection, isTree);
  return outcome.status;
}

async function fetchTasks(tasks: Iterable<Task>, batch: Batch, shared?: Destination) {
  try {
    await fetchAll(tasks, batch);
    shared?.conclude?.();
  } catch (error) {
    shared?.abandon?.();
    throw error;
  }
}

/**
 * Outputs of documents and listings without a file of their own. `shared` is the file of -O. @throws FtpullError
 * "usage" if standard output would mix files and --json
 */
function outputsFor(settings: Settings, messages: Messages, extent: Requested["extent"]) {
  const { outputDocument: file, json } = settings;
  const shared =
    file === undefined
      ? undefined
      : documentOutput(file, existingFor(settings), stdout, extent !== "one");
  if (json && shared?.label === stdoutLabel)
    throw usageError("--json and files can't both be on standard output");
  const listing = listingOutput(settings, messages, shared);
  // A script's question whether one file is there, with -q, is answered by the status.
  const isAnswered = settings.verbosity === "quiet" && !settings.recursive && extent === "one";
  const hasLines = !json && !isAnswered;
  const lines = hasLines ? standardOutput(stdout) : undefined;
  return { shared, listing, inventory: settings.spider ? new Inventory(lines) : undefined };
}

const stdout = () => process.stdout;

function listingOutput(
  settings: Settings,
  messages: Messages,
  shared: Destination | undefined,
): ListingOutput {
  const isOnTerminal = shared === undefined && isTerminal(1);
  const format = settings.format ?? (isOnTerminal ? "table" : "names");
  const decode = decoderFor(settings.remoteEncoding);
  return {
    destination: shared ?? standardOutput(stdout),
    formatterFor: (url, plan) => {
      const directory = directoryUrl(url, plan);
      // An unreadable line is no failure of the listing, but is shown even if warnings aren't.
      const unread = (line: string): void => {
        const words = `cannot read the line "${decode(line)}" of the listing`;
        messages.failure(directory, new FtpullError("protocol", words));
      };
      return listingFormatter(format, decode, directory, { unread, isOnTerminal });
    },
    turn: Promise.resolve(),
  };
}

/** Puts the parts of a run together, fetches the documents, and reports the results. */
import { readChecksumList } from "../checksums/checksum-list.ts";
import { type Batch, fetchAll } from "../documents/fetch-all.ts";
import type { Task } from "../documents/task.ts";
import { Selection } from "../documents/tree/selection.ts";
import { Verifiers } from "../documents/verify/verifiers.ts";
import type { Destination } from "../files/destination.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import { interruptions } from "./interruptions.ts";
import { requested } from "./jobs/requested.ts";
import { TaskMaker } from "./jobs/task-maker.ts";
import { Outcome } from "./outcome.ts";
import { outputsFor } from "./outputs.ts";
import { poolFor, retryPolicy } from "./pool.ts";
import { proxyChoice } from "./proxies.ts";
import { tlsChoice } from "./tls-choice.ts";

/** Resolves with the exit status. @throws Interrupted; FtpullError "usage", "file" */
export async function run(settings: Settings, messages: Messages): Promise<number> {
  const outcome = new Outcome(messages, settings);
  const { report } = outcome;
  const proxyFor = proxyChoice(settings, messages);
  // A terminal is read to its end here: a signal ends the program at once, as none is handled yet.
  const list =
    settings.checksums === undefined ? undefined : await readChecksumList(settings.checksums);
  const urls = await requested(settings, messages, report);
  const outputs = outputsFor(settings, messages, urls.extent);
  const selection = new Selection(settings);
  const verifiers = new Verifiers(settings, selection, messages, list);
  const parts = { settings, observer: messages, report, selection, verifiers };
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
  for await (const result of verifiers.missing()) void report(result);
  for (const path of selection.idleExclusions)
    messages.warnAlways(`-X "${path}" left nothing out: no directory has this path`);
  await outcome.conclude(selection, urls.extent);
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

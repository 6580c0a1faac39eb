/** Does all tasks of a run, one or several at once. A failure doesn't stop the others (M3). */
import { hasReason, toFtpullError } from "../errors.ts";
import type { SessionPool } from "../ftp/session-pool.ts";
import type { RetryPolicy } from "../tries.ts";
import type { Observer } from "./events.ts";
import { hintFor } from "./hints.ts";
import { formatOctets, formatPart } from "../text/units.ts";
import { failed, type Report, type Result } from "./result.ts";
import { retry } from "./retry.ts";
import { LookAhead } from "./look-ahead.ts";
import { TaskQueue } from "./task-queue.ts";
import { Tries } from "./task-tries.ts";
import { certainPlan, type Leftover, type Task } from "./task.ts";

export interface Batch {
  readonly pool: SessionPool;
  readonly policy: RetryPolicy;
  readonly observer: Observer;
  readonly report: Report;
  readonly jobs: number;
}

/** @throws Interrupted; FtpullError "output closed"; errors of `tasks` */
export async function fetchAll(tasks: Iterable<Task>, batch: Batch): Promise<void> {
  const queue = new TaskQueue(tasks, (task) => isSkipped(task, batch));
  const workers = Array.from({ length: batch.jobs }, () =>
    work(queue, batch).catch((error: unknown) => {
      queue.stop();
      // Without a reader, no other file is waited for.
      if (hasReason(error, "output closed")) void batch.pool.close(error);
      throw error;
    }),
  );
  // Every worker closes its document before the first failure is passed on.
  const results = await Promise.allSettled(workers);
  await batch.pool.close();
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined) throw failure.reason;
}

function isSkipped(task: Task, { report }: Batch): boolean {
  try {
    const skip = task.skip?.();
    if (skip !== undefined && skip !== "left out") void report(skip);
    return skip !== undefined;
  } catch (error) {
    void report(failed(task.document.shownUrl, toFtpullError(error)));
    return true;
  }
}

async function work(queue: TaskQueue, batch: Batch): Promise<void> {
  const ahead = new LookAhead(queue, batch);
  for (;;) {
    const taken = await ahead.take();
    if (taken === undefined) return;
    await perform(taken.task, ahead, batch).finally(() => queue.end(taken));
  }
}

async function perform(task: Task, ahead: LookAhead, batch: Batch): Promise<void> {
  const { pool, policy } = batch;
  const { document } = task;
  const login = pool.loginOf(document.url);
  const tries = new Tries(task, certainPlan(document), login, batch, (session, behind) =>
    ahead.upcoming(session, login, behind),
  );
  await login.server.nextTurn();
  const ended = await retry(tries, policy).catch((error: unknown) => resultOf(error, task, tries));
  const result = tries.conclude(ended);
  if (result === undefined) return;
  const reported = batch.report(result);
  // The end of the run doesn't wait for a slow reader.
  if (hasReason(result.error, "interrupted")) throw result.error;
  await reported;
}

async function resultOf(error: unknown, task: Task, tries: Tries): Promise<Result> {
  const left = await task.leftover?.();
  if (hasReason(error, "output closed")) throw error;
  const { url, shownUrl } = task.document;
  const failure = toFtpullError(error);
  const ending = endingOf(left, tries.octets);
  const isAlone = !hasReason(failure, "interrupted") && !left?.inTree;
  const hint = failure.hint ?? hintFor(failure, url);
  const shown = isAlone ? failure.with({ hint }) : failure;
  return { ending, ...left, ...failed(shownUrl, shown) };
}

/** What became of the data of a transfer that had begun. */
function endingOf(left: Leftover | undefined, arrived: number): string | undefined {
  const { octets = 0, size } = left ?? {};
  if (octets === 0) return arrived === 0 ? undefined : "nothing was kept";
  const place = size === undefined ? formatOctets(octets) : formatPart(octets, size, " of ");
  return `stopped at ${place}; the same command goes on from there`;
}

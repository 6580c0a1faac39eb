/** Does all tasks of a run, one or several at once. A failure doesn't stop the others (M3), but a full disk does. */
import { ClosedOutput, Interrupted, toFtpullError } from "../errors.ts";
import { isDiskFull } from "../files/file-error.ts";
import type { DocumentPlan } from "../ftp/document-steps.ts";
import type { Login } from "../ftp/server-sessions.ts";
import type { SessionPool } from "../ftp/session-pool.ts";
import type { Session } from "../ftp/session.ts";
import type { RetryPolicy } from "../tries.ts";
import type { Observer } from "./events.ts";
import { hintFor, hintInTree } from "./hints.ts";
import { failed, type Report, type Result } from "./result.ts";
import { retry } from "./retry.ts";
import { type Ahead, TaskQueue, unknown } from "./task-queue.ts";
import { Tries } from "./task-tries.ts";
import { certainPlan, type Leftover, type Task } from "./task.ts";

export interface Batch {
  readonly pool: SessionPool;
  readonly policy: RetryPolicy;
  readonly observer: Observer;
  readonly report: Report;
  readonly jobs: number;
}

/** Returns false if a full disk has ended the run early. @throws Interrupted; ClosedOutput; errors of `tasks` */
export async function fetchAll(tasks: AsyncIterable<Task>, given: Batch): Promise<boolean> {
  let isFull = false;
  const report: Report = (result) => {
    isFull ||= isDiskFull(result.error);
    if (isFull) queue.stop();
    return given.report(result);
  };
  const batch = { ...given, report };
  const queue = new TaskQueue(tasks, (task) => isSkipped(task, batch));
  const workers = Array.from({ length: batch.jobs }, () =>
    queue
      .work((task, ahead) => perform(task, ahead, batch))
      .catch((error: unknown) => {
        queue.stop();
        throw error;
      }),
  );
  // Every worker closes its document before the first failure is passed on.
  const results = await Promise.allSettled(workers);
  await batch.pool.close();
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  if (isFull && queue.hasMore)
    batch.observer.info("the disk is full: what was left has not been tried");
  return !isFull;
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

export async function perform(task: Task, ahead: Ahead, batch: Batch): Promise<void> {
  const { pool, policy } = batch;
  const { document } = task;
  const login = pool.loginOf(document.url);
  const tries = new Tries(task, certainPlan(document), login, batch.observer, (session) =>
    upcoming(session, login, ahead, batch),
  );
  await login.server.turns.next();
  const begun = policy.now();
  const failure = (error: unknown): Promise<Result> => failureOf(task, error, login, batch);
  const result = await retry(tries, policy).catch(failure);
  if (result === undefined) return;
  const reported = batch.report({ ...result, seconds: (policy.now() - begun) / 1000 });
  // The end of the run doesn't wait for a slow reader.
  if (result.error instanceof Interrupted) throw result.error;
  await reported;
}

async function failureOf(task: Task, error: unknown, login: Login, batch: Batch): Promise<Result> {
  const leftover = (await task.leftover?.()) ?? {};
  if (error instanceof ClosedOutput) throw error;
  const { url, shownUrl } = task.document;
  const failure = toFtpullError(error);
  if (failure instanceof Interrupted) {
    const message = ["interrupted", leftoverText(leftover) ?? []].flat().join("; ");
    batch.observer.failure(shownUrl, failure.with({ message }));
    return { ...failed(shownUrl, failure), ...leftover.facts };
  }
  const isEntry = leftover.facts?.inTree && !task.isTop;
  const { hasGreeted } = login.server.capabilities;
  const hint =
    failure.hint ??
    leftoverText(leftover) ??
    (isEntry ? hintInTree(failure, url) : undefined) ??
    hintFor(failure, { url, shownUrl, hasGreeted });
  const hinted = hint === failure.hint ? failure : failure.with({ hint });
  return { ...failed(shownUrl, hinted), ...leftover.facts };
}

/** What is stored of the document, and how to go on. */
function leftoverText({ part, facts }: Leftover): string | undefined {
  if (!facts?.octets) return undefined;
  return `"${part}" has the ${facts.octets} octets that arrived: the same command goes on from there`;
}

function upcoming(
  session: Session,
  login: Login,
  ahead: Ahead,
  { pool, policy }: Batch,
): DocumentPlan | undefined {
  const next = ahead.next();
  // Another task waits, perhaps for a connection that never comes: it gets the session.
  if (next === undefined || next === unknown || login.server.isAwaited) return undefined;
  const plan = certainPlan(next.document);
  if (plan === undefined || policy.pauseMs) return undefined;
  const isReached = pool.loginOf(next.document.url) === login && session.reaches(plan);
  return isReached ? plan : undefined;
}

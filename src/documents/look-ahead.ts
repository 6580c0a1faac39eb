/** What one worker does next: the commands for its next task go out while the present one ends. */
import type { DocumentPlan } from "../ftp/document-steps.ts";
import type { ServerLogin } from "../ftp/server-sessions.ts";
import type { SessionPool } from "../ftp/session-pool.ts";
import type { Session } from "../ftp/session.ts";
import type { RetryPolicy } from "../tries.ts";
import type { Taken, TaskQueue } from "./task-queue.ts";
import { certainPlan } from "./task.ts";

interface Surroundings {
  readonly pool: SessionPool;
  readonly policy: Pick<RetryPolicy, "pauseMs">;
}

export class LookAhead {
  readonly #queue: TaskQueue;
  readonly #around: Surroundings;
  /** The next task, if it was taken early. */
  #early: Taken | undefined;

  constructor(queue: TaskQueue, around: Surroundings) {
    this.#queue = queue;
    this.#around = around;
  }

  async take(): Promise<Taken | undefined> {
    const taken = this.#early ?? (await this.#queue.take());
    this.#early = undefined;
    return this.#queue.isStopped ? undefined : taken;
  }

  /**
   * The next request over the session, if it is certain. Behind a "listing" it is what comes unless tasks follow from
   * the listing; else the task is taken.
   */
  upcoming(session: Session, login: ServerLogin, behind?: "listing"): DocumentPlan | undefined {
    const { pool, policy } = this.#around;
    // Another task that waits, perhaps for a connection that never comes, gets the session.
    if (policy.pauseMs || login.server.isAwaited) return undefined;
    const queue = this.#queue;
    const task = behind === "listing" ? queue.coming : (this.#early ??= queue.takeNow())?.task;
    const plan = task && certainPlan(task.document);
    const isReached = plan && pool.loginOf(task.document.url) === login && session.reaches(plan);
    return isReached ? plan : undefined;
  }
}

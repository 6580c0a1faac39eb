/** The tasks still to be done: followers of other tasks, the latest first, then those of URLs, read one ahead. */
import { Changed } from "../changed.ts";
import type { Task } from "./task.ts";

/** The next task may follow from one that has not ended; `undefined`: no task is left. */
export const unknown = Symbol("unknown");

type Next<T> = T | typeof unknown | undefined;

export interface Ahead {
  /** Takes the next task for the same worker; unknown while it can depend on the running task. */
  next(): Next<Task>;
  /** The task that is next unless others follow from the running one, or another worker takes it. */
  coming(): Task | undefined;
}

interface Taken {
  readonly task: Task;
  readonly parent: Taken | undefined;
  /** Number of its unfinished followers, plus 1 until it has ended and its last follower was taken. */
  left: number;
}

/** Tasks that follow `of`, or those of URLs, and the next of them. */
interface Followers {
  readonly of: Taken | undefined;
  readonly tasks: Iterator<Task>;
  upcoming: Task | undefined;
}

export class TaskQueue {
  readonly #isSkipped: (task: Task) => boolean;
  /** The latest followers are last, the tasks of URLs first. */
  readonly #stack: Followers[];
  #isStopped = false;
  /** Number of unfinished tasks that were handed out. A set of them would hold memory (V8). */
  #taken = 0;
  /** Number of taken tasks from which others may follow. */
  #open = 0;
  readonly #changed = new Changed();

  constructor(tasks: Iterable<Task>, isSkipped: (task: Task) => boolean) {
    this.#stack = [{ of: undefined, tasks: tasks[Symbol.iterator](), upcoming: undefined }];
    this.#isSkipped = isSkipped;
  }

  async work(perform: (task: Task, ahead: Ahead) => Promise<void>): Promise<void> {
    let takenAhead: Next<Taken> = unknown;
    const ahead: Ahead = {
      next: () => {
        if (takenAhead === unknown) takenAhead = this.#takeIfKnown();
        return takenAhead === unknown ? unknown : takenAhead?.task;
      },
      coming: () => (this.#taken > 1 || this.#isStopped ? undefined : this.#latest()?.upcoming),
    };
    const following = () => {
      const next = this.#isStopped ? undefined : takenAhead;
      takenAhead = unknown;
      return next === unknown ? this.#take() : next;
    };
    for (let next = await following(); next !== undefined; next = await following()) {
      const running = next;
      await perform(running.task, ahead).finally(() => this.#end(running));
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#changed.wake();
  }

  get hasMore(): boolean {
    return this.#taken > 0 || this.#latest() !== undefined;
  }

  async #take(): Promise<Taken | undefined> {
    for (;;) {
      const next = this.#takeIfKnown();
      if (next !== unknown) return next;
      await this.#changed.wait();
    }
  }

  #takeIfKnown(): Next<Taken> {
    for (;;) {
      if (this.#isStopped) return undefined;
      const latest = this.#latest();
      if (latest === undefined) return this.#open > 0 ? unknown : undefined;
      const taken = this.#begin(latest.upcoming!, latest.of);
      latest.upcoming = undefined;
      if (!this.#isSkipped(taken.task)) return taken;
      this.#end(taken);
    }
  }

  #begin(task: Task, parent: Taken | undefined): Taken {
    this.#taken++;
    if (task.further !== undefined) this.#open++;
    if (parent !== undefined) parent.left++;
    return { task, parent, left: 1 };
  }

  #end(taken: Taken): void {
    const { task } = taken;
    this.#taken--;
    const tasks = task.further?.();
    if (tasks === undefined) this.#close(taken);
    else this.#stack.push({ of: taken, tasks, upcoming: undefined });
    if (task.further === undefined) return;
    this.#open--;
    this.#changed.wake();
  }

  #close(taken: Taken): void {
    taken.left--;
    if (taken.left > 0) return;
    taken.task.end?.();
    if (taken.parent !== undefined) this.#close(taken.parent);
  }

  /** The latest followers of which one is left. */
  #latest(): Followers | undefined {
    for (;;) {
      const latest = this.#stack.at(-1);
      if (latest === undefined) return undefined;
      latest.upcoming ??= latest.tasks.next().value as Task | undefined;
      if (latest.upcoming !== undefined) return latest;
      this.#stack.pop();
      if (latest.of !== undefined) this.#close(latest.of);
    }
  }
}

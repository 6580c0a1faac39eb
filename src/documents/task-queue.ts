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

/** The tasks that follow `of`, or those of URLs. */
interface Family {
  readonly of: Taken | undefined;
  readonly tasks: Iterator<Task>;
  /** Next task, already read from `tasks` but not handed out. */
  next: Task | undefined;
  /** Number of its unfinished tasks, plus 1 while `tasks` may yield more. */
  left: number;
}

/** A task that was handed out. */
interface Taken {
  readonly task: Task;
  readonly family: Family;
}

export class TaskQueue {
  readonly #isSkipped: (task: Task) => boolean;
  /** Families that may have more tasks: the latest is last, that of the URLs first. */
  readonly #stack: Family[];
  #isStopped = false;
  /** Number of unfinished tasks that were handed out. A set of them would hold memory (V8). */
  #running = 0;
  /** Number of running tasks from which others may follow. */
  #open = 0;
  readonly #changed = new Changed();

  constructor(tasks: Iterable<Task>, isSkipped: (task: Task) => boolean) {
    this.#stack = [{ of: undefined, tasks: tasks[Symbol.iterator](), next: undefined, left: 1 }];
    this.#isSkipped = isSkipped;
  }

  async work(perform: (task: Task, ahead: Ahead) => Promise<void>): Promise<void> {
    let early: Next<Taken> = unknown;
    const ahead: Ahead = {
      next: () => {
        if (early === unknown) early = this.#takeIfKnown();
        return early === unknown ? unknown : early?.task;
      },
      coming: () => (this.#running > 1 || this.#isStopped ? undefined : this.#latest()?.next),
    };
    for (;;) {
      const taken: Taken | undefined = early === unknown ? await this.#take() : early;
      early = unknown;
      if (taken === undefined || this.#isStopped) return;
      await perform(taken.task, ahead).finally(() => this.#end(taken));
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#changed.wake();
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
      const family = this.#latest();
      if (family === undefined) return this.#open > 0 ? unknown : undefined;
      const taken = { task: family.next!, family };
      family.next = undefined;
      family.left++;
      this.#running++;
      if (taken.task.further !== undefined) this.#open++;
      if (!this.#isSkipped(taken.task)) return taken;
      this.#end(taken);
    }
  }

  /** The latest family with a task that isn't handed out. */
  #latest(): Family | undefined {
    for (;;) {
      const family = this.#stack.at(-1);
      if (family === undefined) return undefined;
      family.next ??= family.tasks.next().value as Task | undefined;
      if (family.next !== undefined) return family;
      this.#stack.pop();
      this.#leave(family);
    }
  }

  #end(taken: Taken): void {
    const { task } = taken;
    this.#running--;
    const tasks = task.further?.();
    if (tasks === undefined) this.#conclude(taken);
    else this.#stack.push({ of: taken, tasks, next: undefined, left: 1 });
    if (task.further === undefined) return;
    this.#open--;
    this.#changed.wake();
  }

  /** Called when a task and all that followed from it have ended. */
  #conclude({ task, family }: Taken): void {
    task.end?.();
    this.#leave(family);
  }

  #leave(family: Family): void {
    family.left--;
    if (family.left === 0 && family.of !== undefined) this.#conclude(family.of);
  }
}

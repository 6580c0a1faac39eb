/** The tasks still to be done: those that follow from the latest task first, then those of URLs, read one ahead. */
import { Changed } from "../changed.ts";
import type { Task } from "./task.ts";

/** A task that was handed out. The root of all has none: the tasks of URLs follow from it. */
interface Parent {
  readonly task?: Task;
  readonly parent?: Parent;
  followers?: Iterator<Task> | undefined;
  /** First of the followers that aren't handed out, if it was read. */
  next?: Task | undefined;
  /** Number of its followers at work, plus 1 until it has ended itself and its last follower is read. */
  unfinished: number;
}

export type Taken = Parent & { readonly task: Task };

export class TaskQueue {
  readonly #isSkipped: (task: Task) => boolean;
  /** Parents of which more tasks may follow: the latest is last, the root first. */
  readonly #stack: Parent[];
  #isStopped = false;
  /** Number of tasks at work. A set of them would hold memory (V8). */
  #running = 0;
  readonly #changed = new Changed();

  constructor(tasks: Iterable<Task>, isSkipped: (task: Task) => boolean) {
    this.#stack = [{ followers: tasks[Symbol.iterator](), unfinished: 1 }];
    this.#isSkipped = isSkipped;
  }

  /** Takes the next task, which may yet follow from a running one; undefined if none is left. */
  async take(): Promise<Taken | undefined> {
    for (;;) {
      const taken = this.takeNow();
      if (taken !== undefined || this.#running === 0 || this.#isStopped) return taken;
      await this.#changed.wait();
    }
  }

  /** Takes the next task, if there is one by now. */
  takeNow(): Taken | undefined {
    for (;;) {
      const parent = this.#isStopped ? undefined : this.#latest();
      if (parent?.next === undefined) return undefined;
      const taken: Taken = { task: parent.next, parent, unfinished: 1 };
      parent.next = undefined;
      parent.unfinished++;
      this.#running++;
      if (!this.#isSkipped(taken.task)) return taken;
      this.end(taken);
    }
  }

  /** The task that is next unless others follow from the only running one. */
  get coming(): Task | undefined {
    return this.#running > 1 ? undefined : this.#latest()?.next;
  }

  /** Called when a task has ended: others may follow. */
  end(taken: Taken): void {
    this.#running--;
    taken.followers = taken.task.further?.();
    if (taken.followers === undefined) finish(taken);
    else this.#stack.push(taken);
    this.#changed.wake();
  }

  stop(): void {
    this.#isStopped = true;
    this.#changed.wake();
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The latest parent with a task that isn't handed out. */
  #latest(): Parent | undefined {
    for (;;) {
      const parent = this.#stack.at(-1);
      if (parent === undefined) return undefined;
      parent.next ??= parent.followers?.next().value as Task | undefined;
      if (parent.next !== undefined) return parent;
      this.#stack.pop();
      finish(parent);
    }
  }
}

/** Ends a task once all that followed from it have ended, and so on with the one that it followed from. */
function finish(one: Parent): void {
  one.unfinished--;
  if (one.unfinished > 0) return;
  one.task?.end?.();
  if (one.parent !== undefined) finish(one.parent);
}

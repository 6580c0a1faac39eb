/** The order of tasks: what follows from one comes before the next URL, and one file's tasks in turn. */
import { expect, test } from "vitest";
import type { Task } from "../../src/documents/task.ts";
import { type Ahead, TaskQueue, unknown } from "../../src/documents/task-queue.ts";

type Made = Partial<Task> & { name: string };

const made = (name: string, more: Partial<Task> = {}): Made => ({ name, ...more });
const nameOf = (task: unknown): string => (task as Made | undefined)?.name ?? "none";

/** Does all tasks; `perform` may look ahead. */
async function order(
  tasks: readonly Made[],
  {
    skipped = [],
    perform = async () => {},
    workers = 1,
  }: {
    skipped?: string[];
    perform?: (name: string, ahead: Ahead) => Promise<void>;
    workers?: number;
  } = {},
): Promise<string[]> {
  const done: string[] = [];
  const queue = new TaskQueue(tasks as unknown as Task[], (task) => skipped.includes(nameOf(task)));
  const work = (): Promise<void> =>
    queue.work(async (task, ahead) => {
      done.push(nameOf(task));
      await perform(nameOf(task), ahead);
    });
  await Promise.all(Array.from({ length: workers }, work));
  return done;
}

const parent = (name: string, children: Made[], more: Partial<Task> = {}): Made =>
  made(name, { further: () => (children as unknown as Task[]).values(), ...more });

test("what follows from a task comes before the next URL, the latest first", async () => {
  const inner = parent("b", [made("c")]);
  expect(await order([parent("a", [inner, made("d")]), made("e")])).toEqual([
    "a",
    "b",
    "c",
    "d",
    "e",
  ]);
});

test("a task ends once all that followed from it has, skipped ones included", async () => {
  const ended: string[] = [];
  const end = (name: string) => ({ end: () => void ended.push(name) });
  const inner = parent("b", [made("c", end("c"))], end("b"));
  const all = [parent("a", [inner, made("d", end("d"))], end("a")), made("e", end("e"))];
  await order(all, { skipped: ["d"] });
  expect(ended).toEqual(["c", "b", "d", "a", "e"]);
});

test("what comes next is unknown while it may follow from the task", async () => {
  const seen: [string, string][] = [];
  const perform = async (name: string, ahead: Ahead): Promise<void> => {
    const next = ahead.next();
    seen.push([name, next === unknown ? "unknown" : nameOf(next)]);
  };
  await order([made("a"), parent("b", [made("c"), made("d")])], { perform });
  expect(seen).toEqual([
    ["a", "b"],
    ["b", "unknown"],
    ["c", "d"],
    ["d", "none"],
  ]);
});

test("a stopped queue doesn't hand out the next task, which was taken early", async () => {
  const queue = new TaskQueue([made("a"), made("b")] as unknown as Task[], () => false);
  const done: string[] = [];
  await queue.work(async (task, ahead) => {
    done.push(nameOf(task));
    ahead.next();
    queue.stop();
  });
  expect(done).toEqual(["a"]);
});

/** The order of tasks: what follows from one comes before the next URL, and one file's tasks in turn. */
import { expect, test } from "vitest";
import type { Task } from "../../src/documents/task.ts";
import { type Ahead, TaskQueue, unknown } from "../../src/documents/task-queue.ts";

type Made = Partial<Task> & { name: string };

const made = (name: string, more: Partial<Task> = {}): Made => ({ name, ...more });
const nameOf = (task: unknown): string => (task as Made | undefined)?.name ?? "none";

async function* stream(tasks: readonly (Made | Error)[]): AsyncGenerator<Task> {
  for (const task of tasks) {
    await Promise.resolve();
    if (task instanceof Error) throw task;
    yield task as unknown as Task;
  }
}

/** Does all tasks; `perform` may look ahead. */
async function order(
  tasks: readonly (Made | Error)[],
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
  const queue = new TaskQueue(stream(tasks), (task) => skipped.includes(nameOf(task)), workers);
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

test("tasks for one file are done by one worker, in order", async () => {
  const same = { file: "x" };
  let running = 0;
  const perform = async (name: string): Promise<void> => {
    if (!name.startsWith("x")) return;
    expect(++running).toBe(1);
    await new Promise(setImmediate);
    running--;
  };
  const tasks = [made("x1", same), made("x2", same), made("y"), made("x3", same)];
  const done = await order(tasks, { perform, workers: 2 });
  expect(done.filter((name) => name !== "y")).toEqual(["x1", "x2", "x3"]);
});

test("what comes next is unknown while it may follow from the task or wait for its file", async () => {
  const seen: [string, string][] = [];
  const perform = async (name: string, ahead: Ahead): Promise<void> => {
    await new Promise(setImmediate); // the next one is read meanwhile
    const next = ahead.next();
    seen.push([name, next === unknown ? "unknown" : nameOf(next)]);
  };
  const tasks = [made("a"), parent("b", []), made("c", { file: "x" }), made("d", { file: "x" })];
  await order(tasks, { perform });
  expect(seen).toEqual([
    ["a", "b"],
    ["b", "c"],
    ["c", "unknown"],
    ["d", "none"],
  ]);
  seen.length = 0;
  const children = [made("c", { file: "x" }), made("d", { file: "x" }), made("e")];
  await order([parent("b", children)], { perform });
  expect(seen.slice(1)).toEqual([
    ["c", "unknown"],
    ["d", "e"],
    ["e", "none"],
  ]);
  seen.length = 0;
  await order([parent("last", [])], { perform });
  expect(seen).toEqual([["last", "unknown"]]);
});

test("a stream that fails ends the work, but not the task that looks ahead", async () => {
  const looked: unknown[] = [];
  const perform = async (_name: string, ahead: Ahead): Promise<void> => {
    await new Promise(setImmediate);
    looked.push(ahead.next());
  };
  await expect(order([made("a"), new Error("broken")], { perform })).rejects.toThrow("broken");
  expect(looked).toEqual([unknown]);
});

test.each<[what: string, file: { readonly file?: string }]>([
  ["the next task, which was taken early", {}],
  ["a task that waits for the file", { file: "x" }],
])("a stopped queue doesn't hand out %s", async (_what, file) => {
  const queue = new TaskQueue(stream([made("a", file), made("b", file)]), () => false, 1);
  const done: string[] = [];
  await queue.work(async (task, ahead) => {
    done.push(nameOf(task));
    await new Promise(setImmediate); // the next one is read meanwhile
    ahead.next();
    queue.stop();
  });
  expect(done).toEqual(["a"]);
});

/** The order of tasks: what follows from one comes before the next URL, and one file's tasks in turn. */
import { expect, test } from "vitest";
import type { Task } from "../../src/documents/task.ts";
import { LookAhead } from "../../src/documents/look-ahead.ts";
import { TaskQueue } from "../../src/documents/task-queue.ts";
import type { ServerLogin } from "../../src/ftp/server-sessions.ts";
import type { SessionPool } from "../../src/ftp/session-pool.ts";
import type { Session } from "../../src/ftp/session.ts";

type Made = Partial<Task> & { name: string };

const made = (name: string, more: Partial<Task> = {}): Made => ({ name, ...more });
const nameOf = (task: unknown): string => (task as Made | undefined)?.name ?? "none";

/** Does all tasks, and gives their names in order. */
async function order(tasks: readonly Made[], skipped: string[] = []): Promise<string[]> {
  const done: string[] = [];
  const queue = new TaskQueue(tasks as unknown as Task[], (task) => skipped.includes(nameOf(task)));
  for (;;) {
    const taken = await queue.take();
    if (taken === undefined) return done;
    done.push(nameOf(taken.task));
    queue.end(taken);
  }
}

const parent = (name: string, children: Made[], more: Partial<Task> = {}): Made =>
  made(name, { further: () => (children as unknown as Task[]).values(), ...more });

test("what follows from a task comes before the next URL, the latest first", async () => {
  const inner = parent("b", [made("c")]);
  expect(await order([parent("a", [inner, made("d")]), made("e")])).toEqual("abcde".split(""));
});

test("a task ends once all that followed from it has, skipped ones included", async () => {
  const ended: string[] = [];
  const end = (name: string) => ({ end: () => void ended.push(name) });
  const inner = parent("b", [made("c", end("c"))], end("b"));
  const all = [parent("a", [inner, made("d", end("d"))], end("a")), made("e", end("e"))];
  await order(all, ["d"]);
  expect(ended).toEqual(["c", "b", "d", "a", "e"]);
});

const login = { server: {} } as unknown as ServerLogin;
const pool = { loginOf: () => login } as unknown as SessionPool;
const session = { reaches: () => true } as unknown as Session;

/** Looks ahead over tasks whose plans are their names. */
function lookAhead(tasks: readonly Made[]) {
  const planned = (one: Made) => Object.assign(one, { document: { plan: one.name } });
  const queue = new TaskQueue(tasks.map(planned) as unknown as Task[], () => false);
  const ahead = new LookAhead(queue, { pool, policy: {} });
  return { queue, ahead };
}

test("what comes next isn't known while it may follow from the task", async () => {
  const inner = [made("c"), made("d")].map((one) => ({ ...one, document: { plan: one.name } }));
  const { queue, ahead } = lookAhead([made("a"), parent("b", inner as unknown as Made[])]);
  const seen: unknown[] = [];
  for (let taken; (taken = await ahead.take()); queue.end(taken))
    seen.push([nameOf(taken.task), ahead.upcoming(session, login)]);
  expect(seen).toEqual([
    ["a", "b"],
    ["b", undefined],
    ["c", "d"],
    ["d", undefined],
  ]);
});

test("a stopped queue doesn't hand out the next task, which was taken early", async () => {
  const { queue, ahead } = lookAhead([made("a"), made("b")]);
  await ahead.take();
  expect(ahead.upcoming(session, login)).toBe("b");
  queue.stop();
  expect(await ahead.take()).toBe(undefined);
});

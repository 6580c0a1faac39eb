/** How the work on a task ends, and what comes next. */
import { expect, test, vi } from "vitest";
import { type Batch, fetchAll } from "../../src/documents/fetch-all.ts";
import type { DocumentStart, Observer } from "../../src/documents/events.ts";
import type { Task } from "../../src/documents/task.ts";
import type { Tries } from "../../src/documents/task-tries.ts";
import type { SessionPool } from "../../src/ftp/session-pool.ts";
import type { Session } from "../../src/ftp/session.ts";

const server = {
  capabilities: {},
  nextTurn: async () => {},
  acquire: async () => ({}),
  release: async () => {},
};

const pool = { loginOf: () => ({ server }), close: async () => {} } as unknown as SessionPool;

const batch = {
  pool,
  policy: { tries: 1, now: () => 0 },
  report: async () => {},
  jobs: 2,
} as unknown as Batch;

test("a file's progress ends, too, if a further try leaves the file out", async () => {
  const end = vi.fn();
  const observer = { begin: () => ({ advance: () => {}, end }) } as unknown as Observer;
  const begin = async (_session: Session, tries: Tries) => tries.begin({} as DocumentStart);
  const task = { document: { shownUrl: "" }, run: begin } as unknown as Task;
  await fetchAll([task], { ...batch, observer });
  expect(end).toHaveBeenCalledExactlyOnceWith(undefined);
});

test.each([
  [0, "is known to its session"],
  [1000, "isn't asked for before the pause"],
])("with a pause of %i ms between files the next one %s", async (pauseMs) => {
  const known: unknown[] = [];
  const login = { server };
  const session = { reaches: () => true } as unknown as Session;
  const run = async (_session: Session, tries: Tries): Promise<undefined> =>
    void known.push(tries.upcoming(session));
  const plan = { cwds: [], name: "x" };
  const task = { document: { shownUrl: "", plan }, run } as unknown as Task;
  const own = { loginOf: () => login, close: async () => {} } as unknown as SessionPool;
  const policy = { ...batch.policy, pauseMs };
  await fetchAll([task, task], { ...batch, pool: own, policy, jobs: 1 });
  expect(known).toEqual([pauseMs === 0 ? plan : undefined, undefined]);
});

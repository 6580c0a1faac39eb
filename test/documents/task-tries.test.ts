/** The tries for one task: what is repeated at once, and how octets are counted. */
import { expect, test } from "vitest";
import type { Observer } from "../../src/documents/events.ts";
import { BeginAgain } from "../../src/documents/retry.ts";
import { Tries, type Work } from "../../src/documents/task-tries.ts";
import { NoWayBack } from "../../src/ftp/path-steps.ts";
import type { Login } from "../../src/ftp/server-sessions.ts";

const server = {
  capabilities: { pipelining: true },
  acquire: async () => ({}),
  release: async () => {},
};

let ms = 0;
const ended: unknown[] = [];

function triesFor(work: Partial<Work>): Tries {
  const begin = () => ({ advance: () => {}, end: (saved: unknown) => void ended.push(saved) });
  const observer = { info: () => {}, begin } as unknown as Observer;
  const task = { document: { shownUrl: "ftp://h/x" }, ...work } as Work;
  const policy = { now: () => ms };
  return new Tries(task, undefined, { server } as unknown as Login, { observer, policy }, () => {
    throw new Error("nothing follows");
  });
}

test("a task that needs a new session gets one, and only one", async () => {
  const failures = [new NoWayBack(), new NoWayBack(), new NoWayBack()];
  const [, second] = failures;
  const tries = triesFor({ run: () => Promise.reject(failures.shift()!) });
  await expect(tries.run()).rejects.toBe(second);
  expect(failures).toHaveLength(1);
});

test("a file that begins again is counted from 0", () => {
  const tries = triesFor({ beginAgain: () => true });
  tries.advance(100);
  tries.beginAgain(new BeginAgain("the document has changed on the server"));
  tries.advance(10);
  expect(tries.octets).toBe(10);
});

test("the figures of a file are those of all its tries, and what an earlier run had", () => {
  const tries = triesFor({});
  const start = { url: "ftp://h/x", target: "x", size: 100 };
  tries.begin({ ...start, offset: 10 });
  ms += 3000;
  tries.begin({ ...start, offset: 60 });
  ms += 4000;
  const result = { url: "ftp://h/x", status: "done", exit: 0, file: "x.1", resumed: 10 } as const;
  expect(tries.conclude(result)).toEqual({ ...result, seconds: 7 });
  expect(ended).toEqual([{ target: "x.1", resumed: 10, seconds: 7, verified: undefined }]);
});

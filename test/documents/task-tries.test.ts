/** The tries for one task: what is repeated at once, and how octets are counted. */
import { expect, test } from "vitest";
import type { Observer } from "../../src/documents/events.ts";
import { Tries, type Work } from "../../src/documents/task-tries.ts";
import { networkError } from "../../src/errors.ts";
import type { ServerLogin } from "../../src/ftp/server-sessions.ts";

const server = { acquire: async () => ({}), release: async () => {} };

function triesFor(work: Partial<Work>): Tries {
  const observer = { info: () => {} } as unknown as Observer;
  const task = { document: { shownUrl: "ftp://h/x" }, ...work } as Work;
  const policy = { now: () => 0 };
  return new Tries(
    task,
    undefined,
    { server } as unknown as ServerLogin,
    { observer, policy },
    () => {
      throw new Error("nothing follows");
    },
  );
}

test("a task that needs a new session gets one, and only one", async () => {
  const failures = [1, 2, 3].map((nth) => networkError(`${nth}`, { reason: "no way back" }));
  const [, second] = failures;
  const tries = triesFor({ run: () => Promise.reject(failures.shift()!) });
  await expect(tries.run()).rejects.toBe(second);
  expect(failures).toHaveLength(1);
});

test("a file that begins again is counted from 0", () => {
  const tries = triesFor({ beginAgain: () => true });
  tries.advance(100);
  tries.beginAgain("the document has changed on the server");
  tries.advance(10);
  expect(tries.octets).toBe(10);
});

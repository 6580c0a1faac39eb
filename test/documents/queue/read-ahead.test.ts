import { expect, test } from "vitest";
import { ReadAhead, unknown } from "../../../src/documents/queue/read-ahead.ts";

/** A stream that gives its items when it is told to. */
function stream() {
  const { readable, writable } = new TransformStream<string, string>(undefined, undefined, {
    highWaterMark: 9,
  });
  const writer = writable.getWriter();
  return {
    ahead: new ReadAhead<string>(readable),
    give: async (item: string) => {
      await writer.write(item);
      await new Promise(setImmediate);
    },
    end: () => writer.close(),
    fail: (error: Error) => writer.abort(error),
  };
}

test("what follows is unknown, then an item, and nothing only at the end", async () => {
  const { ahead, give, end } = stream();
  expect(ahead.nextIfKnown()).toBe(unknown);
  await give("a");
  expect(ahead.nextIfKnown()).toBe("a");
  expect(ahead.nextIfKnown()).toBe(unknown);
  await end();
  expect(await ahead.next()).toBeUndefined();
  expect(ahead.nextIfKnown()).toBeUndefined();
});

test("each item goes to one of those that wait for it", async () => {
  const { ahead, give, end } = stream();
  const waiting = [ahead.next(), ahead.next(), ahead.next()];
  await give("a");
  await give("b");
  await end();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["a", "b", undefined]));
});

test("stop ends every wait, whatever the stream still gives", async () => {
  const { ahead, give } = stream();
  const waiting = ahead.next();
  ahead.stop();
  expect(await waiting).toBeUndefined();
  await give("a");
  expect(await ahead.next()).toBeUndefined();
});

test("a stream that fails is unknown to those that don't wait", async () => {
  const { ahead, fail } = stream();
  const waiting = ahead.next();
  await fail(new Error("broken"));
  await expect(waiting).rejects.toThrow("broken");
  expect(ahead.nextIfKnown()).toBe(unknown);
});

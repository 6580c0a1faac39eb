/** Time limits of a process that is stopped, and goes on later: what has arrived counts first. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TimeLimit, withLimit } from "../../src/net/time-limit.ts";

let now = 0;
let expired = 0;

beforeEach(() => {
  [now, expired] = [0, 0];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate"] });
});

afterEach(() => void vi.useRealTimers());

function started(ms: number): TimeLimit {
  const limit = new TimeLimit(
    ms,
    () => void expired++,
    () => now,
  );
  limit.restart();
  return limit;
}

/** Lets time pass, of which the process is awake for `awakeMs` only; its timers fire at the end. */
function pass(ms: number, awakeMs = ms): void {
  now += ms;
  vi.advanceTimersByTime(awakeMs);
}

/** The event loop has read what has arrived. */
const poll = (): void => void vi.advanceTimersToNextTimer();

test("a limit expires once its time is over", () => {
  started(30_000);
  pass(29_999);
  expect([expired, vi.getTimerCount()]).toEqual([0, 1]);
  pass(1);
  poll();
  expect([expired, vi.getTimerCount()]).toEqual([1, 0]);
});

test.each<[claim: string, act: (limit: TimeLimit) => void]>([
  ["ends", (limit) => limit.stop()],
  ["begins again with", (limit) => limit.restart()],
])("what arrives before the timer has been looked at %s the limit", (_claim, act) => {
  const limit = started(30_000);
  pass(30_000);
  act(limit);
  pass(29_000);
  expect(expired).toBe(0);
});

test("a timer that fires late, as after a stop, gives the peer its time again", () => {
  started(30_000);
  pass(90_000, 30_000);
  poll();
  pass(29_999);
  expect(expired).toBe(0);
  pass(1);
  poll();
  expect(expired).toBe(1);
});

test("an abort after the work leaves the socket to its owner", async () => {
  const ending = new AbortController();
  const socket = { destroy: vi.fn<() => void>() };
  const options = { timeoutMs: 30_000, signal: ending.signal };
  await withLimit(socket, options, "no answer for", () => Promise.resolve());
  ending.abort();
  expect(socket.destroy).not.toHaveBeenCalled();
});

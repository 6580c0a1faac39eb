// Preloaded into the program: while it is stopped, time runs so fast that all of its time-outs pass.
"use strict";
const { setTimeout: startReal, setInterval: repeatReal } = globalThis;
const bigint = process.hrtime.bigint.bind(process.hrtime);

/** A gap between two looks at the clock that is longer is a stop. */
const stoppedMs = 500;
const [lookMs, sleepMs] = [20, 600_000];

const realMs = () => Number(bigint()) / 1e6;
const timers = new Set();
let sleptMs = 0;
let last = realMs();
process.hrtime.bigint = () => bigint() + BigInt(sleptMs) * 1_000_000n;

// Node fires timers before it reads what has arrived: so does this.
repeatReal(() => {
  const now = realMs();
  if (now - last > stoppedMs) sleptMs += sleepMs;
  last = now;
  for (const timer of timers) {
    if (timer.dueMs > now + sleptMs) continue;
    timers.delete(timer);
    timer.act();
  }
}, lookMs).unref();

globalThis.setTimeout = (act, ms, ...rest) => {
  if (ms < 1000) return startReal(act, ms, ...rest);
  const timer = { act: () => act(...rest), dueMs: 0, unref: () => timer, refresh: () => start() };
  const start = () => {
    timer.dueMs = realMs() + sleptMs + ms;
    timers.add(timer);
    return timer;
  };
  return start();
};
const { clearTimeout: clearReal } = globalThis;
globalThis.clearTimeout = (timer) => void (timers.delete(timer) || clearReal(timer));

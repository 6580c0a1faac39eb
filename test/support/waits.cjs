// Preloaded into the program by NODE_OPTIONS: its waits, between tries and for --limit-rate, take
// WAITS times as long as they should. With CLOCK=waits its clock counts nothing else. Timers of a second
// and more, by which it gives up, take TIMERS times as long; those of a second, which it waits for a
// reply that may come or not, whatever -T says, take GRACE times as long.
"use strict";
const timers = require("node:timers/promises");

const { setTimeout: delay } = timers;
const factor = Number(process.env["WAITS"] ?? 1);
const patience = Number(process.env["TIMERS"] ?? 1);
const grace = Number(process.env["GRACE"] ?? 1);
let waited = 0;

timers.setTimeout = async (milliseconds, ...rest) => {
  await delay(milliseconds * factor, ...rest);
  waited += milliseconds;
};

if (process.env["CLOCK"] === "waits")
  process.hrtime.bigint = () => BigInt(Math.round(waited * 1e6));

const { setTimeout: start } = globalThis;
globalThis.setTimeout = (act, milliseconds, ...rest) => {
  const longer = milliseconds === 1000 ? grace : 1;
  return start(act, milliseconds < 1000 ? milliseconds : milliseconds * patience * longer, ...rest);
};

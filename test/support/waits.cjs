// Preloaded into the program by NODE_OPTIONS: its waits, between tries and for --limit-rate, take
// WAITS times as long as they should. With CLOCK=waits its clock counts nothing else. Timers of a second
// and more, by which it gives up, take TIMERS times as long.
"use strict";
const timers = require("node:timers/promises");

const { setTimeout: delay } = timers;
const factor = Number(process.env["WAITS"] ?? 1);
const patience = Number(process.env["TIMERS"] ?? 1);
let waited = 0;

timers.setTimeout = async (milliseconds, ...rest) => {
  await delay(milliseconds * factor, ...rest);
  waited += milliseconds;
};

if (process.env["CLOCK"] === "waits") performance.now = () => waited;

const { setTimeout: start } = globalThis;
globalThis.setTimeout = (act, milliseconds, ...rest) =>
  start(act, milliseconds < 1000 ? milliseconds : milliseconds * patience, ...rest);

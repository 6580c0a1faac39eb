// Preloaded into the program: timers of a second and more, by which it gives up, take a minute and more.
"use strict";
const { setTimeout: start } = globalThis;
globalThis.setTimeout = (act, ms, ...rest) => start(act, ms < 1000 ? ms : ms * 60, ...rest);

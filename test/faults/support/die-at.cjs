// Preloaded into the program: kills it before its DIE_AT-th call that changes a file.
"use strict";
const fs = require("node:fs");

const changing =
  "chmodSync closeSync copyFileSync ftruncateSync futimesSync linkSync lutimesSync mkdirSync openSync renameSync rmSync rmdirSync unlinkSync utimesSync writeFileSync writeSync";
let left = Number(process.env["DIE_AT"]);

for (const name of changing.split(" ")) {
  const original = fs[name];
  fs[name] = (...args) => {
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
    return original(...args);
  };
}

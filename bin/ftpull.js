#!/usr/bin/env node
// Starts the bundle. CommonJS on purpose: an ES module here would cost a fifth of the start-up time.
"use strict";
const { readFileSync, statSync } = require("node:fs");
const { join } = require("node:path");

const bundle = join(__dirname, "../dist/ftpull.cjs");
const source = read();
if (source !== undefined) run();

function read() {
  try {
    return readFileSync(bundle, "latin1");
  } catch (error) {
    const hint = "hint: in a checkout, make the program with: npm ci && npm run build";
    process.stderr.write(`ftpull: cannot read the program: ${error.message}\n${hint}\n`);
    process.exitCode = 1;
    return undefined;
  }
}

function run() {
  const { Script } = require("node:vm");
  const cache = require("./code-cache.js");
  // The bundle begins with its own hash; the time shows a change by hand.
  const { v8 } = process.versions;
  const origin = `${source.slice(0, 66)} ${statSync(bundle).mtimeMs} ${v8} ${process.arch}`;
  const script = new Script(source, { filename: bundle, cachedData: cache.read(origin) });
  const program = { exports: {} };
  script.runInThisContext()(requireLazily, program);
  if (script.cachedDataRejected === false) return;
  process.once("exit", (status) => {
    // After --help or an early failure, V8 has compiled too little.
    if (status === 0 && program.exports.hasFetched)
      cache.write(origin, () => script.createCachedData());
  });
}

/** Loads modules of Node that most runs don't need when one of their members is used. */
function requireLazily(name) {
  const seldomUsed =
    /^(?:node:)?(?:child_process|crypto|dns|fs\/promises|net|os|readline|stream\/consumers|timers\/promises|tls|tty)$/;
  if (!seldomUsed.test(name)) return require(name);
  let loaded;
  return new Proxy({}, { get: (_target, key) => (loaded ??= require(name))[key] });
}

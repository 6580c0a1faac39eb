#!/usr/bin/env node
// Starts the bundle. CommonJS on purpose: an ES module here would cost a fifth of the start-up time.
"use strict";
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

const words = process.argv.slice(2);
if (words.length === 1 && words[0] === "--version") {
  // Scripts ask before they begin: this takes half the time of reading the bundle.
  process.stdout.on("error", () => (process.exitCode = 1)); // nobody reads it
  process.stdout.write(`ftpull ${require("../package.json").version}\n`);
} else module.exports = run();

/**
 * Runs the bundle with what V8 made of it when it was built: compiling it anew takes a third of the
 * time of a small download. What another version of V8 has left is of no use, and V8 refuses it.
 * Returns the script, for the build; undefined where nothing was left.
 */
function run() {
  const dist = join(__dirname, "../dist");
  const bundle = join(dist, "ftpull.cjs");
  const cache = join(dist, `v8-${process.versions.v8}-${process.arch}.cache`);
  if (!existsSync(cache)) {
    require("node:module").enableCompileCache?.(); // Node's own way to the same, from 22.8 on, for the next time
    require(bundle);
    return undefined;
  }
  const { Script } = require("node:vm");
  const source = `(function (require, module) {${readFileSync(bundle, "latin1")}\n})`;
  const script = new Script(source, { filename: bundle, cachedData: readFileSync(cache) });
  script.runInThisContext()(requireLazily, { exports: {} });
  return script;
}

/** Parts of Node that most runs don't need are loaded when something of them is used. */
function requireLazily(name) {
  const seldomUsed =
    /^node:(?:crypto|fs\/promises|os|readline|stream\/consumers|timers\/promises|tls|tty)$/;
  if (!seldomUsed.test(name)) return require(name);
  return new Proxy({}, { get: (_target, key) => require(name)[key] });
}

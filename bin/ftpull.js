#!/usr/bin/env node
// Starts the bundle. CommonJS on purpose: an ES module here would cost a fifth of the start-up time.
"use strict";
const { closeSync, openSync, readSync, statSync } = require("node:fs");
const { join } = require("node:path");

/** Modules of Node that most runs don't need. */
const seldomUsed =
  /^(?:node:)?(?:child_process|crypto|dns|fs\/promises|net|os|readline|stream\/consumers|timers\/promises|tls|tty|zlib)$/;

/** True once a module of Node's TLS is in use: until then no socket is a TLSSocket. */
let hasTls = false;

const bundle = join(__dirname, "../dist/ftpull.cjs");
start(Buffer.allocUnsafeSlow(1024 * 1024));

/**
 * `room` takes the bundle, then its compiled code, each of some 0.4 MB: to touch a new page of memory costs more than to
 * read what it holds.
 */
function start(room) {
  const source = read(room);
  if (source !== undefined) run(source, room);
}

function read(room) {
  try {
    const fd = openSync(bundle);
    const octets = readSync(fd, room, 0, room.length, 0);
    closeSync(fd);
    return room.latin1Slice(0, octets);
  } catch (error) {
    const hint = "hint: in a checkout, make the program with: npm ci && npm run build";
    process.stderr.write(`ftpull: cannot read the program: ${error.message}\n${hint}\n`);
    process.exitCode = 1;
    return undefined;
  }
}

function run(source, room) {
  const { Script } = require("node:vm");
  const cache = require("./code-cache.js");
  // The bundle begins with its own hash; the time shows a change by hand.
  const { v8 } = process.versions;
  const origin = `${source.slice(0, 66)} ${statSync(bundle).mtimeMs} ${v8} ${process.arch}`;
  const script = new Script(source, { filename: bundle, cachedData: cache.read(origin, room) });
  const program = { exports: {} };
  script.runInThisContext()(requireLazily, program);
  if (script.cachedDataRejected === false) return;
  process.once("exit", (status) => {
    // After --help or an early failure, V8 has compiled too little.
    if (status === 0 && program.exports.hasFetched)
      cache.write(origin, () => script.createCachedData());
  });
}

/** Loads a seldom used module when one of its members is used. */
function requireLazily(name) {
  if (!seldomUsed.test(name)) return require(name);
  let loaded;
  const isTls = name.endsWith("tls");
  const get = (_target, key) => {
    // basic-ftp asks each socket whether it is one: loading the module for that takes 3 ms.
    if (isTls && key === "TLSSocket" && !hasTls) return { [Symbol.hasInstance]: () => false };
    hasTls ||= isTls;
    return (loaded ??= require(name))[key];
  };
  return new Proxy({}, { get });
}

// The bundle, and what V8 made of it when it was built: compiling it anew takes a third of the time
// of a small download. What another version of V8 has left is of no use, and V8 refuses it.
"use strict";
const { existsSync, readFileSync } = require("node:fs");
const { enableCompileCache } = require("node:module");
const { join } = require("node:path");
const { Script } = require("node:vm");

const bundle = join(__dirname, "../dist/ftpull.cjs");
const { versions, arch } = process;

exports.codeCache = join(__dirname, `../dist/v8-${versions.v8}-${arch}.cache`);

/** Runs the bundle. */
exports.run = () => {
  if (existsSync(exports.codeCache)) exports.runScript(readFileSync(exports.codeCache));
  else {
    enableCompileCache?.(); // Node's own way to the same, from 22.8 on, for the next time
    require(bundle);
  }
};

/** Runs the bundle as a script, which is returned. */
exports.runScript = (cachedData) => {
  const source = `(function (require, module) {${readFileSync(bundle, "latin1")}\n})`;
  const script = new Script(source, { filename: bundle, cachedData });
  script.runInThisContext()(require, { exports: {} });
  return script;
};

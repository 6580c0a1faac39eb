#!/usr/bin/env node
// Starts the bundle. CommonJS on purpose: an ES module here would cost a fifth of the start-up time.
"use strict";
const words = process.argv.slice(2);
if (words.length === 1 && words[0] === "--version") {
  // Scripts ask before they begin: this takes half the time of reading the bundle.
  process.stdout.on("error", () => (process.exitCode = 1)); // nobody reads it
  process.stdout.write(`ftpull ${require("../package.json").version}\n`);
} else require("./bundle.js").run();

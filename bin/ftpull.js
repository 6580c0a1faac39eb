#!/usr/bin/env node
// Starts the bundle. CommonJS on purpose: an ES module here would cost a fifth of the start-up time.
"use strict";
require("../dist/ftpull.cjs");

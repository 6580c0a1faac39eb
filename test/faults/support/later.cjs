// Preloaded into the program: it runs so much later that what other machines left counts as left for good.
"use strict";
const now = Date.now.bind(Date);
const laterMs = 11 * 60_000;
Date.now = () => now() + laterMs;

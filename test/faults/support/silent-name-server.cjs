// Runs a program where a socket takes the questions to all name servers of loopback, and answers none.
"use strict";
const { spawnSync } = require("node:child_process");
const { createSocket } = require("node:dgram");

const socket = createSocket("udp4");
socket.bind(53, "0.0.0.0", () => {
  const [file, ...args] = process.argv.slice(2);
  const begun = Date.now();
  const { status, stderr } = spawnSync(file, args, { encoding: "utf8" });
  const seconds = (Date.now() - begun) / 1000;
  process.stdout.write(JSON.stringify({ status, stderr, seconds }));
  socket.close();
});

/** Listens as inetd does, and starts a program for each connection: ADDRESS PORT FILE [ARG ...]. */
import { spawn } from "node:child_process";
import { createServer } from "node:net";

const [address, port, file, ...words] = process.argv.slice(2);

createServer({ pauseOnConnect: true }, (socket) => {
  socket.on("error", () => {});
  const child = spawn(file, words, { cwd: "/", stdio: [socket, socket, "inherit"] });
  // The program has the connection now: this end is closed without ending it.
  child.once("spawn", () => socket.destroy());
}).listen(Number(port), address);

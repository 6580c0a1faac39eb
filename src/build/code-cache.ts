/**
 * Build step: runs a small download from a server of its own, and saves the code that V8 compiled
 * for it beside the bundle.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Script } from "node:vm";

const cache = resolve(`dist/v8-${process.versions.v8}-${process.arch}.cache`);
// V8 would accept an old cache for any bundle of the same length; it refuses an empty one.
for (const name of readdirSync("dist")) if (name.endsWith(".cache")) rmSync(`dist/${name}`);
writeFileSync(cache, "");
const directory = mkdtempSync(join(tmpdir(), "ftpull-"));
const data = createServer((socket) => socket.end("octets"));
const control = createServer(serve);
data.listen(0, "127.0.0.1", () => control.listen(0, "127.0.0.1", download));

function download(): void {
  const url = `ftp://127.0.0.1:${portOf(control)}/directory/file`;
  process.argv.splice(2, Infinity, "-q", "-P", directory, url);
  const script = createRequire(import.meta.url)(resolve("bin/ftpull.js")) as Script;
  process.once("exit", () => {
    rmSync(directory, { recursive: true });
    if (process.exitCode === 0) writeFileSync(cache, script.createCachedData());
    else rmSync(cache);
  });
}

const replies: Readonly<Record<string, string>> = {
  USER: "331 password?",
  PASS: "230 welcome",
  FEAT: "211-features\r\n UTF8\r\n211 end",
  PWD: '257 "/"',
  CWD: "250 entered",
  TYPE: "200 as you like",
  SIZE: "213 6",
  MDTM: "213 20260101000000",
  RETR: "150 it comes\r\n226 all of it",
  QUIT: "221 bye",
};

function serve(socket: Socket): void {
  socket.write("220 ready\r\n");
  socket.on("data", (lines) => {
    for (const line of lines.toString().split("\r\n").slice(0, -1)) {
      const [verb = ""] = line.split(" ");
      const passive = verb === "EPSV" ? `229 (|||${portOf(data)}|)` : undefined;
      socket.write(`${passive ?? replies[verb] ?? "502 unknown"}\r\n`);
      if (verb !== "QUIT") continue;
      control.close();
      data.close();
    }
  });
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  return (server.address() as AddressInfo).port;
}

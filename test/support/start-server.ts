/** Starts the scripted server for a test: it is closed after the test, and a failure shows its transcript. */

import { onTestFailed, onTestFinished } from "vitest";
import type { ServerOptions } from "./options.ts";
import { ScriptedServer } from "./scripted-server.ts";

/** PIPELINING=dropped puts every server behind a firewall that takes one command at a time. */
const isDropping = process.env["PIPELINING"] === "dropped";

export async function startServer(options: ServerOptions = {}): Promise<ScriptedServer> {
  const firewall: ServerOptions = isDropping ? { dropPipelined: "close" } : {};
  const server = await ScriptedServer.start({ ...firewall, ...options });
  onTestFinished(() => server.close());
  onTestFailed(() => {
    process.stderr.write(`the server's transcript:\n${server.transcript()}\n`);
  });
  return server;
}

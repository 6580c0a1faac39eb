/**
 * The scripted server as most tests use it: closed after the test, its transcript shown when that
 * fails.
 */

import { onTestFailed, onTestFinished } from "vitest";
import type { ServerOptions } from "./options.ts";
import { ScriptedServer } from "./scripted-server.ts";

/** A server for the running test. */
export async function startServer(options: ServerOptions = {}): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(options);
  onTestFinished(() => server.close());
  onTestFailed(() => {
    process.stderr.write(`the server's transcript:\n${server.transcript()}\n`);
  });
  return server;
}

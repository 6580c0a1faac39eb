/**
 * Defines the same tests for several real servers. A server that can't be started here is
 * skipped (`prepareServers` says why); the log of a server whose test fails is printed.
 */
import { afterAll, beforeAll, beforeEach, describe, onTestFailed } from "vitest";
import type { ServerOptions } from "./server.ts";
import {
  prepareServers,
  type RealServer,
  realServer,
  type ServerKind,
  serverKinds,
} from "./servers.ts";

export interface Choice {
  /** Default: all four. */
  readonly kinds?: readonly ServerKind[];
  readonly options?: ServerOptions;
}

const ready = await prepareServers();

export function describeEachServer(
  title: string,
  define: (server: () => RealServer, kind: ServerKind) => void,
  { kinds = serverKinds, options }: Choice = {},
): void {
  for (const kind of kinds)
    describe.skipIf(!ready.has(kind))(`${kind}: ${title}`, () => {
      let server: RealServer | undefined;
      beforeAll(async () => {
        server = await realServer(kind, options);
      });
      afterAll(async () => server?.close());
      beforeEach(() =>
        onTestFailed(
          () => void process.stderr.write(`\n${kind}:\n${server?.log().slice(-4000)}\n`),
        ),
      );
      define(() => running(server), kind);
    });
}

function running(server: RealServer | undefined): RealServer {
  if (server === undefined) throw new Error("the server runs only while tests do");
  return server;
}

/** Each server by each cell: right, or a fault of the server's that the table names. */
import { afterAll, describe, expect, onTestFailed, test } from "vitest";
import { certificateFiles } from "../real/support/certificates.ts";
import type { ServerOptions } from "../real/support/server.ts";
import { readyAmong, realServer, type RealServer, startServer } from "../real/support/servers.ts";
import type { RunResult } from "../support/run.ts";
import { type Cell, cells, encoded } from "./support/cells.ts";
import type { Subject } from "./support/subject.ts";
import { subjects } from "./support/subjects.ts";

const names = subjects.map(({ name }) => name);
const ready = await readyAmong(names, (name) => subjects[names.indexOf(name)]!.prepare());

const certificate = certificateFiles();

for (const subject of subjects)
  describe.skipIf(!ready.has(subject.name))(subject.name, () => defineCells(subject));

function defineCells(subject: Subject): void {
  const running = new Map<string, Promise<Running>>();
  afterAll(async () => {
    for (const each of running.values()) await (await each).close();
  });

  const serve = (way: ServerOptions): Promise<Running> => {
    const key = JSON.stringify(way);
    const started = running.get(key) ?? start(subject, way);
    running.set(key, started);
    return started;
  };

  const askable = (Object.keys(cells) as Cell[]).filter((cell) => !isLacking(subject, cell));
  test.each(askable)("%s", async (cell) => {
    const { server, login } = await serve(wayOf(cell));
    onTestFailed(() => void process.stderr.write(`\n${server.log().slice(-2000)}\n`));
    let last: RunResult | undefined;
    const done = cells[cell]({
      url: (path) => server.url(encoded(path), login),
      urlAs: (path, other) => server.url(path, other),
      login,
      options: cell === "TLS" ? ["--ca-certificate", certificate.cert] : [],
      seen: (result) => (last = result),
    });
    const fault = subject.faults[cell];
    if (fault === undefined) return done;
    await expect(done, "the fault is gone").rejects.toThrow();
    expect(last?.status).toBe(fault.status);
  });
}

function isLacking({ faults }: Subject, cell: Cell): boolean {
  return faults[cell] !== undefined && faults[cell].status === undefined;
}

function wayOf(cell: Cell): ServerOptions {
  if (cell === "TLS") return { tls: { ...certificate, force: true } };
  return cell === "IPv6" ? { ipv6: true } : {};
}

interface Running {
  readonly server: RealServer;
  readonly login: ReturnType<NonNullable<Subject["login"]>> | undefined;
  readonly close: () => Promise<void>;
}

async function start(subject: Subject, way: ServerOptions): Promise<Running> {
  const upstream = subject.isProxy ? await realServer("pyftpdlib") : undefined;
  const options = { ...way, ...(upstream && { upstream: upstream.port }) };
  const server = await startServer(subject.name, subject, await subject.prepare(), options);
  return {
    server,
    login: subject.login?.(upstream?.port ?? 0),
    close: async () => {
      await server.close();
      await upstream?.close();
    },
  };
}

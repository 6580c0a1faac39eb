/** What a run costs whatever the machine's speed: round trips, and memory. */
import fs, { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { floodData } from "../faults/support/hostile.ts";
import type { ServerOptions } from "../support/options.ts";
import { isLong } from "../support/long.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { watched } from "../support/watched.ts";

test("two directories down, the first octet leaves after three round trips, and the data's own", async () => {
  const server = await startServer({ files: { "a/b/x": "text" } });
  expect(await run(["-q", server.url("/a/b/x")])).toMatchObject({ status: 0 });
  expect(server.roundTrips, server.transcript()).toBeLessThanOrEqual(3);
});

const jane = { user: "jane", password: "p" };

test.each<[claim: string, options: ServerOptions, login: typeof jane | undefined, most: number]>([
  ["USER was enough", { users: { jane: {} }, on: { PASS: "503 in already" } }, jane, 4],
  ["an account is wanted", { users: { jane: { password: "p", account: "s" } } }, jane, 6],
  ["the first CWD is refused", { on: { "CWD a": "550 no" } }, undefined, 4],
  ["the second CWD is refused", { on: { "CWD b": "550 no" } }, undefined, 4],
])("where %s, what was sent behind it costs no further round trip", async (...row) => {
  const [, options, login, most] = row;
  const server = await startServer({ files: { "a/b/x": "text" }, ...options });
  const result = await run(["-q", "--account", "s", server.url("/a/b/x", login)]);
  expect(result).toMatchObject({ status: 0 });
  expect(server.roundTrips, server.transcript()).toBeLessThanOrEqual(most);
});

test("a user's login costs two round trips more: USER ends a write, and PASS goes alone", async () => {
  const server = await startServer({
    files: { "a/b/x": "text" },
    users: { jane: { password: "p" } },
  });
  expect(await run(["-q", server.url("/a/b/x", jane)])).toMatchObject({ status: 0 });
  expect(server.roundTrips, server.transcript()).toBeLessThanOrEqual(5);
});

test("a small file of a new tree costs four looks at names, and is made and moved once", async () => {
  const files = Object.fromEntries(["a", "b", "c", "d"].map((name) => [`top/${name}`, name]));
  const server = await startServer({ files });
  const args = ["-q", "-r", server.url("/top/")];
  const calls = await callsBelow("top/", async () => {
    expect(await run(args)).toMatchObject({ status: 0, stderr: "" });
  });
  const count = (name: RegExp): number => calls.filter((call) => name.test(call)).length;
  expect([count(/^open/), count(/^(?:rename|link)/)]).toEqual([4, 4]);
  expect(count(/^(?:l?stat|realpath|readlink|exists)/), calls.join("\n")).toBeLessThanOrEqual(16);
});

/** The calls on names that begin so, while `work` goes on in this process. */
async function callsBelow(beginning: string, work: () => Promise<void>): Promise<string[]> {
  const calls: string[] = [];
  const own = Object.entries(fs).filter(([name]) => name.endsWith("Sync"));
  for (const [name, call] of own) {
    const noting = (path: unknown, ...rest: unknown[]): unknown => {
      if (String(path).startsWith(beginning)) calls.push(`${name} ${String(path)}`);
      return (call as (...values: unknown[]) => unknown)(path, ...rest);
    };
    Object.assign(fs, { [name]: Object.assign(noting, call) });
  }
  await work().finally(() => Object.assign(fs, Object.fromEntries(own)));
  return calls;
}

const largeMB = isLong ? 300 : 100;

test(`a file of ${largeMB} MB takes no more than 75 MB of memory`, async () => {
  const server = await startServer({ files: { x: { size: largeMB * 1_000_000, seed: 1 } } });
  const { status, peakMB } = await watched(["-q", server.url("/x")]);
  expect(status).toBe(0);
  expect(peakMB).toBeLessThanOrEqual(75);
});

/** All that can't be written yet would be too much. */
const count = isLong ? 1_000_000 : 400_000;

const facts = "type=file;size=4096;modify=20260301123000;UNIX.mode=0644;UNIX.owner=1000;";
const entries = Array.from({ length: 20_000 }, (_, index) => `${facts} file-${index}\r\n`);
const octets = Buffer.from(entries.join(""));

test.each([
  [count, "names", 105],
  [count, "raw", 90],
  [count / 2, "json", 115],
])("%d entries as %s, read late, take no more than %d MB", async (lines, format, most) => {
  const send = floodData(octets, (lines / entries.length) * octets.length);
  const server = await startServer({ on: { MLSD: send } });
  const result = await watched(["-q", "--format", format, server.url("/")]);
  expect(result).toMatchObject({ status: 0, lines });
  expect(result.peakMB).toBeLessThanOrEqual(most);
});

/** The program's own are 10 MB; what a run keeps of each URL or result would be too much. */
const [urls, heapMB] = isLong ? [200_000, 60] : [20_000, 40];

test(`${urls} URLs of a server that is down are done with a heap of ${heapMB} MB`, async () => {
  const server = await startServer();
  const url = server.url("/pub/some/directory/file-");
  await server[Symbol.asyncDispose]();
  const list = join(await temporaryDirectory(), "list");
  const lines = Array.from({ length: urls }, (_, index) => `${url}${index}\n`);
  writeFileSync(list, lines.join(""));
  expect(await watched(["-q", "-i", list], heapMB)).toMatchObject({ status: 4, lines: 0 });
});

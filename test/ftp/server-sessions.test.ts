/** The tries for a server, which all callers share, and what becomes of one that was given up. */
import { expect, test } from "vitest";
import { FtpullError } from "../../src/errors.ts";
import { type Login, ServerSessions } from "../../src/ftp/server-sessions.ts";
import type { Session } from "../../src/ftp/session.ts";

const refused = new FtpullError("network", "connection refused", { transient: true });

/** A server and its clock; `answers` says what becomes of each connection, the last one of all further. */
function serverWith(answers: readonly ("in" | FtpullError)[], tries = 3) {
  let now = 0;
  const waits: number[] = [];
  let connections = 0;
  const events: string[] = [];
  const wait = async (milliseconds: number): Promise<void> => {
    waits.push(milliseconds);
    now += milliseconds;
  };
  const policy = { tries, longestMs: 30_000, wait, random: () => 0, now: () => now };
  const sessions = new ServerSessions(
    policy,
    new AbortController().signal,
    (text) => void events.push(text),
  );
  const capabilities = { pipelining: true, extendedPassive: true, extendedActive: true, host: {} };
  const connect = async (): Promise<Session> => {
    const answer = answers[Math.min(connections++, answers.length - 1)]!;
    if (answer !== "in") throw answer;
    return { usable: true, prepare: async () => true, quit: async () => {} } as unknown as Session;
  };
  const login: Login = { server: sessions, capabilities, connect, unserved: 0 };
  const acquire = () => sessions.acquire(login, undefined);
  const pass = (milliseconds: number) => void (now += milliseconds);
  return { sessions, acquire, waits, events, pass, connections: () => connections };
}

test("callers share the tries, and fail together", async () => {
  const server = serverWith([refused]);
  const results = await Promise.allSettled([server.acquire(), server.acquire()]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(server.waits).toEqual([1000, 2000]);
  // Both begin at once; then one tries for both.
  expect(server.connections()).toBe(4);
  expect(server.events).toEqual([
    "connection refused; trying again in 1.0 s (2 tries left)",
    "connection refused; trying again in 2.0 s (1 try left)",
  ]);
});

test("one that comes back serves all", async () => {
  const server = serverWith([refused, refused, "in"]);
  const callers = [1, 2, 3].map(async () => server.sessions.release(await server.acquire()));
  await Promise.all(callers);
  expect(server.events).toEqual(["fewer connections at once: connection refused"]);
  expect(server.waits).toHaveLength(0);
});

test("a server that has answered is waited for twice as long", async () => {
  const server = serverWith(["in", refused]);
  const session = await server.acquire();
  Object.assign(session, { usable: false });
  await server.sessions.release(session);
  await expect(server.acquire()).rejects.toThrow("connection refused");
  expect(server.waits).toEqual([2000, 4000]);
});

test("a server that was given up gets one try a minute later", async () => {
  const server = serverWith([refused, refused, refused, refused, "in"]);
  await expect(server.acquire()).rejects.toMatchObject({ transient: false });
  server.pass(59_999);
  await expect(server.acquire()).rejects.toThrow("connection refused");
  expect(server.connections()).toBe(3);
  server.pass(1);
  await expect(server.acquire()).rejects.toThrow("connection refused");
  expect(server.connections()).toBe(4);
  server.pass(60_000);
  await server.acquire();
});

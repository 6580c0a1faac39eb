/** The tries for a server, which all callers share, and what becomes of one that was given up. */
import { describe, expect, test } from "vitest";
import { FtpullError, networkError } from "../../src/errors.ts";
import { ServerSessions, type ServerLogin } from "../../src/ftp/server-sessions.ts";
import type { Session } from "../../src/ftp/session.ts";

const refused = new FtpullError("network", "connection refused", { transient: true });

const noProxy = () => Promise.reject(new Error("there is no proxy"));

/** A server and its clock; `answers` says what becomes of each connection, the last one of all further. */
function serverWith(answers: readonly ("in" | FtpullError)[], tries = 3) {
  const waits: number[] = [];
  let connections = 0;
  const events: string[] = [];
  const wait = async (milliseconds: number): Promise<void> => {
    waits.push(milliseconds);
  };
  const policy = { tries, longestWaitMs: 30_000, wait, random: () => 0, now: () => 0 };
  const sessions = new ServerSessions(
    policy,
    new AbortController().signal,
    true,
    (_level, text) => void events.push(text),
  );
  const connect = async (): Promise<Session> => {
    const answer = answers[Math.min(connections++, answers.length - 1)]!;
    if (answer !== "in") throw answer;
    return { usable: true, prepare: async () => true, quit: async () => {} } as unknown as Session;
  };
  const login: ServerLogin = { server: sessions, connect, get: noProxy };
  const acquire = () => sessions.acquire(login, undefined);
  return { sessions, acquire, waits, events, connections: () => connections };
}

test("callers share the tries, and fail together", async () => {
  const server = serverWith([refused]);
  const results = await Promise.allSettled([server.acquire(), server.acquire()]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(server.waits).toEqual([1000, 2000]);
  expect(server.connections()).toBe(3);
  expect(server.events).toEqual([
    "connection refused; trying again in 1.0 s (2 tries left)",
    "connection refused; trying again in 2.0 s (1 try left)",
  ]);
});

test("failures are counted anew once a session was had", async () => {
  const server = serverWith([refused, refused, "in", refused, refused, "in"]);
  const session = await server.acquire();
  Object.assign(session, { usable: false });
  await server.sessions.release(session);
  await server.acquire();
  expect(server.waits).toEqual([1000, 2000, 1000, 2000]);
});

test("a server that was given up, or refuses for good, gets no more tries", async () => {
  const lasting = new FtpullError("refused", "server replied 500");
  for (const [failure, tries] of [
    [refused, 3],
    [lasting, 1],
  ] as const) {
    const server = serverWith([failure, failure, failure, "in"]);
    for (let caller = 0; caller < 2; caller++)
      await expect(server.acquire()).rejects.toMatchObject({
        message: failure.message,
        transient: false,
      });
    expect(server.connections()).toBe(failure === refused ? tries : 1);
  }
});

test("a write left unanswered ends pipelining for free; beside a session it is the server's limit", async () => {
  const unanswered = networkError("closed", { reason: "write unanswered" });
  const alone = serverWith([unanswered, "in"], 1);
  await alone.acquire();
  expect(alone.sessions.capabilities.pipelining).toBe(false);
  const { sessions, connected } = await oneBesideAnother();
  connected[1]!(unanswered);
  await settle();
  expect(sessions.capabilities.pipelining).toBe(true);
});

test("each session has a signal of its own: Node warns of many listeners on one", async () => {
  const { sessions } = serverWith([]);
  const signals = new Set<AbortSignal>();
  const connect = async (signal: AbortSignal): Promise<Session> => {
    signals.add(signal);
    return { usable: true, prepare: async () => true } as unknown as Session;
  };
  const login: ServerLogin = { server: sessions, connect, get: noProxy };
  await sessions.acquire(login, undefined);
  await sessions.acquire(login, undefined);
  expect(signals.size).toBe(2);
});

/** A server whose connections are made when the test says so: `connected[n]` lets the nth one in, or refuses it. */
function slowServer({ tries = 1 } = {}) {
  const connected: ((refusal?: Error) => void)[] = [];
  const policy = { tries, longestWaitMs: 0, wait: async () => {}, random: () => 0, now: () => 0 };
  const run = new AbortController();
  const sessions = new ServerSessions(policy, run.signal, true, () => {});
  const connect = (): Promise<Session> =>
    new Promise((resolve, reject) => {
      const name = `session ${connected.length}`;
      const session = { name, usable: true, prepare: async () => true, quit: async () => {} };
      connected.push((refusal) => (refusal ? reject(refusal) : resolve(session as never)));
    });
  const login = (): ServerLogin => ({ server: sessions, connect, get: noProxy });
  return { sessions, connected, login, run };
}

const nameOf = async (session: Promise<Session>): Promise<unknown> =>
  ((await session) as unknown as { name: string }).name;

const settle = (): Promise<void> => new Promise(setImmediate);

async function firstSession(
  { sessions, connected }: ReturnType<typeof slowServer>,
  user: ServerLogin,
): Promise<Session> {
  const first = sessions.acquire(user, undefined);
  await settle();
  connected[0]!();
  return first;
}

/** A server with a session, and a caller of the same login for which a second one is being opened. */
async function oneBesideAnother() {
  const server = slowServer();
  const user = server.login();
  const first = await firstSession(server, user);
  const second = server.sessions.acquire(user, undefined);
  await settle();
  return { ...server, first, second };
}

test("a released session goes to the first caller, and the one that was opened for it to the next", async () => {
  const server = slowServer();
  const { sessions, connected } = server;
  const user = server.login();
  const acquire = (): Promise<Session> => sessions.acquire(user, undefined);
  const first = await firstSession(server, user);
  const [second, third] = [acquire(), acquire()];
  await settle();
  await sessions.release(first);
  expect(await nameOf(second)).toBe("session 0");
  connected[1]!();
  expect(await nameOf(third)).toBe("session 1");
  const fourth = acquire(); // the session that was opened for the third is on its way
  await settle();
  expect(connected).toHaveLength(3);
  connected[2]!();
  expect(await nameOf(fourth)).toBe("session 2");
  expect(sessions.isAwaited).toBe(false);
});

test("a session that can't be prepared is ended, and its caller gets a new one", async () => {
  const server = slowServer();
  const { sessions, connected } = server;
  const user = server.login();
  const session = await firstSession(server, user);
  const ended: string[] = [];
  Object.assign(session, {
    prepare: async () => !Object.assign(session, { usable: false }),
    quit: async () => void ended.push("quit"),
  });
  await sessions.release(session);
  const second = sessions.acquire(user, undefined);
  await settle();
  expect(ended).toEqual(["quit"]);
  connected[1]!();
  expect(await nameOf(second)).toBe("session 1");
});

test("a lasting refusal beside a session that has ended since is the server's limit", async () => {
  const { sessions, connected, first, second } = await oneBesideAnother();
  Object.assign(first, { usable: false });
  await sessions.release(first);
  connected[1]!(new FtpullError("refused", "server replied 500"));
  await settle();
  connected[2]?.();
  expect(await nameOf(second)).toBe("session 2");
});

test.each<[claim: string, refusal?: Error]>([["in"], ["refused", refused]])(
  "the end of the run waits for a session that is being opened, and is let %s, and no longer",
  async (_claim, refusal) => {
    const server = slowServer({ tries: 5 });
    const { sessions, connected } = server;
    const opened = sessions.acquireFurther(server.login(), undefined).catch(() => "ended");
    await settle();
    let isClosed = false;
    const closed = sessions.close().then(() => (isClosed = true));
    await settle();
    expect(isClosed).toBe(false);
    connected[0]!(refusal);
    expect(await opened).toBe("ended");
    await closed;
    expect(connected).toHaveLength(1);
  },
);

test("one session is opened at a time, and a caller whose own waits for a greeting takes an idle one", async () => {
  const server = slowServer();
  const { sessions, connected } = server;
  const user = server.login();
  const first = await firstSession(server, user);
  const [second, third] = [1, 2].map(() => sessions.acquire(user, undefined));
  await settle();
  expect(connected).toHaveLength(2);
  await sessions.release(first);
  expect(await nameOf(second!)).toBe("session 0");
  await sessions.release(first);
  expect(await nameOf(third!)).toBe("session 0");
  expect(connected).toHaveLength(2);
});

describe("a wrong password", () => {
  const wrong = new FtpullError("login", "cannot log in");
  const lost = networkError("closed", { reason: "lost at password" });

  test("goes out once, and all callers fail", async () => {
    const { sessions, connected, login } = slowServer();
    const user = login();
    const results = Promise.allSettled([1, 2, 3].map(() => sessions.acquire(user, undefined)));
    await settle();
    const other = sessions.acquire(login(), undefined);
    connected[0]!(wrong);
    for (const result of await results) expect(result).toMatchObject({ reason: wrong });
    await expect(sessions.acquire(user, undefined)).rejects.toBe(wrong);
    await settle();
    expect(connected).toHaveLength(2);
    connected[1]!();
    await other;
  });

  test("at which the server closes goes out once more", async () => {
    const server = serverWith([lost], 5);
    await expect(server.acquire()).rejects.toMatchObject({ message: "closed", transient: false });
    await expect(server.acquire()).rejects.toThrow("closed");
    expect([server.connections(), server.waits]).toEqual([2, [1000]]);
    const once = serverWith([lost], 1);
    await expect(once.acquire()).rejects.toThrow("closed");
    expect(once.connections()).toBe(1);
  });

  test("at which it closes beside another login's session goes out once more, too", async () => {
    const server = slowServer({ tries: 5 });
    const { sessions, connected, login } = server;
    await firstSession(server, login());
    const asked = sessions.acquire(login(), undefined);
    const failed = expect(asked).rejects.toThrow("closed");
    for (const time of [1, 2]) {
      await expect.poll(() => connected).toHaveLength(time + 1);
      connected[time]!(lost);
    }
    await failed;
    expect(connected).toHaveLength(3);
  });

  test("isn't one that the server has taken before", async () => {
    const server = serverWith(["in", lost, lost, lost, "in"], 5);
    const session = Object.assign(await server.acquire(), { usable: false });
    await server.sessions.release(session);
    await server.acquire();
    expect(server.connections()).toBe(5);
  });
});

test("callers end when the run is interrupted", async () => {
  const { sessions, connected, login, run } = slowServer();
  const results = Promise.allSettled([1, 2].map(() => sessions.acquire(login(), undefined)));
  await settle();
  const reason = new Error("interrupted");
  run.abort(reason);
  connected[0]!(refused);
  expect(await results).toMatchObject([{ reason }, { reason }]);
  expect(connected).toHaveLength(1);
});

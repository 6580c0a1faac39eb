import { describe, expect, test, vi } from "vitest";
import { FtpullError, NetworkFailure, toFtpullError } from "../../../src/errors.ts";
import { Misplaced, type SentCommand, type WaitLimit } from "../../../src/ftp/control/exchange.ts";
import { Exchanges } from "../../../src/ftp/control/exchanges.ts";

/** A queue, what it has shown, and why it wants the connection closed. */
function start(timeoutMs = 0) {
  const shown: string[] = [];
  const broken: FtpullError[] = [];
  const doubts: string[] = [];
  const observer = {
    command: (line: string) => shown.push(`> ${line}`),
    reply: (text: string) => shown.push(`< ${text}`),
  };
  const queue = new Exchanges(
    { observer, number: 1, timeoutMs },
    {
      broken: (reason) => {
        broken.push(reason);
        queue.fail(reason);
      },
      doubted: (probe) => {
        doubts.push(probe);
        queue.add({ line: probe, codes: [probe === "QUIT" ? 221 : 200] });
      },
    },
  );
  const send = (...commands: (string | SentCommand)[]) =>
    commands.map((command) => queue.add(typeof command === "string" ? fake(command) : command));
  return { queue, send, shown, broken, doubts };
}

/** A command that any completion can answer; the others say what can. */
const fake = (line: string): SentCommand => ({ line, codes: [200, 211, 226, 250] });
const cwd: SentCommand = { line: "CWD a", codes: [250] };
const type: SentCommand = { line: "TYPE I", codes: [200] };
const mdtm: SentCommand = { line: "MDTM x", codes: [213], form: /^213(?! \d$)/ };
const retrieve: SentCommand = { line: "RETR x", codes: [226, 250] };
const probe: SentCommand = { line: "NOOP", codes: [200], isProbe: true };

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) =>
    permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]),
  );
}

const codeOf = (reply: Promise<{ code: number }>) => reply.then(({ code }) => code);
const messageOf = (reply: Promise<unknown>) =>
  reply.then(String, (error: unknown) => toFtpullError(error).message);

describe("replies", () => {
  test("answer the commands in order, whenever they are looked at", async () => {
    const { queue, send } = start();
    const [a, b] = send("A", "B");
    const early = codeOf(b!.finalReply());
    queue.receive("200 a");
    queue.receive("250 b");
    expect(await early).toBe(250);
    expect(await codeOf(a!.finalReply())).toBe(200);
  });

  test("a preliminary one is the first, and not the final one", async () => {
    const { queue, send } = start();
    const [transfer] = send("RETR x");
    queue.receive("150 here");
    expect(await codeOf(transfer!.firstReply())).toBe(150);
    queue.receive("226 done");
    expect(await codeOf(transfer!.firstReply())).toBe(150);
    expect(await codeOf(transfer!.finalReply())).toBe(226);
  });

  test("a final one is also the first where there was no other", async () => {
    const { queue, send } = start();
    const [transfer] = send("RETR x");
    queue.receive("550 no");
    expect(await codeOf(transfer!.firstReply())).toBe(550);
  });

  test("that go on being preliminary end the connection", () => {
    const { queue, send, broken } = start();
    send("A");
    for (let count = 0; count < 31; count++) queue.receive("150 wait");
    expect(broken.map(String)).toEqual([
      "FtpullError: the server goes on sending preliminary replies",
    ]);
  });

  test("are shown with the command that they answer, which is shown when it is its turn", () => {
    const { queue, send, shown } = start();
    send("A", "B");
    expect(shown).toEqual(["> A"]);
    queue.receive("200 a");
    expect(shown).toEqual(["> A", "< 200 a", "> B"]);
  });
});

describe("a reply that its command can't have", () => {
  test.each<[replies: string[], SentCommand, SentCommand]>([
    [["200 type"], cwd, type],
    [["250 a", "250 again"], cwd, type],
    [["250 a", "331 password"], cwd, type],
    [["250 a", "213 4"], cwd, mdtm],
    [["150 here", "200 type"], retrieve, type],
    [["150 here", "550 no such directory"], retrieve, cwd],
  ])("%j ends a session in which commands shared a write", async (replies, ...commands) => {
    const { queue, send, broken } = start();
    const [first] = send(...commands);
    const answered = first!.finalReply().catch(() => undefined);
    for (const reply of replies) queue.receive(reply);
    await answered;
    expect(broken.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^the server doesn't answer in order: server replied \d{3} ".*"$/),
    ]);
    expect(broken[0]?.transient).toBe(true);
    expect(queue.brokePipelining).toBe(true);
    // Replies before it may have been another command's.
    expect(await messageOf(first!.finalReply())).toBe(broken[0]?.message);
  });

  test.each(["150 wait", "332 account", "421 bye", "450 busy", "500 what?", "550 no"])(
    "isn't %s, which any command can have",
    async (reply) => {
      const { queue, send } = start();
      const [first] = send(cwd, type);
      queue.receive(reply);
      expect(await codeOf(first!.firstReply())).toBe(Number(reply.slice(0, 3)));
    },
  );

  test("is taken where commands are sent one at a time", async () => {
    const { queue, send } = start();
    const [alone] = send(cwd);
    queue.receive("200 okay");
    expect(await codeOf(alone!.finalReply())).toBe(200);
  });
});

describe("a login that isn't answered in order", () => {
  const login: SentCommand[] = [
    { line: "USER u", codes: [331, 230] },
    { line: "PASS p", codes: [230] },
    { line: "FEAT", codes: [211] },
    type,
    { line: "SIZE x", codes: [213] },
  ];

  test.each<[claim: string, replies: string[], refusal: string]>([
    ["of its own code", ["331 p", "502 F", "530 wrong", "502 S", "503 T"], "530 wrong"],
    ["behind others of its code", ["331 p", "211 F", "530 in", "530 in", "530 wrong"], "530 wrong"],
    ["before others of its code", ["331 p", "502 F", "430 wrong", "530 in", "530 in"], "430 wrong"],
    ["before the demand for a password", ["502 F", "331 p", "530 no", "502 T", "502 S"], "530 no"],
    ["in the words of all", ["331 p", "211 F", "530 no", "530 no", "530 no"], "530 no"],
    ["of another code", ["331 p", "500 no", "500 F", "503 T", "503 S"], "500 no"],
  ])("has its refusal among the replies, %s", async (_claim, replies, refusal) => {
    const { queue, send, broken } = start();
    const [user, pass] = send(...login);
    for (const reply of replies) queue.receive(reply);
    expect(await codeOf(user!.finalReply())).toBe(331);
    expect((await pass!.finalReply()).lines.join("\n")).toBe(refusal);
    expect([broken, queue.brokePipelining]).toEqual([[], true]);
  });

  test.each<[claim: string, replies: string[]]>([
    ["goes through", ["331 p", "502 F", "230 in"]],
    ["has gone through", ["230 in", "502 F"]],
    ["isn't refused", ["331 p", "211 F", "200 P", "200 T", "213 7"]],
    ["isn't judged: no password is asked for", ["500 F", "220 U", "503 P", "530 in", "530 in"]],
    ["may be refused by USER", ["502 F", "530 no", "503 P", "530 in", "530 in"]],
  ])("tells nothing where it %s", async (_claim, replies) => {
    const { queue, send, broken } = start();
    const [, pass] = send(...login);
    for (const reply of replies) queue.receive(reply);
    expect(await messageOf(pass!.finalReply())).toMatch(/^the server doesn't answer in order: /);
    expect(broken).toHaveLength(1);
  });

  test.each<[password: string, replies: string[], isIn: boolean]>([
    ["a wrong password", ["331 p", "530 no", "211 F", "200 T", "213 7"], false],
    ["a wrong password", ["331 p", "530 no", "502 F", "530 in", "530 in"], false],
    ["a right password", ["331 p", "230 in", "211 F", "200 T", "550 S"], true],
    ["a right password", ["331 p", "230 in", "502 F", "530 T", "502 S"], true],
  ])("never has %s taken for the other, whatever the order of %j", (_password, replies, isIn) => {
    for (const order of permutations(replies)) {
      const { queue, send } = start();
      const [, pass] = send(...login);
      for (const reply of order) queue.receive(reply);
      const isTold = queue.failure === undefined && pass!.final?.code === 230;
      const isUnknown = queue.failure instanceof Misplaced;
      expect(isUnknown || isTold === isIn, order.join()).toBe(true);
    }
  });

  test.each([
    ["is refused by 530", ["331 p", "502 F", "530 no"], "530 no"],
    ["may have been refused by anything else", ["331 p", "500 no"], "closed"],
  ])("%s where the server closes then", async (_claim, replies, end) => {
    const { queue, send } = start();
    const [, pass] = send(...login);
    for (const reply of replies) queue.receive(reply);
    queue.fail(new NetworkFailure("closed"));
    const answer = pass!.finalReply().then(({ lines }) => lines.join("\n"));
    expect(await answer.catch((error: Error) => error.message)).toBe(end);
    expect(queue.brokePipelining).toBe(true);
  });
});

describe("the second reply to a write", () => {
  const host: SentCommand = { line: "HOST h", codes: [220] };
  const user: SentCommand = { line: "USER u", codes: [331, 230] };
  const pass: SentCommand = { line: "PASS p", codes: [230] };

  /** Lets time pass, or gets a reply, in turn; resolves with the probes and the end. */
  async function follow(commands: SentCommand[], events: readonly (number | string)[]) {
    vi.useFakeTimers();
    const { queue, send, broken, doubts } = start();
    send(...commands);
    for (const event of events) {
      if (typeof event === "number") await vi.advanceTimersByTimeAsync(event);
      else queue.receive(event);
    }
    queue.fail(new NetworkFailure("over"));
    vi.useRealTimers();
    return { doubts, message: broken[0]?.message };
  }

  const drops = /^the server drops commands: server replied /;

  test.each<[claim: string, SentCommand[], (number | string)[], doubts: string[], end?: RegExp]>([
    ["has 1 s", [host, user], ["500 h", 999, "331 u", 5000], []],
    ["has three times as long as the first took", [host, user], [600, "500 h", 2799, "331 u"], []],
    ["may be early", [host, user, pass, type], ["500 h", "502 T", 9000, "331 u", "530 no"], []],
    ["is told from NOOP's", [host, user], ["500 h", 1001, "200 okay"], ["NOOP"], drops],
    ["may come late", [host, user], ["500 h", 9000, "331 u", "200 okay", 9000], ["NOOP"]],
    ["isn't 502", [host, user, pass], ["500 h", 1001, "502 what?"], ["NOOP"], drops],
    [
      "is asked for once more after 530",
      [host, user, pass],
      ["500 h", 1001, "530 log in", 1001, "221 bye"],
      ["NOOP", "QUIT"],
      drops,
    ],
    [
      "may be a late refusal",
      [host, user, pass],
      ["500 h", 1001, "530 no", "503 p", "200 okay", 9000],
      ["NOOP"],
    ],
    [
      "may be a late refusal before another one",
      [host, user, pass],
      ["500 h", 1001, "530 no", 5000, "503 p", "200 okay", "221 bye"],
      ["NOOP", "QUIT"],
    ],
    ["isn't mistaken for NOOP's", [cwd, type], ["250 d", 1001, "221 bye"], ["QUIT"], drops],
    ["isn't waited for behind a single command", [host], ["500 h", 9000], []],
    ["isn't waited for behind QUIT", [host, { line: "QUIT", codes: [221] }], ["500 h", 9000], []],
  ])("%s", async (_claim, commands, events, doubts, end = /^undefined$/) => {
    const result = await follow(commands, events);
    expect(result.doubts).toEqual(doubts);
    expect(`${result.message}`).toMatch(end);
  });
});

test.each<[next: string, refusal: string]>([
  ["200 okay", "530 no"],
  ["530 log in", "530 no"],
  ["221 bye", 'the server drops commands: server replied 221 "bye"'],
])("a refusal that may be a probe's counts only after another reply: %s", async (next, end) => {
  vi.useFakeTimers();
  const { queue, send } = start();
  const [, user] = send({ line: "HOST h", codes: [220] }, { line: "USER u", codes: [331] });
  queue.receive("500 h");
  await vi.advanceTimersByTimeAsync(1001);
  let isAnswered = false;
  const answer = user!.finalReply().then(({ lines }) => lines.join("\n"));
  const settled = answer.catch((error: Error) => error.message);
  void settled.then(() => (isAnswered = true));
  queue.receive("530 no");
  await vi.advanceTimersByTimeAsync(0);
  const wasAnswered = isAnswered;
  queue.receive(next);
  vi.useRealTimers();
  expect(wasAnswered).toBe(false);
  expect(await settled).toBe(end);
});

describe("a reply to no command", () => {
  test.each<[commands: SentCommand[], transient: boolean]>([
    [[cwd], false],
    [[cwd, type], true],
  ])("ends the session, behind %j", (commands, transient) => {
    const { queue, send, broken, shown } = start();
    send(...commands);
    for (const { codes } of commands) queue.receive(`${codes[0]} okay`);
    queue.receive("250 more");
    expect(broken).toMatchObject([
      { message: 'the server sent a reply to no command: server replied 250 "more"', transient },
    ]);
    expect(shown.at(-1)).toBe("< 250 more");
  });

  test("leaves what was answered one at a time before", async () => {
    const { queue, send } = start();
    const [transfer] = send(retrieve);
    for (const reply of ["150 here", "226 done", "226 done"]) queue.receive(reply);
    expect(await codeOf(transfer!.finalReply())).toBe(226);
  });
});

describe("a probe", () => {
  test.each(["200 okay", "500 not now"])(
    "may be answered before a transfer, by %s",
    async (early) => {
      const { queue, send, shown } = start();
      const [transfer, noop] = send(retrieve, probe);
      for (const reply of ["150 here", early, "226 done"]) queue.receive(reply);
      expect(await codeOf(transfer!.finalReply())).toBe(226);
      expect(await codeOf(noop!.finalReply())).toBe(Number(early.slice(0, 3)));
      expect([transfer!.isAnsweredEarly, noop!.isAnsweredEarly]).toEqual([false, true]);
      expect(shown).toEqual(["> RETR x", "< 150 here", "> NOOP", `< ${early}`, "< 226 done"]);
    },
  );

  test("is answered after a refusal", async () => {
    const { queue, send } = start();
    const [transfer, noop] = send(retrieve, probe);
    for (const reply of ["550 no", "200 okay"]) queue.receive(reply);
    expect(await codeOf(transfer!.finalReply())).toBe(550);
    expect(noop!.isAnsweredEarly).toBe(false);
  });
});

describe("the end of a connection", () => {
  test("421 is the reply to its command, and the end of the others", async () => {
    const { queue, send, shown } = start();
    const [a, b] = send("A", "B");
    const waiting = messageOf(b!.finalReply());
    queue.receive("421 bye");
    expect(await codeOf(a!.finalReply())).toBe(421);
    expect(await waiting).toBe('the server ended the session: server replied 421 "bye"');
    queue.receive("500 b");
    expect(shown.slice(-2)).toEqual(["> B", "< 500 b"]);
  });

  test("what was answered before can still be read, and the first failure counts", async () => {
    const { queue, send } = start();
    const [a, b] = send("A", "B");
    queue.receive("200 a");
    queue.fail(new NetworkFailure("lost"));
    queue.fail(new NetworkFailure("closed"));
    expect(await codeOf(a!.finalReply())).toBe(200);
    expect(await messageOf(b!.finalReply())).toBe("lost");
    expect(await messageOf(send("C")[0]!.finalReply())).toBe("lost");
  });

  test.each<[commands: string[], failure: FtpullError, broke: boolean]>([
    [["A", "B"], new NetworkFailure("lost"), true],
    [["A"], new NetworkFailure("lost"), false],
    [["A", "QUIT"], new NetworkFailure("lost"), false],
    [["A", "B"], new FtpullError("protocol", "what?"), false],
  ])("of %j by %s is the fault of pipelining: %s", (commands, failure, broke) => {
    const { queue, send } = start();
    send(...commands);
    queue.fail(failure);
    expect(queue.brokePipelining).toBe(broke);
  });

  test.each<[answered: string[], broke: boolean]>([
    [["500 h"], true],
    [["500 h", "331 p"], false],
  ])("behind %j, with PASS unanswered, is the fault of pipelining: %s", (answered, broke) => {
    const { queue, send } = start();
    send({ line: "HOST h", codes: [220] }, { line: "USER u", codes: [331] });
    for (const reply of answered) queue.receive(reply);
    send({ line: "PASS p", codes: [230] }, type);
    queue.fail(new NetworkFailure("lost"));
    expect(queue.brokePipelining).toBe(broke);
  });

  test("an interruption ends all waits, and those that begin later", async () => {
    const { queue, send } = start();
    const [a] = send("A");
    const waiting = messageOf(a!.finalReply());
    queue.interrupt(new Error("enough"));
    expect(await waiting).toBe("enough");
    expect(await messageOf(a!.finalReply())).toBe("enough");
  });
});

describe("silence", () => {
  test.each<[claim: string, limit: WaitLimit, messages: string[]]>([
    ["ends the connection", "timeout", ["the server sent no reply for 1 s"]],
    ["is allowed without limit", "unlimited", []],
  ])("%s", async (_claim, limit, messages) => {
    vi.useFakeTimers();
    const { send, broken } = start(1000);
    const [a] = send("A");
    a!.finalReply(limit).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1001);
    vi.useRealTimers();
    expect(broken.map(({ message }) => message)).toEqual(messages);
  });

  test("is not waited for once the connection has ended: a timer would keep the program running", async () => {
    vi.useFakeTimers();
    const { queue, send } = start(1000);
    const [a] = send("A", "B");
    const replied = a!.finalReply();
    queue.receive("421 bye");
    queue.receive("500 b");
    await replied;
    const timers = vi.getTimerCount();
    vi.useRealTimers();
    expect(timers).toBe(0);
  });

  test.each<[claim: string, reply: string, message: string[]]>([
    ["begins again with each final reply", "200 okay", []],
    ["goes on with a preliminary one", "120 wait", ["the server sent no reply for 1 s"]],
  ])("%s", async (_claim, reply, messages) => {
    vi.useFakeTimers();
    const { queue, send, broken } = start(1000);
    send("A", "B", "C", "D")[3]!
      .finalReply()
      .catch(() => undefined);
    for (let count = 0; count < 3; count++) {
      await vi.advanceTimersByTimeAsync(900);
      queue.receive(reply);
    }
    vi.useRealTimers();
    expect(broken.map(({ message }) => message)).toEqual(messages);
  });
});

test("X2 commands do not show a password or an account", () => {
  const { send, shown } = start();
  send("PASS s3cret");
  const other = start();
  other.send("ACCT pw");
  expect([shown, other.shown]).toEqual([["> PASS ***"], ["> ACCT ***"]]);
});

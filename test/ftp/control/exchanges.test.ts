import { describe, expect, test, vi } from "vitest";
import { FtpullError, NetworkFailure, toFtpullError } from "../../../src/errors.ts";
import { Exchanges, type SentCommand } from "../../../src/ftp/control/exchanges.ts";
import { Transcript } from "../../../src/ftp/control/transcript.ts";

/** A queue, what it has shown, and why it wants the connection closed. */
function start(timeoutMs = 0) {
  const shown: string[] = [];
  const broken: FtpullError[] = [];
  const transcript = new Transcript(
    {
      command: (line) => shown.push(`> ${line}`),
      reply: (text) => shown.push(`< ${text}`),
    },
    1,
  );
  const queue = new Exchanges(transcript, timeoutMs, (reason) => {
    broken.push(reason);
    queue.fail(reason);
  });
  const send = (...commands: (string | SentCommand)[]) =>
    commands.map((command) => queue.add(typeof command === "string" ? fake(command) : command));
  return { queue, send, shown, broken };
}

/** A command that any completion can answer; the others say what can. */
const fake = (line: string): SentCommand => ({ line, codes: [200, 211, 226, 250] });
const cwd: SentCommand = { line: "CWD a", codes: [250] };
const type: SentCommand = { line: "TYPE I", codes: [200] };
const mdtm: SentCommand = { line: "MDTM x", codes: [213], form: /^213(?! \d$)/ };
const retrieve: SentCommand = { line: "RETR x", codes: [226, 250] };
const probe: SentCommand = { line: "NOOP", codes: [200], isProbe: true };

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
      expect([transfer!.isEarly, noop!.isEarly]).toEqual([false, true]);
      expect(shown).toEqual(["> RETR x", "< 150 here", "> NOOP", `< ${early}`, "< 226 done"]);
    },
  );

  test("is answered after a refusal", async () => {
    const { queue, send } = start();
    const [transfer, noop] = send(retrieve, probe);
    for (const reply of ["550 no", "200 okay"]) queue.receive(reply);
    expect(await codeOf(transfer!.finalReply())).toBe(550);
    expect(noop!.isEarly).toBe(false);
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
  test.each<[claim: string, isPatient: boolean]>([
    ["ends the connection", false],
    ["is allowed without limit", true],
  ])("%s", async (_claim, isPatient) => {
    vi.useFakeTimers();
    const { send, broken } = start(1000);
    const [a] = send("A");
    a!.finalReply(isPatient).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1001);
    vi.useRealTimers();
    expect(broken.map(({ message }) => message)).toEqual(
      isPatient ? [] : ["the server sent no reply for 1 s"],
    );
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

  test("begins again with each reply", async () => {
    vi.useFakeTimers();
    const { queue, send, broken } = start(1000);
    const [a] = send("A");
    a!.finalReply().catch(() => undefined);
    for (let count = 0; count < 3; count++) {
      await vi.advanceTimersByTimeAsync(900);
      queue.receive("120 wait");
    }
    vi.useRealTimers();
    expect(broken).toEqual([]);
  });
});

test("X2 commands do not show a password or an account", () => {
  const { send, shown } = start();
  send("PASS s3cret");
  const other = start();
  other.send("ACCT pw");
  expect([shown, other.shown]).toEqual([["> PASS ***"], ["> ACCT ***"]]);
});

import { describe, expect, test, vi } from "vitest";
import { FtpullError, networkError, toFtpullError } from "../../../src/errors.ts";
import { Exchanges, isOfPipelining } from "../../../src/ftp/control/exchanges.ts";
import type { SentCommand } from "../../../src/ftp/control/fits.ts";

/** A queue, what it has shown, and why it wants the connection closed. */
function start(timeoutMs = 0) {
  const shown: string[] = [];
  const broken: FtpullError[] = [];
  const dialogue = {
    command: (line: string) => shown.push(`> ${line}`),
    reply: (text: string) => shown.push(`< ${text}`),
  };
  const queue = new Exchanges({ dialogue, number: 1, timeoutMs }, (reason) => {
    broken.push(reason);
    queue.fail(reason);
  });
  const send = (...commands: (string | SentCommand)[]) =>
    queue.add(commands.map((each) => (typeof each === "string" ? fake(each) : each)));
  return { queue, send, shown, broken };
}

/** A command that some completions can answer; the others say what can. */
const fake = (line: string): SentCommand => ({ line, codes: [200, 211, 226, 250] });
const cwd: SentCommand = { line: "CWD a", codes: [250] };
const type: SentCommand = { line: "TYPE I", codes: [200] };
const mdtm: SentCommand = { line: "MDTM x", codes: [213], form: /^213(?! \d$)/ };
const retrieve: SentCommand = { line: "RETR x", codes: [226, 250] };
const user: SentCommand = { line: "USER u", codes: [331, 230] };
const pass: SentCommand = { line: "PASS p", codes: [230] };
const host: SentCommand = { line: "HOST h", codes: [220] };

const codeOf = (reply: Promise<{ code: number }>) => reply.then(({ code }) => code);
const messageOf = (reply: Promise<unknown>) =>
  reply.then(String, (error: unknown) => toFtpullError(error).message);

describe("replies", () => {
  test("a preliminary one is the first, and not the final one", async () => {
    const { queue, send } = start();
    const [transfer] = send("RETR x");
    queue.receive("150 here");
    expect(await codeOf(transfer!.firstReply())).toBe(150);
    queue.receive("226 done");
    expect(await codeOf(transfer!.firstReply())).toBe(150);
    expect(await codeOf(transfer!.finalReply())).toBe(226);
  });

  test("that go on being preliminary end the connection", () => {
    const { queue, send, broken } = start();
    send("A");
    for (let count = 0; count < 31; count++) queue.receive("150 wait");
    expect(broken.map(String)).toEqual([
      "FtpullError: the server goes on sending preliminary replies",
    ]);
  });

  test("are counted for each command alone", () => {
    const { queue, send, broken } = start();
    for (const command of ["A", "B"]) {
      send(command);
      for (let count = 0; count < 20; count++) queue.receive("150 wait");
      queue.receive("226 done");
    }
    expect(broken).toEqual([]);
  });
});

describe("the oldest of several commands can have", () => {
  /** The place of the command, and what it was told before: nothing, "150" or a login. */
  type Place =
    "behind others" | "behind others, after 150" | "after the login" | "alone" | "alone, after 150";

  test.each<[command: SentCommand, place: Place, can: string, cannot: string]>([
    [cwd, "behind others", "150 250 421 450 500 550", "200 213 331 332 532"],
    [mdtm, "behind others", "213 450 550", "200 226"],
    [retrieve, "behind others, after 150", "150 200 213 225 226 250 425 451", "332 500 550"],
    [retrieve, "alone, after 150", "200 225 226 250 331 332 425 500 550", ""],
    [cwd, "alone", "250 332 421 450 532 550", "200 226 331"],
    [host, "behind others", "220 450 500 504 530", "200 230 331"],
    [user, "behind others", "230 331", "220 332 430 500 530"],
    [pass, "behind others", "230", "202 331 332 430 500 530"],
    [pass, "after the login", "230 450 503 530", "200 331 332"],
    [user, "alone", "230 331 332 430 530", "220 250"],
  ])("%j, %s, %s, and not %s", (command, place, can, cannot) => {
    const taken = (code: string): boolean => {
      const { queue, send, broken } = start();
      if (place === "after the login") send(user, command, type);
      else if (place.startsWith("alone")) send(type, command);
      else send(command, type);
      if (place.startsWith("alone")) queue.receive("200 type");
      if (place === "after the login") queue.receive("230 in");
      if (place.endsWith("150")) queue.receive("150 here");
      queue.receive(code === "213" ? "213 20260301123000" : code);
      return broken.length === 0;
    };
    const split = (codes: string): string[] => codes.split(" ").filter((code) => code !== "");
    expect(split(can).filter((code) => !taken(code))).toEqual([]);
    expect(split(cannot).filter(taken)).toEqual([]);
  });

  test("MDTM's reply in the form of a time alone: SIZE's has the same code", () => {
    const { queue, send, broken } = start();
    send(mdtm, type);
    queue.receive("213 4");
    expect(broken[0]).toMatchObject({ reason: "misplaced reply" });
  });
});

test("a reply that doesn't fit ends the session, and no reply before it counts", async () => {
  const { queue, send, broken } = start();
  const [first] = send(cwd, type);
  queue.receive("250 a");
  queue.receive("250 again");
  const words = `the server doesn't answer in order: server replied 250 "again"`;
  expect(broken).toMatchObject([{ message: words, transient: true }]);
  expect(await messageOf(first!.finalReply())).toBe(words);
});

describe("the second reply of a login's write", () => {
  /** Lets time pass, or gets a reply, in turn; resolves with why the session ended. */
  async function follow(commands: SentCommand[], events: readonly (number | string)[]) {
    vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "hrtime"],
    });
    const { queue, send, broken } = start();
    send(...commands);
    for (const event of events) {
      if (typeof event === "number") await vi.advanceTimersByTimeAsync(event);
      else queue.receive(event);
    }
    queue.fail(networkError("over"));
    vi.useRealTimers();
    return broken.map(({ message }) => message);
  }

  const late = ["the server answers one command of several"];

  test.each<[claim: string, SentCommand[], (number | string)[], end: string[]]>([
    ["has 2 s", [host, user], ["500 h", 1990, "331 u", 5000], []],
    ["has not more", [host, user], ["500 h", 2010], late],
    [
      "has three times as long as the first took, too",
      [host, user],
      [500, "500 h", 3490, "331 u"],
      [],
    ],
    ["and not more than that", [host, user], [500, "500 h", 3510], late],
    [
      "is the second: later ones have the whole time",
      [host, user, pass],
      ["500 h", "331 u", 9000],
      [],
    ],
    ["isn't waited for behind a single command", [host], ["500 h", 9000], []],
    ["isn't waited for once the login is done", [user, pass], ["230 in", 9000], []],
  ])("%s", async (_claim, commands, events, end) => {
    expect(await follow(commands, events)).toEqual(end);
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
    queue.fail(networkError("lost"));
    queue.fail(networkError("closed"));
    expect(await codeOf(a!.finalReply())).toBe(200);
    expect(await messageOf(b!.finalReply())).toBe("lost");
    expect(await messageOf(send("C")[0]!.finalReply())).toBe("lost");
  });

  test.each<[commands: string[], replies: string[], failure: FtpullError, broke: boolean]>([
    [["A", "B"], [], networkError("lost"), true],
    [["A", "B"], ["200 a"], networkError("lost"), true],
    [["A", "B"], ["200 a", "200 b"], networkError("lost"), false],
    [["A"], [], networkError("lost"), false],
    [["A", "B"], [], new FtpullError("protocol", "what?"), false],
  ])("of %j after %j by %s is the fault of pipelining: %s", (commands, replies, failure, broke) => {
    const { queue, send } = start();
    send(...commands);
    for (const reply of replies) queue.receive(reply);
    queue.fail(failure);
    expect(isOfPipelining(queue.failure)).toBe(broke);
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
  test.each<[claim: string, limit: "unlimited" | undefined, messages: string[]]>([
    ["ends the connection", undefined, ["the server sent no reply for 1 s"]],
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

import { describe, expect, test, vi } from "vitest";
import { FtpullError, NetworkFailure, toFtpullError } from "../../../src/errors.ts";
import { Exchanges, type SentCommand } from "../../../src/ftp/control/exchanges.ts";
import { Transcript } from "../../../src/ftp/control/transcript.ts";
import type { Owner } from "../../../src/ftp/state.ts";

/** A queue, what it has shown, and why it wants the connection closed. */
function start(timeoutMs = 0) {
  const shown: string[] = [];
  const broken: FtpullError[] = [];
  const transcript = new Transcript({
    command: (line) => shown.push(`> ${line}`),
    reply: (text) => shown.push(`< ${text}`),
  });
  const queue = new Exchanges(transcript, timeoutMs, (reason) => {
    broken.push(reason);
    queue.fail(reason);
  });
  const send = (...lines: (string | SentCommand)[]) =>
    lines.map((line) => queue.add(typeof line === "string" ? { line } : line));
  return { queue, send, shown, broken };
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

  test("that answer nothing are shown, and said to be so", () => {
    const { queue, send, shown } = start();
    expect(queue.receive("220 again")).toBe(false);
    send("A");
    expect(queue.receive("200 a")).toBe(true);
    expect(shown).toEqual(["< 220 again", "> A", "< 200 a"]);
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

describe("a command that tells whose a reply is", () => {
  const command = (...owners: Owner[]): SentCommand => ({
    line: "A",
    ownerOf: () => owners.shift() ?? "this",
  });

  test("leaves it to the one behind it", async () => {
    const { queue, send, shown } = start();
    const [a, b, c] = send(command("next"), "B", "C");
    for (const reply of ["211 b", "230 a", "200 c"]) queue.receive(reply);
    const replies = [a, b, c].map((exchange) => codeOf(exchange!.finalReply()));
    expect(await Promise.all(replies)).toEqual([230, 211, 200]);
    expect([a!.isEarly, b!.isEarly]).toEqual([false, true]);
    expect(shown).toEqual(["> A", "> B", "< 211 b", "< 230 a", "> C", "< 200 c"]);
  });

  test("may find that the reply before was its own", async () => {
    const { queue, send } = start();
    const [a, b] = send(command("next", "swap"), "B");
    queue.receive("500 a");
    queue.receive("200 b");
    expect(await codeOf(a!.finalReply())).toBe(500);
    expect(await codeOf(b!.finalReply())).toBe(200);
  });

  test("may find that it can't be told: the connection ends, and pipelining with it", async () => {
    const { queue, send, broken } = start();
    const [a] = send(command("unknown"), "B");
    queue.receive("213 4");
    const text = 'the server doesn\'t answer in order: server replied 213 "4"';
    expect(broken[0]?.message).toBe(text);
    expect(await messageOf(a!.finalReply())).toBe(text);
    expect(queue.brokePipelining).toBe(true);
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

  test("an interruption ends all waits, until it is over", async () => {
    const { queue, send } = start();
    const [a] = send("A");
    const waiting = messageOf(a!.finalReply());
    queue.interrupt(new Error("enough"));
    expect(await waiting).toBe("enough");
    expect(await messageOf(a!.finalReply())).toBe("enough");
    queue.resume();
    queue.receive("200 a");
    expect(await codeOf(a!.finalReply())).toBe(200);
  });
});

describe("silence", () => {
  test.each<[claim: string, timeoutMs: number | undefined, isBroken: boolean]>([
    ["ends the connection", undefined, true],
    ["is allowed without limit", 0, false],
  ])("%s", async (_claim, timeoutMs, isBroken) => {
    vi.useFakeTimers();
    const { send, broken } = start(1000);
    const [a] = send("A");
    a!.finalReply(timeoutMs).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1001);
    vi.useRealTimers();
    expect(broken.map(({ message }) => message)).toEqual(
      isBroken ? ["the server sent no reply for 1 s"] : [],
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

test("X2 neither commands nor replies show a password or an account", () => {
  const shown: string[] = [];
  const transcript = new Transcript({
    command: (line) => shown.push(line),
    reply: (text) => shown.push(text),
  });
  for (const line of ["PASS s3cret", "ACCT pw"]) {
    transcript.hide(line);
    transcript.command(line);
  }
  transcript.reply(transcript.read("230 s3cret [pw] pwd"));
  expect(shown).toEqual(["PASS ***", "ACCT ***", "230 *** [***] pwd"]);
});

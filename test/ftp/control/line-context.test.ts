/** What lines are taken for: replies, text, or the signs of another protocol. */
import { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { FtpullError, toFtpullError } from "../../../src/errors.ts";
import { LineContext, textCode } from "../../../src/ftp/control/line-context.ts";

/** What is read from octets that come one after the other, with so many milliseconds in between. */
const read = (...events: readonly (string | number)[]): Promise<string[]> => readWithin(0, events);

/** The same where a reply has so many milliseconds. */
async function readWithin(
  timeoutMs: number,
  events: readonly (string | number)[],
): Promise<string[]> {
  vi.useFakeTimers();
  const context = new LineContext(timeoutMs);
  const seen: string[] = [];
  context.socket = new Socket();
  const task = context.handle(undefined, (response) => {
    if (response instanceof Error) seen.push(`failed: ${toFtpullError(response).message}`);
    else seen.push((response.code === textCode ? "text: " : "") + response.message);
  });
  task.catch(() => undefined);
  for (const event of events) {
    if (typeof event === "number") await vi.advanceTimersByTimeAsync(event);
    else context.socket.emit("data", event.replaceAll("|", "\r\n"));
  }
  const result = [...seen];
  context.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  return result;
}

test.each<[claim: string, events: (string | number)[], expected: string[]]>([
  ["before the greeting", ["Hello|220 x|"], ["text: Hello", "220 x"]],
  ["behind a reply", ["230 in|Last login: today|"], ["230 in", "text: Last login: today"]],
  ["indented", ["220 x|  220 Welcome|"], ["220 x", "text:   220 Welcome"]],
  ["of digits", ["220 x|2200 users|"], ["220 x", "text: 2200 users"]],
  ["inside a reply of several lines", ["220-a|b|220 c|"], ["220-a\nb\n220 c"]],
])("a line without a code is text %s", async (_claim, events, expected) => {
  expect(await read(...events)).toEqual(expected);
});

test.each([
  ["SSH-2.0-OpenSSH_9.6|"],
  ["HTTP/1.1 400 Bad Request|"],
  ["+OK POP3 ready|"],
  ["* OK IMAP4rev1|"],
  ["RFB 003.008|"],
  ["@RSYNCD: 31.0|"],
  ["999 Hm|"],
  ["J\0\0\0|"],
])("%j is another protocol", async (octets) => {
  const words = `failed: the server does not speak FTP: it sent "${octets.slice(0, -1)}"`;
  expect(await read(octets)).toEqual([words]);
});

test("text alone is the failure of a server that never replies", () => {
  const context = new LineContext(0);
  context.socket = new Socket();
  context.handle(undefined, () => undefined).catch(() => undefined);
  context.socket.emit("data", "What?\r\nWho?\r\n");
  expect(context.notFtp).toEqual(
    new FtpullError("protocol", 'the server does not speak FTP: it sent "What?"'),
  );
  context.socket.emit("data", "220 Oh\r\nI see\r\n");
  expect(context.notFtp).toBeUndefined();
  context.close();
});

test("text without end is an endless reply", async () => {
  const flood = "text ".repeat(1000) + "|";
  const seen = await read(...Array.from({ length: 300 }, () => flood));
  expect(seen.at(-1)).toBe("failed: the server sent an endless reply");
});

const glftpd = "553-  Section: x|150 Opening|";
test.each<[claim: string, events: (string | number)[], expected: string[]]>([
  ["its code", ["553-a|226 b|553 c|"], ["553-a\n226 b\n553 c"]],
  ["1yz", [`${glftpd}226 done|`], ["553-  Section: x\n150 Opening", "226 done"]],
  ["1yz inside of another one", ["220-|150 users|220 c|"], ["220-\n150 users", "220 c"]],
  ["silence behind another code", ["230-a|220 b|", 2000], ["230-a\n220 b"]],
  ["no silence in a line", ["230-a|220 b|23", 9000, "0 c|"], ["230-a\n220 b\n230 c"]],
  ["no silence behind text", ["230-a|b|", 9000, "230 c|"], ["230-a\nb\n230 c"]],
  ["no shorter silence", ["230-a|220 b|", 1999, "230 c|"], ["230-a\n220 b\n230 c"]],
  [
    "any code from then on",
    ["230-a|220 b|200 c|", 2000, "250-d|200 e|"],
    ["230-a\n220 b", "200 c", "250-d\n200 e"],
  ],
])("a reply of several lines ends by %s", async (_claim, events, expected) => {
  expect(await read(...events)).toEqual(expected);
});

test("a reply whose end is awaited is known before its time is over", async () => {
  expect(await readWithin(1000, ["211 none|", 499])).toEqual([]);
  expect(await readWithin(1000, ["211 none|", 500])).toEqual(["211 none"]);
});

test.each<[claim: string, events: (string | number)[], expected: string[]]>([
  ["with an end", ["211 Features:| UTF8|211 End|"], ["211 Features:\n UTF8\n211 End"]],
  ["not indented", ["211 FEATURES|", 500, "UTF8|211 END|"], ["211 FEATURES\nUTF8\n211 END"]],
  ["repeating the code", ["211 F:|211-UTF8|211 End|"], ["211 F:\n211-UTF8\n211 End"]],
  ["with no end but the next reply", ["211 F:| UTF8|200 on|"], ["211 F:\n UTF8", "200 on"]],
  ["with no end but silence", ["211 F:| UTF8|", 2000], ["211 F:\n UTF8"]],
  ["of one line", ["211 none|200 on|"], ["211 none", "200 on"]],
  ["of one line, twice", ["211 none|211 none|", 2000], ["211 none", "211 none"]],
  ["of one line, alone", ["211 none|", 2000, "250 x|"], ["211 none", "250 x"]],
])("FEAT's reply without a dash is read %s", async (_claim, events, expected) => {
  expect(await read(...events)).toEqual(expected);
});

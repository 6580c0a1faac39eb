/** What lines are taken for: replies, text, or the signs of another protocol. */
import { expect, test } from "vitest";
import { toFtpullError } from "../../../src/errors.ts";
import { replyLine } from "../../../src/ftp/control/reply.ts";
import { ReplyReader } from "../../../src/ftp/control/reply-reader.ts";

const silence = Symbol("silence");
type Event = string | typeof silence;

/** Replies and text that are read from octets, where "|" stands for the end of a line. */
function read(...events: readonly Event[]): string[] {
  const reader = new ReplyReader();
  const seen: string[] = [];
  try {
    for (const event of events)
      for (const text of event === silence
        ? reader.endLoosely()
        : reader.read(event.replaceAll("|", "\r\n")))
        seen.push(replyLine.test(text) ? text : `text: ${text}`);
  } catch (error) {
    seen.push(`failed: ${toFtpullError(error).message}`);
  }
  return seen;
}

test.each<[claim: string, octets: string, expected: string[]]>([
  ["before the greeting", "Hello|220 x|", ["text: Hello", "220 x"]],
  ["behind a reply", "230 in|Last login: today|", ["230 in", "text: Last login: today"]],
  ["indented", "220 x|  220 Welcome|", ["220 x", "text:   220 Welcome"]],
  ["of digits", "220 x|2200 users|", ["220 x", "text: 2200 users"]],
  ["inside a reply of several lines", "220-a|b|220 c|", ["220-a\nb\n220 c"]],
])("a line without a code is text %s", (_claim, octets, expected) => {
  expect(read(octets)).toEqual(expected);
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
])("%j is another protocol", (octets) => {
  const words = `failed: the server does not speak FTP: it sent "${octets.slice(0, -1)}"`;
  expect(read(octets)).toEqual([words]);
});

test("the first line of text behind the last reply is kept", () => {
  const reader = new ReplyReader();
  expect([...reader.read("What?\r\nWho?\r\n")]).toHaveLength(2);
  expect(reader.firstTextSinceReply).toBe("What?");
  expect([...reader.read("220 Oh\r\n")]).toHaveLength(1);
  expect(reader.firstTextSinceReply).toBeUndefined();
});

test("text without end is an endless reply", () => {
  const flood = "text ".repeat(1000) + "|";
  const seen = read(...Array.from({ length: 300 }, () => flood));
  expect(seen.at(-1)).toBe("failed: the server sent an endless reply");
});

const glftpd = "553-  Section: x|150 Opening|";
test.each<[claim: string, events: Event[], expected: string[]]>([
  ["its code", ["553-a|226 b|553 c|"], ["553-a\n226 b\n553 c"]],
  ["1yz", [`${glftpd}226 done|`], ["553-  Section: x\n150 Opening", "226 done"]],
  ["1yz inside of another one", ["220-|150 users|220 c|"], ["220-\n150 users", "220 c"]],
  ["silence behind another code", ["230-a|220 b|", silence], ["230-a\n220 b"]],
  ["no silence behind text", ["230-a|b|", silence, "230 c|"], ["230-a\nb\n230 c"]],
  [
    "any code from then on",
    ["230-a|220 b|200 c|", silence, "250-d|200 e|"],
    ["230-a\n220 b", "200 c", "250-d\n200 e"],
  ],
])("a reply of several lines ends by %s", (_claim, events, expected) => {
  expect(read(...events)).toEqual(expected);
});

test.each<[claim: string, events: Event[], expected: string[]]>([
  ["with an end", ["211 Features:| UTF8|211 End|"], ["211 Features:\n UTF8\n211 End"]],
  ["not indented", ["211 FEATURES|UTF8|211 END|"], ["211 FEATURES\nUTF8\n211 END"]],
  ["repeating the code", ["211 F:|211-UTF8|211 End|"], ["211 F:\n211-UTF8\n211 End"]],
  ["with no end but the next reply", ["211 F:| UTF8|200 on|"], ["211 F:\n UTF8", "200 on"]],
  ["with no end but silence", ["211 F:| UTF8|", silence], ["211 F:\n UTF8"]],
  ["of one line", ["211 none|200 on|"], ["211 none", "200 on"]],
  ["of one line, twice", ["211 none|211 none|", silence], ["211 none", "211 none"]],
  ["of one line, alone", ["211 none|", silence, "250 x|"], ["211 none", "250 x"]],
])("FEAT's reply without a dash is read %s", (_claim, events, expected) => {
  expect(read(...events)).toEqual(expected);
});

/** What lines are taken for: replies, or text. */
import { expect, test } from "vitest";
import { toFtpullError } from "../../../src/errors.ts";
import { replyLine } from "../../../src/ftp/control/reply.ts";
import { ReplyReader } from "../../../src/ftp/control/reply-reader.ts";

/** Replies and text that are read from octets, where "|" stands for the end of a line. */
function read(...chunks: readonly string[]): string[] {
  const reader = new ReplyReader();
  const seen: string[] = [];
  try {
    for (const chunk of chunks)
      reader.read(chunk.replaceAll("|", "\r\n"), (text) =>
        seen.push(replyLine.test(text) ? text : `text: ${text}`),
      );
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

test("text without end is an endless reply", () => {
  const flood = "text ".repeat(1000) + "|";
  const seen = read(...Array.from({ length: 300 }, () => flood));
  expect(seen.at(-1)).toBe("failed: the server sent an endless reply");
});

test.each<[claim: string, octets: string, expected: string[]]>([
  ["its own code", "553-a|226 b|553 c|", ["553-a\n226 b\n553 c"]],
  [
    "no other code",
    "250-Welcome|200 GB of software|250 in|",
    ["250-Welcome\n200 GB of software\n250 in"],
  ],
  [
    "1yz after 5yz: a warning",
    "553-  Section: x|150 go|226 done|",
    ["553-  Section: x\n150 go", "226 done"],
  ],
  ["no 1yz after another code", "220-|150 users|220 c|", ["220-\n150 users\n220 c"]],
])("a reply of several lines ends by %s", (_claim, octets, expected) => {
  expect(read(octets)).toEqual(expected);
});

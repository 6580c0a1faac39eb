import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textConverter } from "../../src/text/line-ends.ts";
import { chunked, converted } from "./support/chunks.ts";

const lines = () => textConverter("ascii", "\n", "cp037")!;

describe("D2 CRLF becomes the local line end, and nothing else changes", () => {
  test.each([
    ["a line", ["one\r\ntwo\r\n"], "one\ntwo\n"],
    ["a CRLF across two reads", ["one\r", "\ntwo"], "one\ntwo"],
    ["a CRLF across an empty read", ["one\r", "", "\n"], "one\n"],
    ["a lone CR", ["one\rtwo"], "one\rtwo"],
    ["a lone CR at the end of a read", ["one\r", "two"], "one\rtwo"],
    ["a lone CR at the very end", ["one\r"], "one\r"],
    ["a lone LF", ["one\ntwo"], "one\ntwo"],
    ["an LF at the start of a read", ["one", "\ntwo"], "one\ntwo"],
    ["CR CR LF", ["one\r\r\n"], "one\r\n"],
    ["CR, then CRLF in the next read", ["one\r", "\r\n"], "one\r\n"],
    ["CR LF LF", ["one\r\n\n"], "one\n\n"],
    ["every octet that isn't ASCII", ["\x80\xff\0\x15\x85"], "\x80\xff\0\x15\x85"],
    ["nothing", [], ""],
  ])("%s", (_, reads, expected) => {
    const chunks = reads.map((read) => Buffer.from(read, "latin1"));
    expect(converted(lines(), chunks).toString("latin1")).toBe(expected);
  });

  test("in chunks of every kind the result is that of the whole text", () => {
    fc.assert(
      fc.property(chunked([0x0d, 0x0a]), (chunks) => {
        const text = Buffer.concat(chunks).toString("latin1");
        const expected = Buffer.from(text.replaceAll("\r\n", "\n"), "latin1");
        expect(converted(lines(), chunks)).toEqual(expected);
      }),
    );
  });

  test("a chunk is left as it is", () => {
    const chunk = Buffer.from("one\r\n");
    lines().convert(chunk);
    expect(chunk.toString()).toBe("one\r\n");
  });
});

test("D4 the UTF-8 of Net-Unicode stays, with local line ends", () => {
  const converter = textConverter("net-unicode", "\n", "cp037")!;
  const text = Buffer.from("\u{feff}gr\u{fc}n\r\n\u{1f333}\u{85}\r\n");
  const reads = [...text].map((octet) => Buffer.from([octet]));
  expect(converted(converter, reads).toString()).toBe("\u{feff}gr\u{fc}n\n\u{1f333}\u{85}\n");
});

test.each([
  ["none", "\n"],
  ["none", "\r\n"],
  ["ascii", "\r\n"],
  ["net-unicode", "\r\n"],
] as const)("D1 %s needs no conversion where lines end in %j", (conversion, lineEnd) => {
  expect(textConverter(conversion, lineEnd, "cp037")).toBeUndefined();
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineSplitter, maxLineLength } from "../../src/listing/line-splitter.ts";

function linesOf(...chunks: (string | Buffer)[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(Buffer.from(chunk as string, "latin1"));
  splitter.end();
  return lines;
}

function outcome(chunks: string[]): string[] | string {
  try {
    return linesOf(...chunks);
  } catch (error) {
    return (error as Error).message;
  }
}

describe("the lines of a listing", () => {
  test.each<[claim: string, chunks: string[], lines: string[]]>([
    ["end in CRLF", ["a\r\nb\r\n"], ["a", "b"]],
    ["end in LF as well", ["a\nb\n"], ["a", "b"]],
    ["may lack the last end", ["a\r\nb"], ["a", "b"]],
    ["keep a CR that ends nothing", ["c\na\rb\r\r\n"], ["c", "a\rb\r"]],
    ["end in CR CR LF, where the first does", ["a\r\r\nb\r\r\n", "c\r\r\r\n"], ["a", "b", "c\r"]],
    ["keep the CR of a name, where the first ends in CRLF", ["b\r\nc\r\r\n"], ["b", "c\r"]],
    ["lose a CR that the end of the data leaves without its LF", ["a\r"], ["a"]],
    ["can be cut between CR and LF", ["a\r", "\nb"], ["a", "b"]],
    ["are octets, also where a character is cut in two", ["\xc3", "\xa9\n"], ["\xc3\xa9"]],
  ])("%s", (_claim, chunks, lines) => {
    expect(linesOf(...chunks)).toEqual(lines);
  });

  test("that end in different ways after a CR CR LF are refused: it was a name's CR", () => {
    expect(() => linesOf("a\r\r\nb\r\n")).toThrowError(
      expect.objectContaining({
        kind: "protocol",
        message: "cannot read the listing: its lines end in different ways",
      }),
    );
  });

  test("do not depend on how the octets were cut into chunks", () => {
    const octets = fc.string({ unit: fc.constantFrom("\r", "\n", "a", "\xff"), maxLength: 40 });
    fc.assert(
      fc.property(octets, fc.array(fc.nat(40)), (text, cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), text.length];
        const chunks = places.slice(1).map((end, index) => text.slice(places[index], end));
        expect(outcome(chunks)).toEqual(outcome([text]));
      }),
    );
  });

  test("of 64 KiB are read, in one chunk or in many", () => {
    const line = "x".repeat(maxLineLength);
    expect(linesOf(`${line}\n`)).toEqual([line]);
    expect(linesOf(line.slice(1), "x", "\n")).toEqual([line]);
  });

  test.each(["\n", ""])("longer than 64 KiB are refused, before an end comes: %j", (end) => {
    const splitter = new LineSplitter(() => undefined);
    splitter.push(Buffer.alloc(maxLineLength, "x"));
    expect(() => splitter.push(Buffer.from(`x${end}`))).toThrowError(
      expect.objectContaining({
        kind: "protocol",
        message: "cannot read the listing: a line is longer than 65536 bytes",
      }),
    );
  });
});

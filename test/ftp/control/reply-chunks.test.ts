import fc from "fast-check";
import { expect, test } from "vitest";
import { ReplyReader } from "../../../src/ftp/control/reply-reader.ts";
import { isLong } from "../../support/long.ts";

const bit = fc.constantFrom(
  "220 hello",
  "211-Features:",
  " MDTM",
  "211-again",
  "211 End",
  "211",
  "550 \xe7\0\x1b[2J",
  "150-\r",
  "150 a",
  "HTTP/1.1 400",
  "  ",
  "",
);
const dialogue = fc
  .array(fc.tuple(bit, fc.constantFrom("\r\n", "\r\n", "\n", "\r\r\n", "\r", "")), {
    maxLength: 12,
  })
  .map((lines) => lines.flat().join(""));

/** Everything that comes out when the text comes in cut like this. */
function received(chunks: readonly string[]): string[] {
  const seen: string[] = [];
  const reader = new ReplyReader();
  for (const chunk of chunks) reader.read(chunk, (text) => seen.push(text));
  return [...seen, `in a reply: ${reader.hasOctetsSinceReply}`];
}

function cut(text: string, places: readonly number[]): string[] {
  const ordered = [...places.map((place) => place % (text.length + 1)), text.length].toSorted(
    (a, b) => a - b,
  );
  return ordered.map((place, index) => text.slice(ordered[index - 1] ?? 0, place));
}

test("what replies are read doesn't depend on how they are cut", () => {
  fc.assert(
    fc.property(dialogue, fc.array(fc.nat(), { maxLength: 8 }), (text, places) => {
      const whole = received([text]);
      expect(received(cut(text, places))).toEqual(whole);
      expect(received(text.split(""))).toEqual(whole);
    }),
    { numRuns: isLong ? 10_000 : 500 },
  );
});

// Work that grows with the square of the length would take minutes here.
test("a line of CRs takes no longer than another", () => {
  const line = `${"\r".repeat(900_000)}x\n`;
  expect(received([`211-a\r\n${line}211 b\r\n`])).toHaveLength(2);
});

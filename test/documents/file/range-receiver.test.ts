/** What a range takes from its connection: which bytes are compared, and where the others go. */
import { describe, expect, test } from "vitest";
import type { FileTry } from "../../../src/documents/file/file-try.ts";
import { overlapSize, RangeReceiver } from "../../../src/documents/file/range-receiver.ts";
import { enoughRead } from "../../../src/ftp/data/data-end.ts";

/** Takes chunks, and tells what has become of them; `at` numbers are relative to the first byte. */
function receive(position: number, end: number, chunks: readonly string[], isSlow = false) {
  const seen: string[] = [];
  const attempt = {
    compare: (at: number, octets: Buffer) => void seen.push(`${at} = ${String(octets)}`),
    write: (at: number, octets: Buffer) => {
      seen.push(`${at}: ${String(octets)}`);
      return isSlow ? Promise.resolve() : undefined;
    },
    advance: (octets: number) => void seen.push(`+${octets}`),
  } as unknown as FileTry;
  const receiver = new RangeReceiver(attempt, { position, end });
  const take = async (): Promise<void> => {
    for (const chunk of chunks) await receiver.take(Buffer.from(chunk));
  };
  return { receiver, seen, take };
}

test("a range begins 4 KiB early, or at 0", () => {
  expect(receive(10_000, Infinity, []).receiver.offset).toBe(10_000 - overlapSize);
  expect(receive(100, Infinity, []).receiver.offset).toBe(0);
});

describe("bytes before the range are compared, the others stored", () => {
  test.each<[chunks: string[], seen: string[], isCompared: boolean]>([
    [["abcdefgh"], ["0 = abc", "3: defgh", "+5"], true],
    [["ab", "cdef", "gh"], ["0 = ab", "2 = c", "3: def", "+3", "6: gh", "+2"], true],
    [["abc"], ["0 = abc"], true],
    [["ab"], ["0 = ab"], false],
    [[], [], false],
  ])("%j: %j", async (chunks, seen, isCompared) => {
    for (const isSlow of [false, true]) {
      const range = receive(3, Infinity, chunks, isSlow);
      await range.take();
      expect(range.seen).toEqual(seen);
      expect(range.receiver.isCompared).toBe(isCompared);
    }
  });
});

test("reading stops at the range's end, behind which nothing is stored", async () => {
  for (const isSlow of [false, true]) {
    const range = receive(0, 4, ["abc", "defg"], isSlow);
    await expect(range.take()).rejects.toThrow(enoughRead());
    expect(range.seen).toEqual(["0: abc", "+3", "3: d", "+1"]);
    expect(range.receiver.position).toBe(4);
  }
});

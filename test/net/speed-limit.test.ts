import { expect, test } from "vitest";
import { SpeedLimit } from "../../src/net/speed-limit.ts";

/** Octets that a server sends, the ms before them, and the time that the sink takes for them. */
interface Sent {
  readonly octets: number;
  readonly afterMs: number;
  readonly sinkMs?: number;
}

/** After which chunk a limit of 100 octets a second for 10 s ends the transfer. */
function stalledAfter(chunks: readonly Sent[]): number | undefined {
  let now = 5000;
  const failures: string[] = [];
  const fail = ({ message }: Error): void => void failures.push(message);
  const pace = new SpeedLimit(100, 10_000, () => now).pace(fail);
  for (const [index, { octets, afterMs, sinkMs = 0 }] of chunks.entries()) {
    now += afterMs;
    pace.received(octets);
    if (failures.length > 0) {
      expect(failures).toEqual(["slower than 100 B/s for 10 s"]);
      return index + 1;
    }
    now += sinkMs;
    pace.wait();
  }
  return undefined;
}

function times(count: number, sent: Sent): Sent[] {
  return Array<Sent>(count).fill(sent);
}

test.each<[claim: string, chunks: Sent[], after: number | undefined]>([
  ["fast enough", times(100, { octets: 100, afterMs: 1000 }), undefined],
  ["too slow", times(100, { octets: 99, afterMs: 1000 }), 21],
  ["a late first octet", [{ octets: 1, afterMs: 60_000 }], undefined],
  [
    "a fast beginning",
    [...times(11, { octets: 9999, afterMs: 1000 }), ...times(11, { octets: 1, afterMs: 1000 })],
    21,
  ],
  [
    "a break that the average makes up for",
    [
      { octets: 1, afterMs: 0 },
      { octets: 1000, afterMs: 10_000 },
    ],
    undefined,
  ],
  ["a process that was stopped", times(100, { octets: 1, afterMs: 60_000 }), undefined],
  ["a slow sink", times(100, { octets: 99, afterMs: 1, sinkMs: 20_000 }), undefined],
])("%s", (_claim, chunks, after) => {
  expect(stalledAfter(chunks)).toBe(after);
});

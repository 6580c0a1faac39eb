import { expect, test } from "vitest";
import { RateLimit } from "../../src/net/rate-limit.ts";

/** Time that passes only where somebody waits; every wait takes so much longer than asked for. */
class FakeClock {
  milliseconds = 1000;
  readonly #lateMs: number;

  constructor(lateMs: number) {
    this.#lateMs = lateMs;
  }

  now(): number {
    return this.milliseconds;
  }

  async wait(milliseconds: number): Promise<void> {
    const due = this.milliseconds + milliseconds + this.#lateMs;
    await Promise.resolve(); // others who wait may be earlier
    this.milliseconds = Math.max(this.milliseconds, due);
  }
}

async function octetsInTenSeconds(rate: number, readers: number, lateMs: number): Promise<number> {
  const clock = new FakeClock(lateMs);
  const limit = new RateLimit(rate, clock);
  const end = clock.milliseconds + 10_000;
  let octets = 0;
  const chunk = Buffer.alloc(Math.min(limit.readSize, 65_536));
  const read = limit.slowed(() => void (octets += chunk.length));
  const reader = async () => {
    while (clock.milliseconds < end) await read(chunk);
  };
  await Promise.all(Array.from({ length: readers }, reader));
  return octets;
}

test.each([
  [100, 1, 0],
  [1000, 1, 3],
  [512_000, 1, 0],
  [512_000, 1, 20],
  [512_000, 4, 5],
  [2_097_152, 1, 1],
  [104_857_600, 1, 2],
])("%d octets a second, %d readers, timers %d ms late: within 5 % over 10 s", async (...args) => {
  const [rate] = args;
  const octets = await octetsInTenSeconds(...args);
  expect(octets).toBeGreaterThan(rate * 10 * 0.95);
  expect(octets).toBeLessThan(rate * 10 * 1.05);
});

test("time in which the server was silent is not caught up with", async () => {
  const clock = new FakeClock(0);
  const limit = new RateLimit(1000, clock);
  clock.milliseconds += 60_000;
  const began = clock.milliseconds;
  for (let count = 0; count < 100; count++) await limit.pauseAfter(50);
  expect(clock.milliseconds - began).toBe(4750);
});

test.each([
  [1, 1],
  [1000, 50],
  [512_000, 25_600],
])("at %d octets a second a read is %d octets: 50 ms at most", (rate, octets) => {
  expect(new RateLimit(rate, new FakeClock(0)).readSize).toBe(octets);
});

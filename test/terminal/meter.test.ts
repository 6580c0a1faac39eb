import { beforeEach, expect, test } from "vitest";
import { Meter } from "../../src/terminal/meter.ts";

let nowMs = 0;

function meterOf(size: number | undefined, offset: number): Meter {
  return new Meter({ size, offset }, () => nowMs);
}

beforeEach(() => {
  nowMs = 0;
});

test("the speed is that of the last five seconds", () => {
  const meter = meterOf(10_000, 0);
  const rates = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((second) => {
    nowMs = second * 1000;
    meter.position += second <= 4 ? 1000 : 0;
    return meter.reading().rate;
  });
  expect(rates).toEqual([1000, 1000, 1000, 1000, 800, 600, 400, 200, 0, 0]);
});

test("seldom asked, it is the speed since it was last asked", () => {
  const meter = meterOf(undefined, 0);
  [nowMs, meter.position] = [10_000, 10_000];
  expect(meter.reading().rate).toBe(1000);
  [nowMs, meter.position] = [20_000, 12_000];
  expect(meter.reading().rate).toBe(200);
});

test("in the first half of a second there is no speed", () => {
  const meter = meterOf(10, 0);
  [nowMs, meter.position] = [499, 10];
  expect(meter.reading().rate).toBe(undefined);
  nowMs = 500;
  expect(meter.reading().rate).toBe(20);
});

test("a position that goes back is no negative speed", () => {
  const meter = meterOf(10, 5);
  [nowMs, meter.position] = [1000, 0];
  expect(meter.reading().rate).toBe(0);
});

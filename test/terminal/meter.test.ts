import { beforeEach, expect, test } from "vitest";
import { Meter, percentOf, secondsLeft } from "../../src/terminal/meter.ts";

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

test("octets of an earlier run count for the position, not for the speed", () => {
  const meter = meterOf(2000, 1000);
  [nowMs, meter.position] = [2000, 1500];
  const figures = { position: 1500, size: 2000, rate: 250, elapsedSeconds: 2 };
  expect(meter.reading()).toEqual(figures);
  expect(meter.finalReading()).toEqual(figures);
});

test("the final speed is that of the whole way", () => {
  const meter = meterOf(9000, 0);
  nowMs = 20_000;
  meter.reading();
  [nowMs, meter.position] = [30_000, 9000];
  expect(meter.finalReading().rate).toBe(300);
});

test.each([
  [5, undefined],
  [104, undefined],
  [105, 100],
])("below a tenth of a second there is no speed: from 5 ms to %d ms", (atMs, rate) => {
  nowMs = 5;
  const meter = meterOf(10, 0);
  [nowMs, meter.position] = [atMs, 10];
  expect(meter.reading().rate).toBe(rate);
  expect(meter.finalReading().rate).toBe(rate);
});

test("a position that goes back is no negative speed", () => {
  const meter = meterOf(10, 5);
  [nowMs, meter.position] = [1000, 0];
  expect(meter.reading().rate).toBe(0);
});

const figures = { position: 50, size: 200, rate: 7, elapsedSeconds: 3 };

test.each([
  ["rounds up", figures, 22],
  ["unknown without a size", { ...figures, size: undefined }, undefined],
  ["unknown without a speed", { ...figures, rate: undefined }, undefined],
  ["unknown while nothing comes", { ...figures, rate: 0 }, undefined],
  ["nothing to say at the end", { ...figures, position: 200 }, undefined],
])("time left: %s", (_what, given, seconds) => {
  expect(secondsLeft(given)).toBe(seconds);
});

test.each([
  [0, 200, 0],
  [199, 200, 99],
  [200, 200, 100],
  [201, 200, 100],
  [0, 0, 100],
])("%d octets of %d are %d %", (position, size, percent) => {
  expect(percentOf({ ...figures, position }, size)).toBe(percent);
});

/** The time for a line grows with its length: eight times the length takes far less than 64 times the time. */
import { expect, test } from "vitest";
import { maxLineLength } from "../../src/listing/line-splitter.ts";
import { listingParser, type ListingCommand } from "../../src/listing/parse-listing.ts";
import { saysCut } from "../../src/ftp/control/reply.ts";

const now = new Date("2026-11-30T12:00:00Z");
const mode = "-rw-r--r-- 1";
const date = "5 Nov 21 07:30";

/** The parts of a line, of which the second one is repeated. */
const lines: Record<ListingCommand, readonly (readonly [string, string, string])[]> = {
  LIST: [
    ["", "\xd0\xb8", ""],
    ["", "a", " 8x"],
    ["insgesamt ", "8", " x"],
    ["total ", "1", " x"],
    ["total 1", " ", "x"],
    ["", " ", "x"],
    ["", "\r", "x"],
    [`${mode} `, "a", ""],
    [`${mode} `, "a1", ""],
    [`${mode} a`, "1", ""],
    [`${mode} `, "1 ", "x"],
    [`${mode} a`, " ", "x"],
    [`${mode} a`, " ", `${date} x`],
    [`${mode} a `, "a", ` b  ${date} x`],
    [`${mode} a b`, " ", `c ${date} x`],
    [`${mode} u g 5 Nov`, " ", "21 07:30x"],
    [`${mode} u g 5 `, "8\xe6", ""],
    [`${mode} u g 5 2026-11-21 07:30:00.`, "0", "x"],
    [`${mode} u g ${date} x`, "\r", "x"],
    ["lrwxrwxrwx 1 u g 5 Nov 21 07:30 x", " -> ", "x"],
    ["08-10-15  01:15PM ", " ", "<DIR>"],
    ["08-10-15  01:15PM ", "1", "x"],
    ["08-10-15  01:15PM <DIR>", " ", "\t"],
    ["08-10-15  01:15PM <JUNCTION> x", " [", "]"],
    ["08-10-15  01:15PM <JUNCTION> x", " => ", ""],
  ],
  MLSD: [
    ["", "a", ""],
    ["", " ", "a=b; c"],
    [" ", "a=;", "b"],
    ["", "a=; ", "\rb"],
    ["type=file", ";", " x"],
    ["", "type=cdir;", " x"],
    ["type=OS.unix=slink:a", ";b", "; x"],
    ["modify=20261121073000.", "1", "; x"],
    ["unix.mode=", "7", "; x"],
  ],
  NLST: [
    ["", "a/", ""],
    ["", "/", ""],
  ],
};

const cases = Object.entries(lines).flatMap(([command, parts]) =>
  parts.map((part) => [command as ListingCommand, ...part] as const),
);

test.each(cases)("a line of %s: %j, %j many times, %j", (command, start, middle, end) => {
  expectLinear((length) => {
    const line = start + middle.repeat(length / middle.length) + end;
    listingParser(command, now)(line);
  });
});

test.each([
  ["226 ", "a", ""],
  ["226 ", "/", ""],
  ["226 ", '"', "x"],
  ["226 a", " ", "b"],
  ["truncated", " ", "x"],
])("a reply to a listing: %j, %j many times, %j", (start, middle, end) => {
  expectLinear((length) => {
    saysCut({ code: 226, lines: [start + middle.repeat(length / middle.length) + end] });
  });
});

function expectLinear(work: (length: number) => void): void {
  let [short, long] = [Infinity, Infinity];
  // The shortest of several times counts: a collection of garbage makes some longer.
  for (let round = 0; round < 8; round++) {
    short = Math.min(
      short,
      timeOf(() => work(maxLineLength / 8)),
    );
    long = Math.min(
      long,
      timeOf(() => work(maxLineLength)),
    );
    // What is quadratic takes seconds; in less than this, a clock shows nothing.
    if (long < 20 || long / short < 24) return;
  }
  expect.fail(`eight times the length takes ${(long / short).toFixed()} times the time`);
}

/** Milliseconds of CPU, which others' work on this machine doesn't count in. */
function timeOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

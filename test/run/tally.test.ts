import { expect, test } from "vitest";
import { failed, type Result } from "../../src/documents/result.ts";
import { FtpullError, mergeStatuses } from "../../src/errors.ts";
import { Tally } from "../../src/run/tally.ts";

const url = "ftp://h/x";
const file = (octets: number | undefined, resumed = 0): Result => ({
  url,
  status: "done",
  exit: 0,
  octets,
  resumed,
});
const listing: Result = { url: "ftp://h/", status: "done", exit: 0, octets: 100 };
const skipped: Result = { url, status: "skipped", exit: 0, reason: "exists" };
const unchanged: Result = { url, status: "skipped", exit: 0, reason: "unchanged" };
const failure = (name: number): Result =>
  failed(`ftp://h/${name}`, new FtpullError("refused", `no ${name}`));

function linesOf(results: readonly Result[], seconds = 2, isVerifying = false): string[] {
  const tally = new Tally();
  for (const result of results) tally.add(result);
  return [...tally.failureLines(), tally.total(seconds, isVerifying)];
}

test.each<[claim: string, results: Result[], total: string, seconds?: number]>([
  ["counts no listings", [listing, file(4), listing], "1 file, 4 B in 2s (2 B/s)"],
  ["has files, bytes, time and rate", [file(1024), file(0)], "2 files, 1.0 KiB in 2s (512 B/s)"],
  ["has no rate below a second", [file(1024)], "1 file, 1.0 KiB in 0.9s", 0.9],
  ["leaves out what an earlier run had", [file(9, 5), file(7, 7)], "2 files, 4 B in 2s (2 B/s)"],
  ["counts unknown bytes as none", [file(undefined), file(4)], "2 files, 4 B in 2s (2 B/s)"],
  [
    "has what was left",
    [unchanged, unchanged, skipped],
    "0 files, 0 B in 2s, 2 unchanged, 1 skipped",
  ],
  ["has what failed", [failure(1), failure(2)], "0 files, 0 B in 2s, 2 failed"],
])("a total %s", (_claim, results, total, seconds) => {
  expect(linesOf(results, seconds)).toEqual([`total: ${total}`]);
});

test.each([
  [false, "2 verified by sha256, 1 by sum"],
  [true, "2 verified by sha256, 1 by sum, 2 without a checksum"],
])("a total says what was verified, where all is to be (%s): %s", (isVerifying, words) => {
  const by = (algorithm: "sha256" | "sum", result: Result): Result => ({
    ...result,
    verified: { checksums: [{ algorithm, value: "" }], source: "", label: "" },
  });
  const verified = [by("sha256", file(1)), by("sum", skipped), by("sha256", file(0))];
  const [total] = linesOf([...verified, file(1), unchanged, failure(1)], 0, isVerifying).slice(-1);
  expect(total).toBe(`total: 3 files, 2 B in 0s, 1 unchanged, 1 skipped, 1 failed, ${words}`);
});

test.each([
  [4, 1, []],
  [5, 1, ["1 of 6 failed:", "ftp://h/1: no 1"]],
  [5, 0, []],
])("beside %i files, %i failures are listed again where they are many", (files, count, listed) => {
  const results = Array.from({ length: files }, () => file(0));
  for (let name = 1; name <= count; name++) results.push(failure(name));
  expect(linesOf(results).slice(0, -1)).toEqual(listed);
});

test("at most 20 failures are listed, and how many more there are", () => {
  const lines = linesOf(Array.from({ length: 23 }, (_, index) => failure(index)));
  expect(lines[0]).toBe("23 of 23 failed:");
  expect(lines.slice(19, -1)).toEqual(["ftp://h/18: no 18", "ftp://h/19: no 19", "and 3 more"]);
});

test("of several statuses the lowest other than 1 counts, and 1 where there is no other", () => {
  expect(mergeStatuses(8, mergeStatuses(4, 1))).toBe(4);
  expect(mergeStatuses(1, 0)).toBe(1);
});

import { expect, test } from "vitest";
import { failed, type Result } from "../../src/documents/result.ts";
import { FtpullError } from "../../src/errors.ts";
import { Tally } from "../../src/run/tally.ts";

const file = (octets: number | undefined, resumed = 0): Result => ({
  url: "ftp://h/x",
  status: "done",
  exit: 0,
  octets,
  resumed,
});
const listing: Result = { url: "ftp://h/", status: "done", exit: 0, octets: 100 };
const skipped: Result = { url: "ftp://h/x", status: "skipped", exit: 0, reason: "exists" };
const failure = (name: number): Result =>
  failed(`ftp://h/${name}`, new FtpullError("refused", `no ${name}`));

function linesOf(results: readonly Result[], seconds = 2): string[] {
  const tally = new Tally();
  for (const result of results) tally.add(result);
  return tally.lines(seconds, false);
}

test.each<[claim: string, results: Result[], total: string[]]>([
  ["counts no listings", [listing, file(4), listing], ["1 file, 4 B in 2s (2 B/s)"]],
  ["has files, octets, time and rate", [file(1024), file(0)], ["2 files, 1.0 KiB in 2s (512 B/s)"]],
  ["leaves out what an earlier run had", [file(9, 5), file(7, 7)], ["2 files, 4 B in 2s (2 B/s)"]],
  ["counts unknown octets as none", [file(undefined), file(4)], ["2 files, 4 B in 2s (2 B/s)"]],
  ["has what was skipped", [file(4), skipped], ["1 file, 4 B in 2s (2 B/s), 1 skipped"]],
  ["has what failed", [failure(1), failure(2)], ["0 files, 0 B in 2s, 2 failed"]],
])("a total %s", (_claim, results, total) => {
  expect(linesOf(results)).toEqual(total.map((line) => `total: ${line}`));
});

test.each([
  [false, "2 verified by sha256, 1 by sum"],
  [true, "2 verified by sha256, 1 by sum, 2 without a checksum"],
])("what was verified, where all is to be (%s): %s", (isVerifying, words) => {
  const by = (algorithm: "sha256" | "sum", result: Result): Result => ({
    ...result,
    verified: { algorithm, value: "", source: "", label: "" },
  });
  const tally = new Tally();
  const verified = [by("sha256", file(1)), by("sum", skipped), by("sha256", file(0))];
  for (const result of [...verified, file(1), skipped, failure(1)]) tally.add(result);
  const [total] = tally.lines(0, isVerifying).slice(-1);
  expect(total).toBe(`total: 3 files, 2 B in 0s, 2 skipped, 1 failed, ${words}`);
});

test.each([
  [0.1, "2 files, 2 B in 0.1s (20 B/s)"],
  [0.099, "2 files, 2 B in 0.1s"],
  [0, "2 files, 2 B in 0s"],
])("within %d seconds: %s", (seconds, total) => {
  expect(linesOf([file(1), file(1)], seconds)).toEqual([`total: ${total}`]);
});

test.each([
  [4, 1, []],
  [5, 1, ["1 of 6 documents failed:", "ftp://h/1: no 1"]],
  [5, 0, []],
])("beside %i files, %i failures are listed again where they are many", (files, count, listed) => {
  const results = Array.from({ length: files }, () => file(0));
  for (let name = 1; name <= count; name++) results.push(failure(name));
  expect(linesOf(results).slice(0, -1)).toEqual(listed);
});

test("at most 20 failures are listed, and how many more there are", () => {
  const lines = linesOf(Array.from({ length: 23 }, (_, index) => failure(index)));
  expect(lines[0]).toBe("23 of 23 documents failed:");
  expect(lines.slice(19, -1)).toEqual(["ftp://h/18: no 18", "ftp://h/19: no 19", "and 3 more"]);
});

test("a failure of no document is counted, and not listed again", () => {
  const refusal = failed(undefined, new FtpullError("other", "nothing was deleted"));
  const files = Array.from({ length: 5 }, () => file(0));
  expect(linesOf([...files, refusal])).toEqual(["total: 5 files, 0 B in 2s, 1 failed"]);
  expect(linesOf([...files, failure(1), refusal])[0]).toBe("1 of 6 documents failed:");
});

/** Which rules leave a file of 10 bytes, of noon, by the server's facts: those of -N, of trees, of -c. */
import { expect, test } from "vitest";
import { isUnchanged } from "../../src/documents/facts.ts";

const noon = "2024-05-06T12:00:00Z";
const local = { size: 10, mtime: new Date(noon) };
const rules = ["unless newer", "unless different", "if the same"] as const;

type Row = [
  claim: string,
  size?: number | undefined,
  time?: string | undefined,
  leaving?: string,
  unit?: number,
];

test.each<Row>([
  ["the same", 10, noon, "N r c"],
  ["newer by less than a second", 10, "2024-05-06T12:00:00.900Z", "N r c"],
  ["newer by 2 s, which FAT may have rounded", 10, "2024-05-06T12:00:02Z", "r c"],
  ["newer by 3 s", 10, "2024-05-06T12:00:03Z"],
  ["older by 2 s", 10, "2024-05-06T11:59:58Z", "N r c"],
  ["older by 3 s", 10, "2024-05-06T11:59:57Z", "N"],
  ["older, but of another size", 11, "2024-05-06T11:00:00Z"],
  ["smaller", 9, noon],
  ["empty", 0, noon],
  ["newer, of unknown size", undefined, "2024-05-06T12:00:03Z"],
  ["as old, of unknown size", undefined, noon, "N r"],
  ["of unknown age and the same size", 10, undefined, "N r"],
  ["of unknown age and another size", 11],
  ["of unknown age and size"],
  ["of the same minute, by a listing", 10, "2024-05-06T12:00:59Z", "N r", 60],
  ["of the next minute, by a listing", 10, "2024-05-06T12:01:00Z", "", 60],
  ["of the same day, by a listing", 10, "2024-05-06T23:59:59Z", "N r", 86_400],
  ["of the next day, by a listing", 10, "2024-05-07T00:00:00Z", "", 86_400],
])("the server's file is %s", (_claim, size, time, leaving = "", unit) => {
  const facts = { size, modified: time === undefined ? undefined : new Date(time), unit };
  const stays = rules.map((rule) => isUnchanged(facts, local, rule));
  expect(stays).toEqual(["N", "r", "c"].map((letter) => leaving.includes(letter)));
});

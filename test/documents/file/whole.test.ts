/** A document is whole if the transfer ended without a failure, or despite one with all octets, and the count is right. */
import { expect, test } from "vitest";
import { checkWhole } from "../../../src/documents/file/whole.ts";
import { FtpullError, NetworkFailure } from "../../../src/errors.ts";
import type { Completion } from "../../../src/ftp/data/transfer.ts";

const broken = new NetworkFailure("the control connection was lost");
const wrong = new FtpullError("protocol", "a reply that fits no command");

test.each<[claim: string, completion: Completion, octets: number, expected: number | undefined]>([
  ["the count equals SIZE", {}, 5, 5],
  ["no size is known", {}, 5, undefined],
  ["the count equals the first reply's", { announced: 5 }, 5, undefined],
  ["it has grown beyond the first reply's", { announced: 5 }, 6, undefined],
])("whole: %s", (_claim, completion, octets, expected) => {
  expect(checkWhole(completion, octets, expected)).toBeUndefined();
});

test("whole, with a note: all octets arrived, and the last reply didn't", () => {
  const note = "all 5 octets arrived, but the control connection was lost";
  expect(checkWhole({ error: broken }, 5, 5)).toBe(note);
  expect(checkWhole({ error: broken, announced: 5 }, 5, undefined)).toBe(note);
});

test.each<[claim: string, completion: Completion, octets: number, size: number, failure: object]>([
  ["fewer than SIZE", {}, 4, 5, { kind: "integrity", transient: true }],
  ["more than SIZE", {}, 6, 5, { kind: "integrity", transient: true }],
  ["more than SIZE, then a break", { error: broken }, 6, 5, { kind: "integrity" }],
  ["a break before the end", { error: broken }, 4, 5, { kind: "network", transient: true }],
  ["a reply that fits no command", { error: wrong }, 4, 5, { kind: "protocol" }],
])("not whole: %s", (_claim, completion, octets, size, failure) => {
  expect(() => checkWhole(completion, octets, size)).toThrow(expect.objectContaining(failure));
});

test("not whole: a break where no size is known", () => {
  expect(() => checkWhole({ error: broken }, 4, undefined)).toThrow(broken);
});

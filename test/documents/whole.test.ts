/** A file is whole if its transfer ended with 2yz and the count is right; in doubt, the server is asked once more. */
import { describe, expect, test } from "vitest";
import { type Arrival, checkAgain, checkCount, isInDoubt } from "../../src/documents/whole.ts";
import { FtpullError, networkError } from "../../src/errors.ts";
import { ReplyError, transferError } from "../../src/ftp/control/reply.ts";
import type { Facts } from "../../src/ftp/document-steps.ts";

const modified = new Date("2026-01-02T03:04:05Z");
const later = new Date("2026-01-02T03:04:06Z");
const lost = networkError("the control connection was lost");
const strange = new FtpullError("protocol", "a reply that fits no command");
const refused = transferError("cannot retrieve", { code: 550, lines: ["550 No"] }, true);

const beginsAgain = expect.objectContaining({ reason: "begin again" });

const facts = (size?: number, time: Date | undefined = modified): Facts => ({
  size,
  modified: time,
  source: "server",
});

function arrival(octets: number, size: number | undefined, more: Partial<Arrival> = {}): Arrival {
  return { octets, isResumed: false, facts: facts(size), ...more };
}

const listed: Facts = { ...facts(7), source: "listing" };

describe("without doubt", () => {
  test.each<[claim: string, Arrival, note?: string]>([
    ["the count equals SIZE", arrival(5, 5)],
    ["no size is known", arrival(5, undefined)],
    ["the count equals the first reply's", arrival(5, undefined, { announced: 5 })],
    ["the count equals the first reply's, not the listing's", arrival(5, 7, { announced: 5, facts: listed })], // prettier-ignore
    ["the first reply has more than the listing", arrival(7, 5, { announced: 7, facts: { ...listed, size: 5 } })], // prettier-ignore
    ["there is more than the first reply's", arrival(6, undefined, { announced: 5 })],
    ["all came, and the last reply didn't", arrival(5, 5, { doubt: lost }), "all 5 bytes arrived, but the control connection was lost"], // prettier-ignore
  ])("whole: %s", (_claim, arrived, note) => {
    expect(isInDoubt(arrived)).toBe(false);
    expect(checkCount(arrived)).toBe(note);
  });

  test.each<[claim: string, Arrival, failure: object]>([
    ["fewer than SIZE", arrival(4, 5), { kind: "integrity", transient: true }],
    [
      "fewer than the first reply's",
      arrival(4, undefined, { announced: 5 }),
      { kind: "integrity" },
    ],
    ["fewer than the listing's", arrival(4, 7, { facts: listed }), { kind: "integrity" }],
    [
      "a break before the end",
      arrival(4, 5, { doubt: lost }),
      { kind: "network", transient: true },
    ],
    ["a break where no size is known", arrival(4, undefined, { doubt: lost }), { kind: "network" }],
    ["a reply that fits no command", arrival(4, 5, { doubt: strange }), { kind: "protocol" }],
  ])("not whole: %s", (_claim, arrived, failure) => {
    expect(() => checkCount(arrived)).toThrow(expect.objectContaining(failure));
  });
});

describe("in doubt", () => {
  const resumed = (octets: number): Arrival => arrival(octets, 5, { isResumed: true });
  const excess = arrival(6, 5);
  const afterRefusal = arrival(5, 5, { doubt: refused });

  test.each<[claim: string, Arrival, now: Facts, note?: RegExp]>([
    ["resumed, unchanged and equal", resumed(5), facts(5)],
    ["5yz after all bytes, unchanged", afterRefusal, facts(5), /^all 5 bytes arrived, but /],
    ["more than SIZE, grown to the count", excess, facts(6, later), /^the file has grown to 6 /],
    ["more than SIZE, grown beyond the count", excess, facts(9), /^the file has grown to 9 /],
    ["SIZE is 0 again", arrival(6, 0), facts(0)],
  ])("whole: %s", (_claim, arrived, now, note) => {
    expect(isInDoubt(arrived)).toBe(true);
    const found = checkAgain(arrived, now);
    if (note === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(note);
  });

  test.each<[claim: string, Arrival, now: Facts]>([
    ["another time", resumed(5), facts(5, later)],
    ["an unknown time", resumed(5), { size: 5, source: "server" }],
    ["it is gone", resumed(5), { source: "server" }],
    ["it is shorter", excess, facts(4, later)],
    ["it has grown, but less than what came", excess, facts(5.5, later)],
    ["longer and older", excess, facts(9, new Date(0))],
    ["resumed, and more came than the file has", resumed(6), facts(5)],
    ["resumed, or in blocks, and longer by now", resumed(5), facts(9, later)],
    ["resumed, and more came, as much as a longer file has by now", resumed(9), facts(9, later)],
    ["5yz after all bytes, another time", afterRefusal, facts(5, later)],
  ])("begins again: %s", (_claim, arrived, now) => {
    expect(() => checkAgain(arrived, now)).toThrow(beginsAgain);
  });

  test.each<[claim: string, Arrival, now: Facts]>([
    ["more than SIZE, unchanged", excess, facts(5)],
    ["more than SIZE, unchanged, and then a break", arrival(6, 5, { doubt: lost }), facts(5)],
    ["SIZE is 0 again, fewer than the first reply's", arrival(4, 0, { announced: 5 }), facts(0)],
    ["the same, fewer than the listing's", arrival(4, 0, { facts: { ...facts(0), listedSize: 5 } }), facts(0)], // prettier-ignore
    ["resumed, fewer than SIZE", resumed(4), facts(5)],
    ["resumed, fewer than it was to have before it grew", resumed(4), facts(9, later)],
  ])("not whole: %s", (claim, arrived, now) => {
    expect(() => checkAgain(arrived, now)).toThrow(claim.endsWith("grew") ? beginsAgain : /^expected 5 bytes, received/); // prettier-ignore
  });

  test("where the server can't tell, it is tried again", () => {
    const failure = new ReplyError("cannot get the size", { code: 450, lines: ["450 Busy"] });
    expect(() => checkAgain(resumed(5), { ...facts(5), failure })).toThrow(failure);
  });
});

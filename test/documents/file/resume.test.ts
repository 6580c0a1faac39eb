import { describe, expect, test } from "vitest";
import { beginningOf } from "../../../src/documents/file/resume.ts";
import type { Stored } from "../../../src/files/destination.ts";
import { ReplyError } from "../../../src/ftp/control/reply.ts";
import type { Facts } from "../../../src/ftp/document-steps.ts";

const modified = new Date("2026-01-02T03:04:05Z");
const url = "ftp://h/x";
const size = 100;
const resumed = (stored: Stored, now: object = {}, isText = false) => {
  const facts: Facts = { size, modified, source: "server", ...now };
  const version = { url, size: facts.size, modified: facts.modified };
  const onlyWhole = isText ? "a text that is converted" : undefined;
  return beginningOf(stored, 0, { version, facts, onlyWhole });
};
const begin = (here: object, now: object = {}, octets = 40, isText = false) =>
  resumed({ octets, version: { url, size, modified, ...here } }, now, isText);

describe("a partial file is gone on with where the server's file is the same", () => {
  test("by size and time", () => expect(begin({})).toEqual({ does: "go on", offset: 40 }));
  test("with all bytes here", () =>
    expect(begin({}, {}, 100)).toEqual({ does: "go on", offset: 100 }));
  test.each(["ftp://anonymous@h/x", "ftp://h:21//x", "FTP://H/%78"])("by the URL %s", (url) =>
    expect(begin({ url })).toEqual({ does: "go on", offset: 40 }),
  );

  test.each<[string, object, object, number?, boolean?]>([
    ["another URL", { url: "ftp://h/y" }, {}],
    ["another user", { url: "ftp://u@h/x" }, {}],
    ["another port", { url: "ftp://h:2121/x" }, {}],
    ["another size", {}, { size: 101 }],
    ["another time", {}, { modified: new Date(0) }],
    ["a time that wasn't known", { modified: undefined }, {}],
    ["a time that isn't known any more", {}, { modified: undefined }],
    ["an unknown time", { modified: undefined }, { modified: undefined }],
    ["a size that isn't known any more", {}, { size: undefined }],
    ["an unknown size", { size: undefined }, { size: undefined }],
    ["more bytes than the file has", {}, {}, 101],
    ["a text", {}, {}, 40, true],
  ])("not with %s", (_, here, now, octets, isText) => {
    const { offset, dropped } = begin(here, now, octets, isText);
    expect([offset, typeof dropped]).toEqual([0, "string"]);
  });

  test("not when nothing is known of it", () => {
    expect(resumed({ octets: 40 }).offset).toBe(0);
  });

  test("once the server could tell", () => {
    const failure = new ReplyError("cannot get the size", { code: 450, lines: ["450 Busy"] });
    expect(() => begin({}, { failure })).toThrow(failure);
  });
});

describe("another program's file is gone on with by its length", () => {
  const behind = (octets: number, now: object = {}, time = modified, isText = false) => {
    const other = { path: "/nowhere/x", modified: time };
    const { offset, dropped } = resumed({ octets, other }, now, isText);
    if (dropped !== undefined) expect(offset).toBe(0);
    return dropped ?? offset;
  };

  test("shorter", () => expect(behind(40)).toBe(40));
  test("as long", () => expect(behind(100)).toBe(100));
  test("newer than the server's", () => expect(behind(40, { modified: new Date(0) })).toBe(40));
  test("where the server tells no time", () =>
    expect(behind(40, { modified: undefined }, new Date(0))).toBe(40));
  test("not a text", () => {
    expect(behind(40, {}, modified, true)).toContain("a text that is converted");
  });

  test.each([
    ["longer", 101, {}, modified, "the file here has 101 bytes, the server's 100"],
    ["older", 40, {}, new Date(0), "newer"],
    ["where the server tells no size", 40, { size: undefined }, modified, "size"],
  ])("not %s", (_, size, now, mtime, words) => {
    expect(behind(size, now, mtime)).toContain(words);
  });
});

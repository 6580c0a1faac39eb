import { describe, expect, test } from "vitest";
import { octetsToBuildOn } from "../../../src/documents/file/resume.ts";
import { BeginAgain } from "../../../src/documents/retry.ts";

const modified = new Date("2026-01-02T03:04:05Z");
const document = { url: "ftp://h/x", size: 100, modified };

function buildOn(here: object, now: object = {}, octets = 40): number {
  const partial = { octets, document: { ...document, ...here } };
  return octetsToBuildOn(partial, { ...document, ...now }, "none");
}

describe("a partial file is built on when the server's document is the same", () => {
  test("size and time unchanged", () => expect(buildOn({})).toBe(40));
  test("all octets here already", () => expect(buildOn({}, {}, 100)).toBe(100));
  test("time unknown to both", () =>
    expect(buildOn({ modified: undefined }, { modified: undefined })).toBe(40));

  test.each(["ftp://anonymous@h/x", "ftp://h:21//x", "FTP://H/%78"])("by the URL %s", (url) =>
    expect(buildOn({ url })).toBe(40),
  );

  test.each<[string, object, object, number]>([
    ["another user", { url: "ftp://u@h/x" }, {}, 40],
    ["another port", { url: "ftp://h:2121/x" }, {}, 40],
    ["no URL", { url: "x" }, {}, 40],
    ["another size", {}, { size: 101 }, 40],
    ["another time", {}, { modified: new Date(0) }, 40],
    ["a time that wasn't known", { modified: undefined }, {}, 40],
    ["a time that isn't known any more", {}, { modified: undefined }, 40],
    ["another URL", { url: "ftp://h/y" }, {}, 40],
    ["more octets than the document has", {}, {}, 101],
    ["a size that wasn't known", { size: undefined }, {}, 40],
    ["a size that isn't known any more", {}, { size: undefined }, 40],
    ["a size that nobody knows", { size: undefined }, { size: undefined }, 40],
  ])("not with %s", (_, here, now, octets) => {
    expect(() => buildOn(here, now, octets)).toThrow(BeginAgain);
  });

  test("not when nothing is known of it", () => {
    const partial = { octets: 40, document: undefined };
    expect(() => octetsToBuildOn(partial, document, "none")).toThrow(BeginAgain);
  });

  test("not when the text is converted", () => {
    const partial = { octets: 40, document };
    expect(() => octetsToBuildOn(partial, document, "ascii")).toThrow(BeginAgain);
  });
});

test.each<[claim: string, now: object, isBuiltOn: boolean]>([
  ["is longer", { size: 101 }, true],
  ["is longer and newer", { size: 101, modified: new Date(modified.getTime() + 1000) }, true],
  ["is longer and older", { size: 101, modified: new Date(modified.getTime() - 1000) }, false],
  ["is shorter", { size: 99 }, false],
  ["has no time", { size: 101, modified: undefined }, false],
])("a document that may have grown, and %s: %j", (_claim, now, isBuiltOn) => {
  const partial = { octets: 40, document };
  const build = () => octetsToBuildOn(partial, { ...document, ...now }, "none", true);
  if (isBuiltOn) expect(build()).toBe(40);
  else expect(build).toThrow(BeginAgain);
});

describe("a plain file is built on by its size", () => {
  const build = (octets: number, size: number | undefined): number =>
    octetsToBuildOn(
      { octets, document: undefined, inPlace: { path: "x", size: octets, mtime: modified } },
      { ...document, size },
      "none",
    );

  test("shorter", () => expect(build(40, 100)).toBe(40));
  test("as long", () => expect(build(100, 100)).toBe(100));
  test("not where the length isn't known", () => {
    expect(() => build(40, undefined)).toThrow(BeginAgain);
  });
  test("longer is an error that names both", () => {
    expect(() => build(101, 100)).toThrow("the file here has 101 octets, the server's 100");
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { bareEntry, entryUrl } from "../../src/listing/entry.ts";
import { directoryUrl } from "../../src/url/format.ts";
import { parseFtpUrl } from "../../src/url/ftp-url.ts";
import { planOf } from "../../src/url/plan.ts";

test.each([
  ["ftp://h", "ftp://h/"],
  ["ftp://h/a;type=a", "ftp://h/a/"],
  ["ftp://h/a/b;type=d#part", "ftp://h/a/b/"],
])("the directory of %s is %s", (text, expected) => {
  const url = parseFtpUrl(text);
  expect(directoryUrl(url, planOf(url))).toBe(expected);
});

test("any name of a listing is read back as its own octets, and nothing else", () => {
  const octet = fc.integer({ min: 1, max: 255 }).filter((code) => code !== 10 && code !== 13);
  const special = fc.constantFrom(";type=d", ";", "%2F", "#", "?", "/", ":", " ", "*", "://u@");
  const piece = fc.oneof(
    octet.map((code) => String.fromCharCode(code)),
    special,
  );
  const names = fc.array(piece, { minLength: 1 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(names, fc.constantFrom("file", "directory"), (name, type) => {
      const entry = bareEntry("line", name, type);
      const url = parseFtpUrl(entryUrl("ftp://h/pub/", entry) ?? "");
      const isFile = type === "file";
      expect(url.warnings).toEqual([]);
      expect(planOf(url)).toMatchObject({
        cwds: isFile ? ["pub"] : ["pub", name],
        name: isFile ? name : "",
        action: isFile ? "retrieve-or-list" : "list",
      });
    }),
  );
});

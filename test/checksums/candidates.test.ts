import { describe, expect, test } from "vitest";
import { candidates, checksumFile, ChecksumFiles } from "../../src/checksums/candidates.ts";

describe("the names to ask for", () => {
  const asked = candidates("x.gz");

  test("are the document's own before lists, for each algorithm, the strongest first", () => {
    const known = (
      "x.gz.sha512 x.gz.sha512sum SHA512SUMS sha512sum.txt " +
      "x.gz.sha256 x.gz.sha256sum SHA256SUMS SHA256SUMS.asc sha256sums.asc " +
      "x.gz.sha1 x.gz.sha1sum SHA1SUMS SHA1SUMS.txt sha1sum.txt " +
      "x.gz.md5 x.gz.md5sum MD5SUMS md5sum.txt md5sum.txt.asc " +
      "md5checksums.txt md5checksums.txt.asc CHECKSUMS CHECKSUMS.asc CHECKSUM checksums.txt"
    ).split(" ");
    expect(asked.filter((name) => known.includes(name))).toEqual(known);
  });

  test("are different ones, and fit into one write", () => {
    expect(new Set(asked).size).toBe(asked.length);
    const commands = candidates("n".repeat(255)).map((name) => `SIZE ${name}\r\n`);
    expect(commands.length).toBeLessThan(50);
    expect(commands.join("").length).toBeLessThan(8192);
  });

  test("don't have the document itself", () => {
    expect(candidates("SHA256SUMS")).not.toContain("SHA256SUMS");
    expect(candidates("SHA256SUMS")).toContain("SHA256SUMS.sha256");
  });
});

describe("in a listing", () => {
  test.each([
    [["x.gz", "y.gz", "README"], []],
    [
      ["MD5SUMS", "x.gz.md5", "SHA256SUMS", "x.gz.sha256", "x.gz"],
      ["x.gz.sha256", "SHA256SUMS", "x.gz.md5", "MD5SUMS"],
    ],
    [
      ["CHECKSUMS", "md5checksums.txt", "SHA1SUMS.TXT"],
      ["SHA1SUMS.TXT", "md5checksums.txt", "CHECKSUMS"],
    ],
    [
      ["x.gz.MD5", "x.gz.SHA256SUM"],
      ["x.gz.SHA256SUM", "x.gz.MD5"],
    ],
    [
      ["sha256sums", "SHA256SUMS"],
      ["SHA256SUMS", "sha256sums"],
    ],
    [["sha256sums.asc"], ["sha256sums.asc"]],
    [["MD5SUM.TXT", "Checksums.md"], ["MD5SUM.TXT"]],
    [["X.GZ.md5", "y.gz.md5", "x.gz.md5.old", "xmd5sums"], []],
  ])("of %j, the best first: %j", (listing, expected) => {
    expect(filesFor("x.gz", listing)).toEqual(expected);
  });

  test("a document isn't its own list", () => {
    expect(filesFor("MD5SUMS", ["MD5SUMS", "MD5SUMS.md5"])).toEqual(["MD5SUMS.md5"]);
  });
});

test("those for all documents are the lists, the best first", () => {
  const files = new ChecksumFiles();
  for (const name of ["CHECKSUMS", "x.md5", "MD5SUMS", "SHA256SUMS", "y"]) files.note(name);
  expect(files.lists.map(({ name }) => name)).toEqual(["SHA256SUMS", "MD5SUMS", "CHECKSUMS"]);
});

function filesFor(document: string, listing: readonly string[]): string[] {
  const files = new ChecksumFiles();
  for (const name of [...listing, ...listing]) files.note(name);
  return files.of(document).map(({ name }) => name);
}

test.each([
  ["x.gz.sha256", "x.gz", "sha256"],
  ["x.gz.MD5SUM", "x.gz", "md5"],
  ["SHA512SUMS.asc", undefined, "sha512"],
  ["md5checksums.txt", undefined, "md5"],
  ["CHECKSUMS", undefined, undefined],
  ["SHA256SUMS.md5", "SHA256SUMS", "md5"],
  ["a\nb.md5", "a\nb", "md5"],
])("%s is for %s, by %s", (name, document, algorithm) => {
  expect(checksumFile(name)).toMatchObject({ name, document, algorithm });
});

test.each(["x.gz", "x.md5.old", "SHA256SUMS.gpg", "xSHA256SUMS", ".sha256", "md5", "x.crc32"])(
  "%s is none of checksums",
  (name) => {
    expect(checksumFile(name)).toBeUndefined();
  },
);

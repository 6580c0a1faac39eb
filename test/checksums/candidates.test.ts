import { describe, expect, test } from "vitest";
import { candidates, candidatesIn } from "../../src/checksums/candidates.ts";

describe("the names to ask for", () => {
  const asked = candidates("x.gz");

  test("are the document's own before lists, for each algorithm, the strongest first", () => {
    const known = (
      "x.gz.sha512 x.gz.sha512sum SHA512SUMS sha512sum.txt " +
      "x.gz.sha256 x.gz.sha256sum SHA256SUMS SHA256SUMS.asc sha256sums.asc " +
      "x.gz.sha1 x.gz.sha1sum SHA1SUMS SHA1SUMS.txt sha1sum.txt " +
      "x.gz.md5 x.gz.md5sum MD5SUMS md5sum.txt md5sum.txt.asc " +
      "md5checksums.txt CHECKSUMS CHECKSUMS.asc CHECKSUM checksums.txt"
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
    expect(candidatesIn("x.gz", new Set(listing))).toEqual(expected);
  });

  test("a document isn't its own list", () => {
    expect(candidatesIn("MD5SUMS", new Set(["MD5SUMS", "MD5SUMS.md5"]))).toEqual(["MD5SUMS.md5"]);
  });
});

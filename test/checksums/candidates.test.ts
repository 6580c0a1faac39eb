import { describe, expect, test } from "vitest";
import { candidates, checksumFile } from "../../src/checksums/candidates.ts";

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

  test("have the algorithm in capitals, too, behind the document's own name", () => {
    const inCapitals = asked.filter((name) => /\.[A-Z0-9]+$/.test(name));
    expect(inCapitals).toEqual(["x.gz.SHA512", "x.gz.SHA256", "x.gz.SHA1", "x.gz.MD5"]);
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

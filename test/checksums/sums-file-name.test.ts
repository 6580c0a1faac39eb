import { expect, test } from "vitest";
import { byRank, sumsFileName } from "../../src/checksums/sums-file-name.ts";

test("sums files count by algorithm, the strongest first, and a file's own before lists", () => {
  const order = (
    "x.gz.sha512sum x.gz.sha512 SHA512SUMS sha512sum.txt x.gz.sha256sum x.gz.sha256 SHA256SUMS.asc sha256sums.asc " +
    "SHA256SUMS x.gz.sha1sum x.gz.sha1 SHA1SUMS sha1sum.txt x.gz.md5 MD5SUMS md5sum.txt md5checksums.txt " +
    "CHECKSUMS.asc CHECKSUMS CHECKSUM"
  ).split(" ");
  const files = order.toReversed().map((name) => sumsFileName(name)!);
  expect(files.toSorted(byRank).map(({ name }) => name)).toEqual(order);
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
  expect(sumsFileName(name)).toMatchObject({ name, document, algorithm });
});

test.each(["x.gz", "x.md5.old", "SHA256SUMS.gpg", "xSHA256SUMS", ".sha256", "md5", "x.crc32"])(
  "%s is none of checksums",
  (name) => {
    expect(sumsFileName(name)).toBeUndefined();
  },
);

/** Which files of a directory have checksums, and in which order they count. */
import { expect, test } from "vitest";
import { ChecksumDirectory } from "../../../src/documents/verify/checksum-directory.ts";
import { parseFtpUrl } from "../../../src/url/ftp-url.ts";

const observer = { warning() {}, info() {} } as never;

test.each<[listing: string[], own: string[], lists: string[]]>([
  [["x.gz", "y.gz", "README"], [], []],
  [
    ["MD5SUMS", "x.gz.md5", "SHA256SUMS", "x.gz.sha256", "x.gz"],
    ["x.gz.sha256", "x.gz.md5"],
    ["SHA256SUMS", "MD5SUMS"],
  ],
  [
    ["CHECKSUMS", "md5checksums.txt", "SHA1SUMS.TXT"],
    [],
    ["SHA1SUMS.TXT", "md5checksums.txt", "CHECKSUMS"],
  ],
  [["x.gz.MD5", "x.gz.SHA256SUM"], ["x.gz.SHA256SUM", "x.gz.MD5"], []],
  [["sha256sums", "SHA256SUMS"], [], ["SHA256SUMS", "sha256sums"]],
  [["sha256sums.asc"], [], ["sha256sums.asc"]],
  [["MD5SUM.TXT", "Checksums.md"], [], ["MD5SUM.TXT"]],
  [["X.GZ.md5", "y.gz.md5", "x.gz.md5.old", "xmd5sums"], [], []],
])("of %j, x.gz has %j for itself and %j with others, the best first", (listing, own, lists) => {
  const directory = new ChecksumDirectory(parseFtpUrl("ftp://h/d/"), ["d"], observer);
  for (const name of [...listing, ...listing])
    directory.note({ name, type: "file", size: undefined });
  const namesFor = (document?: string) => directory.sumsFor(document).map(({ file }) => file.name);
  expect([namesFor("x.gz"), namesFor()]).toEqual([own, lists]);
});

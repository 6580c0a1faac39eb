/** Which files of a directory have checksums, and in which order they count. */
import { expect, test } from "vitest";
import { ChecksumDirectory } from "../../../src/documents/verify/checksum-directory.ts";
import { parseFtpUrl } from "../../../src/url/ftp-url.ts";
import { openSession } from "../../support/open-session.ts";
import { startServer } from "../../support/start-server.ts";

const observer = { warning() {}, info() {}, detail() {} } as never;

const directoryAt = (url: string, cwds: string[] = []) =>
  new ChecksumDirectory({ url: parseFtpUrl(url), cwds, observer, isInTree: true });

test.each<[listing: string[], own: string[], lists: string[]]>([
  [
    ["MD5SUMS", "x.gz.md5", "SHA256SUMS", "x.gz.sha256", "x.gz"],
    ["x.gz.sha256", "x.gz.md5"],
    ["SHA256SUMS", "MD5SUMS"],
  ],
  [["x.gz.MD5", "x.gz.SHA256SUM"], ["x.gz.SHA256SUM", "x.gz.MD5"], []],
  [["X.GZ.md5", "y.gz.md5", "x.gz.md5.old", "xmd5sums"], [], []],
])("of %j, x.gz has %j for itself and %j with others, the best first", (listing, own, lists) => {
  const directory = directoryAt("ftp://h/d/", ["d"]);
  for (const name of [...listing, ...listing]) directory.note({ name, type: "file" });
  const namesFor = (document?: string) => directory.sumsFor(document).map(({ file }) => file.name);
  expect([namesFor("x.gz"), namesFor()]).toEqual([own, lists]);
});

test("a document's own sums file takes no memory behind the search: another one reads it again", async () => {
  const name = "x.gz";
  const sums = `${"1".repeat(32)}  ${name}\n`;
  const server = await startServer({ files: { [name]: "1", MD5SUMS: sums, "x.gz.md5": sums } });
  const session = await openSession(server.port);
  const directory = directoryAt(server.url("/"));
  for (const listed of ["MD5SUMS", "x.gz.md5"]) directory.note({ name: listed, type: "file" });
  const plan = { cwds: [], name, action: "retrieve", type: "I", conversion: "none" } as const;
  const located = await session.locate(plan);
  for (const _search of [1, 2]) await directory.find(session, plan, located);
  expect(server.sent("RETR")).toEqual(["RETR x.gz.md5", "RETR x.gz.md5"]);
});

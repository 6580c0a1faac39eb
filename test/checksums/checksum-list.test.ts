import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  checksumsFor,
  parseChecksumList,
  readChecksumList,
} from "../../src/checksums/checksum-list.ts";
import { parseChecksum } from "../../src/checksums/checksum.ts";

const md5 = "d41d8cd98f00b204e9800998ecf8427e";
const sha1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
const sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const sha512 = sha256 + sha256;

describe("a line of a list", () => {
  test.each([
    ["md5sum's form", `${md5}  a.txt`, "md5", md5, "a.txt"],
    ["sha1sum's form", `${sha1}  a.txt`, "sha1", sha1, "a.txt"],
    ["sha256sum's form", `${sha256}  a.txt`, "sha256", sha256, "a.txt"],
    ["sha512sum's form", `${sha512}  a.txt`, "sha512", sha512, "a.txt"],
    ["a binary file", `${md5} *a.txt`, "md5", md5, "a.txt"],
    ["one space", `${md5} a.txt`, "md5", md5, "a.txt"],
    ["a tab", `${md5}\ta.txt`, "md5", md5, "a.txt"],
    ["capital digits", `${md5.toUpperCase()}  a.txt`, "md5", md5, "a.txt"],
    ["a name with spaces", `${md5}  a  b .txt`, "md5", md5, "a  b .txt"],
    ["a name that begins with a space", `${md5}   a`, "md5", md5, " a"],
    ["a name that begins with an asterisk", `${md5}  *a`, "md5", md5, "*a"],
    ["a name in another script", `${md5}  Grüße`, "md5", md5, "Grüße"],
    ["the present directory", `${md5}  ./a.txt`, "md5", md5, "a.txt"],
    ["a directory", `${md5}  pub/a.txt`, "md5", md5, "pub/a.txt"],
    ["escapes", `\\${md5}  a\\\\b\\nc\\rd`, "md5", md5, "a\\b\nc\rd"],
    ["backslashes without escapes", `${md5}  a\\\\b\\n`, "md5", md5, "a\\\\b\\n"],
    ["a BSD's md5", `MD5 (a.txt) = ${md5}`, "md5", md5, "a.txt"],
    ["a BSD's sha1", `SHA1 (a.txt) = ${sha1}`, "sha1", sha1, "a.txt"],
    ["a BSD's sha256", `SHA256 (a.txt) = ${sha256}`, "sha256", sha256, "a.txt"],
    ["a BSD's sha512", `SHA512 (a.txt) = ${sha512}`, "sha512", sha512, "a.txt"],
    ["parentheses in a name", `MD5 (a (1) = b) = ${md5}`, "md5", md5, "a (1) = b"],
    ["escapes in a BSD's form", `\\MD5 (a\\\\b) = ${md5}`, "md5", md5, "a\\b"],
    ["OpenSSL's form", `SHA256(a.txt)= ${sha256}`, "sha256", sha256, "a.txt"],
    ["OpenSSL 3's form", `SHA2-256(a.txt)= ${sha256}`, "sha256", sha256, "a.txt"],
    ["CRLF", `${md5}  a.txt\r`, "md5", md5, "a.txt"],
  ])("is read: %s", (_claim, line, algorithm, hex, name) => {
    const list = { checksums: [{ algorithm, hex, name }], strangeLines: [] };
    expect(parseChecksumList(`${line}\n`)).toEqual(list);
    expect(parseChecksumList(line)).toEqual(list);
  });

  test.each(["", "   ", "# a comment", "  # another", "\uFEFF"])("says nothing: %j", (line) => {
    expect(parseChecksumList(line)).toEqual({ checksums: [], strangeLines: [] });
  });

  test.each([
    ["digits alone", md5],
    ["a name alone", "a.txt"],
    ["too few digits", `${md5.slice(1)}  a.txt`],
    ["sha384, which isn't known", `${sha256}${md5}  a.txt`],
    ["a BSD's algorithm that isn't known", `SHA384 (a.txt) = ${sha256}${md5}`],
    ["a cut sha512", `SHA512/256 (a.txt) = ${sha256}`],
    ["digits that don't fit the algorithm", `SHA256 (a.txt) = ${md5}`],
    ["no name", `${md5}  `],
    ["a signature's frame", "-----BEGIN PGP SIGNED MESSAGE-----"],
    ["a property of every object", `toString (a) = ${md5}`],
  ])("is strange: %s", (_claim, line) => {
    expect(parseChecksumList(`\n${line}\n`)).toEqual({ checksums: [], strangeLines: [2] });
  });
});

describe("the checksums of a name", () => {
  const { checksums } = parseChecksumList(
    `${md5}  a\n${sha256}  a\n${md5}  x/b\n${sha1}  x/b\n${md5}  y/c\n${sha1}  z/c\n` +
      `${md5}  x/a\n${md5}  d.txt\n`,
  );

  test.each([
    ["a", [md5, sha256], "all under this very name"],
    ["b", [md5, sha1], "all under the one path that ends in it"],
    ["c", [], "none of two paths"],
    ["d", [], "none of a longer name"],
    ["d.txt", [md5], "of a name with a suffix"],
    ["txt", [], "none of a suffix"],
    ["e", [], "none that is missing"],
  ])("%s: %j, %s", (name, expected) => {
    expect(checksumsFor(name, checksums).map(({ hex }) => hex)).toEqual(expected);
  });
});

describe("a list in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "ftpull-checksums-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "SUMS");

  test("is read, with a byte order mark too", async () => {
    writeFileSync(file, `\uFEFF${md5}  a\n`);
    const { checksums } = await readChecksumList(file);
    expect(checksums).toEqual([{ algorithm: "md5", hex: md5, name: "a" }]);
  });

  test("that can't be read is a failure of the file", async () => {
    const path = join(folder, "none");
    const message = `cannot read "${path}": no such file or directory`;
    await expect(readChecksumList(path)).rejects.toMatchObject({ kind: "file", message });
  });

  test("without a checksum isn't understood", async () => {
    writeFileSync(file, "# nothing\n");
    await expect(readChecksumList(file)).rejects.toMatchObject({
      kind: "usage",
      message: `there is no checksum in "${file}"`,
      hint: "a line is the hex digits, two spaces and the name, as sha256sum writes it",
    });
  });
});

test.each([
  [`md5:${md5}`, { algorithm: "md5", hex: md5 }],
  [`SHA1:${sha1.toUpperCase()}`, { algorithm: "sha1", hex: sha1 }],
  [`sha256:${sha256}`, { algorithm: "sha256", hex: sha256 }],
  [`sha512:${sha512}`, { algorithm: "sha512", hex: sha512 }],
  [`sha1:${md5}`, undefined],
  [`sha384:${sha256}${md5}`, undefined],
  [`md5:${md5}0`, undefined],
  [`md5:${md5.replace("d", "g")}`, undefined],
  [`md5: ${md5}`, undefined],
  [`md5:${md5}\n`, undefined],
  [md5, undefined],
  [`:${md5}`, undefined],
  [`toString:${md5}`, undefined],
  ["", undefined],
])("the argument %j is %j", (text, checksum) => {
  expect(parseChecksum(text)).toEqual(checksum);
});

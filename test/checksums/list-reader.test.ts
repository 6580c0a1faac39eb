/** The forms of lists, as the programs write them and archives publish them. */
import { describe, expect, test } from "vitest";
import { ChecksumList } from "../../src/checksums/checksum-list.ts";

const md5 = "d41d8cd98f00b204e9800998ecf8427e";
const sha1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
const sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const sha512 = sha256 + sha256;

/** Reads a list in pieces of so many octets; returns "algorithm value path" of each path. */
function read(text: string, { name = "SUMS", size = 65536 } = {}): string[] {
  const list = new ChecksumList(name, name);
  for (let at = 0; at < text.length; at += size)
    list.read(Buffer.from(text.slice(at, at + size), "latin1"));
  try {
    list.end();
  } catch (error) {
    expect(error).toMatchObject({ message: `there is no checksum in ${name}` });
  }
  return [...list.paths()].flatMap((path) =>
    list.at(path).map(({ algorithm, value }) => `${algorithm} ${value} ${path}`),
  );
}

describe("a line of a list", () => {
  test.each([
    ["md5sum's form", `${md5}  a.txt`, "md5", md5, "a.txt"],
    ["sha256sum's form", `${sha256}  a.txt`, "sha256", sha256, "a.txt"],
    ["sha512sum's form", `${sha512}  a.txt`, "sha512", sha512, "a.txt"],
    ["a binary file", `${md5} *a.txt`, "md5", md5, "a.txt"],
    ["one space", `${md5} a.txt`, "md5", md5, "a.txt"],
    ["a tab", `${md5}\ta.txt`, "md5", md5, "a.txt"],
    ["a name with spaces", `${md5}  a  b .txt`, "md5", md5, "a  b .txt"],
    ["a name that begins with a space", `${md5}   a`, "md5", md5, " a"],
    ["a name that begins with an asterisk", `${md5}  *a`, "md5", md5, "*a"],
    ["NCBI", `${md5}  ./GCF_000001405.40.fna.gz`, "md5", md5, "GCF_000001405.40.fna.gz"],
    ["a directory", `${md5}  pub/a.txt`, "md5", md5, "pub/a.txt"],
    ["escapes", `\\${md5}  a\\\\b\\nc\\rd`, "md5", md5, "a\\b\nc\rd"],
    ["NASA's paths, with blanks", `${md5}  \\DATA\\A 1.IMG     `, "md5", md5, "/DATA/A 1.IMG"],
    ["Windows' drives", `${md5} *C:\\out\\a.zip`, "md5", md5, "C:/out/a.zip"],
    ["backslashes beside slashes", `${md5}  a\\b/c `, "md5", md5, "a\\b/c "],
    ["OpenBSD's sha256", `SHA256 (install76.iso) = ${sha256}`, "sha256", sha256, "install76.iso"],
    ["parentheses in a name", `MD5 (a (1) = b) = ${md5}`, "md5", md5, "a (1) = b"],
    ["blanks behind a BSD's digits", `MD5 (a.txt) = ${md5}  `, "md5", md5, "a.txt"],
    ["PubMed's form, OpenSSL's", `MD5(pubmed24n1.xml.gz)= ${md5}`, "md5", md5, "pubmed24n1.xml.gz"],
    ["OpenSSL 3's form", `SHA2-256(a.txt)= ${sha256}`, "sha256", sha256, "a.txt"],
    ["sum's form", "08288     1 a.txt", "sum", "08288 1", "a.txt"],
    ["sum's form in columns", "08288     01   a.txt", "sum", "08288 1", "a.txt"],
    ["CRLF", `${md5}  a.txt\r`, "md5", md5, "a.txt"],
  ])("is read, in pieces of any size: %s", (_claim, line, algorithm, value, path) => {
    const expected = `${algorithm} ${value} ${path}`;
    for (const size of [1, 2, 3, 7, 31, 32, 33, 65536])
      expect(read(`\xEF\xBB\xBF${line}\n`, { size })).toEqual([expected]);
    const other = `${md5}  other`;
    expect(read(`${other}\n# between\n\n${line}`)).toContain(expected);
  });

  test.each([
    ["a comment", `# ${md5}  a`],
    ["digits alone", md5],
    ["too few digits", `${md5.slice(1)}  a.txt`],
    ["too many digits", `${md5}0  a.txt`],
    ["a cut sha512", `SHA512/256 (a.txt) = ${sha256}`],
    ["another algorithm of the same length", `BLAKE2s (a.txt) = ${sha256}`],
    ["one with a key", `HMAC-SHA256(a.txt)= ${sha256}`],
    ["digits that don't fit the algorithm", `SHA256 (a.txt) = ${md5}`],
    ["no name", `${md5}  `],
    ["cksum's form", "1112837078 4 a.txt"],
    ["a table's row", `a.gz\t${md5}`],
    ["standard input", `${md5}  -`],
    ["System V's sum", "304 1 a.txt"],
    ["a property of every object", `toString (a) = ${md5}`],
    ["a byte order mark in a later line", `\xEF\xBB\xBF${md5}  a`],
  ])("is no checksum: %s", (_claim, line) => {
    expect(read(`\n${line}\n`)).toEqual([]);
  });
});

test.each([
  ["x.gz.sha256", sha256, [`sha256 ${sha256} x.gz`]],
  ["x.gz.MD5", `  ${md5.toUpperCase()} \n`, [`md5 ${md5} x.gz`]],
  ["x.gz.sha1sum", `${sha1}\n`, [`sha1 ${sha1} x.gz`]],
  ["x.gz.sha256", `${sha256}  -\n`, [`sha256 ${sha256} x.gz`]],
  ["x.gz.sha256", `SHA2-256(stdin)= ${sha256}\n`, [`sha256 ${sha256} x.gz`]],
  ["x.gz.sha256", `${sha256}  y.gz\n`, [`sha256 ${sha256} y.gz`]],
  ["x.gz.sha256", md5, []],
  ["x.gz.md5", `${md5.slice(1)}\n`, []],
  ["x.gz.asc", md5, []],
  [".md5", md5, []],
])("a list that is named for its document, %s: %j has %j", (name, text, expected) => {
  expect(read(text, { name })).toEqual(expected);
});

describe("OpenPGP's armour", () => {
  const signature = [
    "-----BEGIN PGP SIGNATURE-----",
    "Comment: not a checksum",
    "",
    "iQIzBAEBCAAdFiEEcOaqBGh6PpCBCMbnIrgNCq50u7AFAl9QHhUACgkQIrgNCq50",
    "=7zJe",
    "-----END PGP SIGNATURE-----",
  ];

  test("around kernel.org's lists is passed over in silence", () => {
    const text = [
      "-----BEGIN PGP SIGNED MESSAGE-----",
      "Hash: SHA256",
      "",
      `${sha256}  linux-6.1.1.tar.gz`,
      `${sha256}  linux-6.1.1.tar.xz`,
      ...signature,
      `${md5}  behind`,
    ].join("\r\n");
    const found = [
      `sha256 ${sha256} linux-6.1.1.tar.gz`,
      `sha256 ${sha256} linux-6.1.1.tar.xz`,
      `md5 ${md5} behind`,
    ];
    expect(read(text)).toEqual(found);
  });

  test("ends its headers with a line of blanks, and begins where a line begins", () => {
    const begin = "-----BEGIN PGP SIGNED MESSAGE-----";
    expect(read(`${begin} \nHash: X\n \t\n${md5}  a\n`)).toHaveLength(1);
    expect(read(`x ${begin}\n${md5}  a\n`)).toHaveLength(1);
    expect(read(`${begin}x\n${md5}  a\n`)).toHaveLength(1);
  });
});

describe("a hostile list", () => {
  const million = 1_000_000;
  test.each([
    ["digits", "a".repeat(million)],
    ["spaces behind a BSD's digits", `MD5 (a) = ${md5}${" ".repeat(million)}x`],
    ["parentheses", `MD5 ${"(".repeat(million / 2)}${")".repeat(million / 2)}`],
    ["digits and spaces", `${"a ".repeat(million / 2)}x`],
    ["dots", "./".repeat(million / 2)],
    ["armour", `-----BEGIN PGP ${"A ".repeat(million / 2)}`],
  ])("takes time in proportion to it, and is read on behind: %s", (_claim, text) => {
    expect(read(`${text}\n${md5}  b\n`)).toContain(`md5 ${md5} b`);
  });

  test("with a line of more than 16 KiB doesn't guess at it", () => {
    const name = "n".repeat(16 * 1024);
    expect(read(`${md5}  ${name}\n`)).toEqual([]);
    expect(read(`${md5}  ${name.slice(34)}\n`)).toHaveLength(1);
  });
});

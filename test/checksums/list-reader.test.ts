/** The forms of lists, as the programs write them and archives publish them. */
import { describe, expect, test } from "vitest";
import { ListReader } from "../../src/checksums/list-reader.ts";

const md5 = "d41d8cd98f00b204e9800998ecf8427e";
const sha1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
const sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const sha512 = sha256 + sha256;

const abc = {
  md5: "0bee89b07a248e27c83fc3d5951213c1",
  sha1: "03cfd743661f07975fa2f1220c5194cbaff48451",
  sha256: "edeaaff3f1774ad2888673770c6d64097e391bc362d7d6fb34982ddf0efd18cb",
  sha512:
    "4f285d0c0cc77286d8731798b7aae2639e28270d4166f40d769cbbdca5230714" +
    "d848483d364e2f39fe6cb9083c15229b39a33615ebc6d57605f7c43f6906739d",
};

interface Read {
  /** "algorithm value path", in order. */
  readonly found: string[];
  readonly strange: { readonly first: number; readonly count: number };
}

/** Reads a list in pieces of so many characters. */
function read(text: string, { name = "SUMS", size = 65536 } = {}): Read {
  const found: string[] = [];
  const reader = new ListReader(name, ({ algorithm, value, path }) =>
    found.push(`${algorithm} ${value} ${path}`),
  );
  for (let at = 0; at < text.length; at += size) reader.read(text.slice(at, at + size));
  reader.end();
  return { found, strange: reader.strange };
}

const none = { first: 0, count: 0 };

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
    ["a name that ends with a colon", `${md5}  a:`, "md5", md5, "a:"],
    ["a name of hex digits", `${md5}  cafe`, "md5", md5, "cafe"],
    ["a name in another script", `${md5}  Grüße`, "md5", md5, "Grüße"],
    ["NCBI", `${md5}  ./GCF_000001405.40.fna.gz`, "md5", md5, "GCF_000001405.40.fna.gz"],
    ["a directory", `${md5}  pub/a.txt`, "md5", md5, "pub/a.txt"],
    ["an absolute path", `${md5}  /build/out/a.txt`, "md5", md5, "/build/out/a.txt"],
    ["a directory above", `${md5}  ../../a.txt`, "md5", md5, "../../a.txt"],
    ["escapes", `\\${md5}  a\\\\b\\nc\\rd`, "md5", md5, "a\\b\nc\rd"],
    ["an unknown escape", `\\${md5}  a\\tb`, "md5", md5, "a\\tb"],
    ["NASA's paths, with blanks", `${md5}  \\DATA\\A 1.IMG     `, "md5", md5, "/DATA/A 1.IMG"],
    ["Windows' drives", `${md5} *C:\\out\\a.zip`, "md5", md5, "C:/out/a.zip"],
    ["backslashes beside slashes", `${md5}  a\\b/c `, "md5", md5, "a\\b/c "],
    ["control characters in a name", `${md5}  \x1b[31ma\x07\0`, "md5", md5, "\x1b[31ma\x07\0"],
    ["a BSD's md5", `MD5 (a.txt) = ${md5}`, "md5", md5, "a.txt"],
    ["a BSD's sha1", `SHA1 (a.txt) = ${sha1}`, "sha1", sha1, "a.txt"],
    ["OpenBSD's sha256", `SHA256 (install76.iso) = ${sha256}`, "sha256", sha256, "install76.iso"],
    ["a BSD's sha512", `SHA512 (a.txt) = ${sha512}`, "sha512", sha512, "a.txt"],
    ["parentheses in a name", `MD5 (a (1) = b) = ${md5}`, "md5", md5, "a (1) = b"],
    ["blanks behind a BSD's digits", `MD5 (a.txt) = ${md5}  `, "md5", md5, "a.txt"],
    ["a BSD's form without blanks", `MD5(a.txt)=${md5}`, "md5", md5, "a.txt"],
    ["escapes in a BSD's form", `\\MD5 (a\\\\b) = ${md5}`, "md5", md5, "a\\b"],
    ["PubMed's form, OpenSSL's", `MD5(pubmed24n1.xml.gz)= ${md5}`, "md5", md5, "pubmed24n1.xml.gz"],
    ["OpenSSL 3's form", `SHA2-256(a.txt)= ${sha256}`, "sha256", sha256, "a.txt"],
    ["sum's form", "08288     1 a.txt", "sum", "08288 1", "a.txt"],
    [
      "Ensembl's form",
      "34461 64450 Homo_sapiens.GRCh38.cdna.all.fa.gz",
      "sum",
      "34461 64450",
      "Homo_sapiens.GRCh38.cdna.all.fa.gz",
    ],
    ["sum's form of a name with spaces", "08288     1 a  b.txt", "sum", "08288 1", "a  b.txt"],
    ["sum's form in columns", "08288     01   a.txt", "sum", "08288 1", "a.txt"],
    ["the largest sum", "65535 1 a.txt", "sum", "65535 1", "a.txt"],
    ["a small sum of cksum's", "0000065536 1 a.txt", "cksum", "65536 1", "a.txt"],
    ["cksum's form", "1112837078 4 a.txt", "cksum", "1112837078 4", "a.txt"],
    ["cksum's, a big file", "4294967295 5000000000 a b", "cksum", "4294967295 5000000000", "a b"],
    ["gpg's md5", "a.gz: 0B EE 89 B0 7A 24 8E 27  C8 3F C3 D5 95 12 13 C1", "md5", abc.md5, "a.gz"],
    ["gpg's sha1", "a: 03CF D743 661F 0797 5FA2  F122 0C51 94CB AFF4 8451", "sha1", abc.sha1, "a"],
    [
      "gpg's sha256, in two lines",
      "a.gz: EDEAAFF3 F1774AD2 88867377 0C6D6409 7E391BC3 62D7D6FB 34982DDF\n      0EFD18CB",
      "sha256",
      abc.sha256,
      "a.gz",
    ],
    [
      "gpg's sha512, in three lines",
      "tool.tar.gz: 4F285D0C 0CC77286 D8731798 B7AAE263 9E28270D 4166F40D 769CBBDC\n" +
        "             A5230714 D848483D 364E2F39 FE6CB908 3C15229B 39A33615 EBC6D576\n" +
        "             05F7C43F 6906739D",
      "sha512",
      abc.sha512,
      "tool.tar.gz",
    ],
    [
      "gpg's sha512 of a long name, below it",
      "a long: name.tar.gz: \n" +
        "4F285D0C 0CC77286 D8731798 B7AAE263 9E28270D 4166F40D 769CBBDC A5230714 D848483D\n" +
        " 364E2F39 FE6CB908 3C15229B 39A33615 EBC6D576 05F7C43F 6906739D",
      "sha512",
      abc.sha512,
      "a long: name.tar.gz",
    ],
    [
      "gpg's md5 below a name of hex digits",
      `x-${md5}: \n0B EE 89 B0 7A 24 8E 27  C8 3F C3 D5 95 12 13 C1`,
      "md5",
      abc.md5,
      `x-${md5}`,
    ],
    ["digits in six lines", `a:\n${abc.sha1.match(/.{8}/g)?.join("\n ")}`, "sha1", abc.sha1, "a"],
    ["an algorithm behind a colon", `a.gz:SHA-256 = ${sha256}`, "sha256", sha256, "a.gz"],
    ["digits behind a colon", `a.gz: ${sha256}`, "sha256", sha256, "a.gz"],
    ["CRLF", `${md5}  a.txt\r`, "md5", md5, "a.txt"],
    ["CRLF in a BSD's form", `MD5 (a.txt) = ${md5}\r`, "md5", md5, "a.txt"],
    ["CRLF in sum's form", "08288     1 a.txt\r", "sum", "08288 1", "a.txt"],
  ])("is read, in pieces of any size: %s", (_claim, line, algorithm, value, path) => {
    const expected = {
      found: [`${algorithm} ${value} ${path}`],
      strange: none,
    };
    expect(read(`${line}\n`)).toEqual(expected);
    expect(read(line)).toEqual(expected);
    expect(read(`\xEF\xBB\xBF${line}\n`)).toEqual(expected);
    expect(read(`\u00EF\u00BB\u00BF${line}\n`)).toEqual(expected);
    for (const size of [1, 2, 3, 7, 31, 32, 33])
      expect(read(`${line}\n`, { size })).toEqual(expected);
    const twice = read(`${line}\n# between\n\n${line}\n`);
    expect(twice).toEqual({ ...expected, found: [...expected.found, ...expected.found] });
  });

  test.each(["", "   ", "# a comment", "  # another", `# ${md5}  a`, "\xEF\xBB\xBF"])(
    "says nothing: %j",
    (line) => {
      expect(read(line)).toEqual({ found: [], strange: none });
    },
  );

  test.each([
    ["digits alone", md5],
    ["a name alone", "a.txt"],
    ["words", "note: the file was added"],
    ["too few digits", `${md5.slice(1)}  a.txt`],
    ["too many digits", `${md5}0  a.txt`],
    ["sha224", `${sha1}${"0".repeat(16)}  a.txt`],
    ["sha384", `${sha256}${md5}  a.txt`],
    ["a BSD's sha384", `SHA384 (a.txt) = ${sha256}${md5}`],
    ["a cut sha512", `SHA512/256 (a.txt) = ${sha256}`],
    ["another algorithm of the same length", `BLAKE2s (a.txt) = ${sha256}`],
    ["one with a key", `HMAC-SHA256(a.txt)= ${sha256}`],
    ["digits that don't fit the algorithm", `SHA256 (a.txt) = ${md5}`],
    ["no name", `${md5}  `],
    ["a BSD's size", "SIZE (a.txt) = 12345"],
    ["a name behind nothing", ": dead beef"],
    ["standard input", `${md5}  -`],
    ["System V's sum", "304 1 a.txt"],
    ["a sum above 32 bits", "4294967296 1 a.txt"],
    ["a sum without a name", "08288     1"],
    ["a property of every object", `toString (a) = ${md5}`],
  ])("is strange: %s", (_claim, line) => {
    const strange = { first: 2, count: 1 };
    expect(read(`\n${line}\n`)).toEqual({ found: [], strange });
  });

  test("that is strange is counted from the first one on", () => {
    const { found, strange } = read(`${md5}  a\nx\n${md5}  b\ny\nz\n`);
    expect({ found, strange }).toEqual({
      found: [`md5 ${md5} a`, `md5 ${md5} b`],
      strange: { first: 2, count: 3 },
    });
  });
});

test("a list of cksum's has five digits rarely", () => {
  const { found } = read("1112837078 4 a\n12345 6 b\n99 7 c\n");
  expect(found).toEqual(["cksum 1112837078 4 a", "cksum 12345 6 b", "cksum 99 7 c"]);
});

test("gpg --print-mds names several algorithms, and those that aren't known", () => {
  const text = [
    "a.gz:    MD5 = 0B EE 89 B0 7A 24 8E 27  C8 3F C3 D5 95 12 13 C1",
    "a.gz:   SHA1 = 03CF D743 661F 0797 5FA2  F122 0C51 94CB AFF4 8451",
    "a.gz: RMD160 = 4646 DEEC 2F4A 13AB 7538  9610 121A 2B0E 1683 FEB4",
    "a.gz: SHA256 = EDEAAFF3 F1774AD2 88867377 0C6D6409 7E391BC3 62D7D6FB",
    "               34982DDF 0EFD18CB",
    "a.gz: SHA512 = 4F285D0C 0CC77286 D8731798 B7AAE263 9E28270D 4166F40D",
    "               769CBBDC A5230714 D848483D 364E2F39 FE6CB908 3C15229B",
    "               39A33615 EBC6D576 05F7C43F 6906739D",
    "",
  ].join("\n");
  expect(read(text)).toEqual({
    found: [
      `md5 ${abc.md5} a.gz`,
      `sha1 ${abc.sha1} a.gz`,
      `sha256 ${abc.sha256} a.gz`,
      `sha512 ${abc.sha512} a.gz`,
    ],
    strange: { first: 3, count: 1 },
  });
});

test("digits in seven lines are not joined", () => {
  const lines = `a:\n${abc.sha1.slice(4).match(/.{6}/g)?.join("\n ")}`;
  expect(read(lines)).toMatchObject({ found: [], strange: { first: 1, count: 2 } });
});

test("a byte order mark is read over in the first line alone", () => {
  expect(read(`\n\xEF\xBB\xBF${md5}  a\n`)).toMatchObject({
    found: [],
    strange: { first: 2, count: 1 },
  });
});

test("names that look like gpg's digits don't join lines", () => {
  const text = `${md5}  a:\n${md5}  cafe\n${md5}  beef\n`;
  expect(read(text).found).toEqual([`md5 ${md5} a:`, `md5 ${md5} cafe`, `md5 ${md5} beef`]);
});

test.each([
  ["x.gz.sha256", sha256, [`sha256 ${sha256} x.gz`]],
  ["x.gz.md5", `${md5}\r\n`, [`md5 ${md5} x.gz`]],
  ["x.gz.MD5", `  ${md5.toUpperCase()} \n`, [`md5 ${md5} x.gz`]],
  ["x.gz.sha1sum", `${sha1}\n`, [`sha1 ${sha1} x.gz`]],
  ["x.gz.SHA1SUMS", `${sha1}\n`, [`sha1 ${sha1} x.gz`]],
  ["x.gz.sha512", `${sha512}\n`, [`sha512 ${sha512} x.gz`]],
  ["x.gz.sha256", `${sha256}  -\n`, [`sha256 ${sha256} x.gz`]],
  ["x.gz.sha256", `SHA2-256(stdin)= ${sha256}\n`, [`sha256 ${sha256} x.gz`]],
  ["x.gz.sha256", `(stdin)= ${sha256}\n`, [`sha256 ${sha256} x.gz`]],
  ["x.gz.sha256", `${sha256}  y.gz\n`, [`sha256 ${sha256} y.gz`]],
  ["x.gz.md5", "0B EE 89 B0 7A 24 8E 27  C8 3F C3 D5 95 12 13 C1\n", [`md5 ${abc.md5} x.gz`]],
  [
    "x.gz.sha512",
    "4F285D0C 0CC77286 D8731798 B7AAE263 9E28270D 4166F40D 769CBBDC A5230714 D848483D\n" +
      " 364E2F39 FE6CB908 3C15229B 39A33615 EBC6D576 05F7C43F 6906739D\n",
    [`sha512 ${abc.sha512} x.gz`],
  ],
  ["x.gz.sha256", md5, []],
  ["x.gz.md5", `${md5.slice(1)}\n`, []],
  ["x.gz.asc", md5, []],
  ["md5", md5, []],
  [".md5", md5, []],
])("a list that is named for its document, %s: %j has %j", (name, text, expected) => {
  const { found, strange } = read(text, { name });
  expect(found).toEqual(expected);
  expect(strange.count).toBe(expected.length === 0 ? 1 : 0);
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
    expect(read(text)).toEqual({ found, strange: none });
  });

  test("ends its headers with a line of blanks, and begins where a line begins", () => {
    const begin = "-----BEGIN PGP SIGNED MESSAGE-----";
    expect(read(`${begin} \nHash: X\n \t\n${md5}  a\n`).found).toHaveLength(1);
    expect(read(`x ${begin}\n${md5}  a\n`).found).toHaveLength(1);
    expect(read(`${begin}x\n${md5}  a\n`).found).toHaveLength(1);
  });

  test("alone has no checksum", () => {
    expect(read(signature.join("\n"))).toEqual({
      found: [],
      strange: none,
    });
  });
});

describe("a table", () => {
  const fastq = "ftp.sra.ebi.ac.uk/vol1/fastq/ERR222/003/ERR2223563/ERR2223563";
  test.each([
    [
      "ENA's report, with two files in a cell",
      [
        "run_accession\tfastq_ftp\tfastq_md5\tfastq_bytes",
        `ERR2223563\t${fastq}_1.fastq.gz;${fastq}_2.fastq.gz\t${md5};${abc.md5}\t117;118`,
      ],
      [`md5 ${md5} ${fastq}_1.fastq.gz`, `md5 ${abc.md5} ${fastq}_2.fastq.gz`],
    ],
    [
      "ENA's report with its columns in another order, and of several kinds",
      [
        "submitted_md5\tfastq_md5\tsubmitted_ftp\tfastq_bytes\tfastq_ftp\tsample_name",
        `${md5}\t${abc.md5}\th/s.bam\t1\th/f.gz\tf.gz`,
        `\t${abc.md5}\t\t1\th/g.gz\tx`,
      ],
      [`md5 ${md5} h/s.bam`, `md5 ${abc.md5} h/f.gz`, `md5 ${abc.md5} h/g.gz`],
    ],
    [
      "1000 Genomes' index",
      [
        "##FileDate=20190524",
        "##MD5=md5sum of file",
        "#ENA_FILE_PATH\tMD5SUM\tRUN_ID\tSTUDY_ID\tSTUDY_NAME",
        `ftp://ftp.sra.ebi.ac.uk/vol1/run/NA12718.final.cram\t${md5}\tERR3239480\tERP114329\tx.y`,
      ],
      [`md5 ${md5} ftp://ftp.sra.ebi.ac.uk/vol1/run/NA12718.final.cram`],
    ],
    [
      "1000 Genomes' index of alignments",
      ["BAM FILE\tBAM MD5\tBAI FILE\tBAI MD5", `data/a.bam\t${md5}\tdata/a.bam.bai\t${abc.md5}`],
      [`md5 ${md5} data/a.bam`, `md5 ${abc.md5} data/a.bam.bai`],
    ],
    ["a column of the file itself", ["cram\tcram_md5", `a.cram\t${md5}`], [`md5 ${md5} a.cram`]],
    [
      "GDC's manifest",
      ["id\tfilename\tmd5\tsize\tstate", `8e\ta.bam\t${md5}\t12\treleased`],
      [`md5 ${md5} a.bam`],
    ],
    ["generic words", ["file_md5\tfile_name\tsize", `${md5}\ta b\t1`], [`md5 ${md5} a b`]],
    ["a path among generic words", ["path\tfile_md5", `a\t${md5}`], [`md5 ${md5} a`]],
    ["cells with blanks", ["file\tmd5", ` a \t ${md5} `], [`md5 ${md5} a`]],
    [
      "comments, and lines of another form",
      ["file\tmd5", "# x", "#a\tmd5", `${md5}  b`, `c\t${md5}`],
      [`md5 ${md5} b`, `md5 ${md5} c`],
    ],
    [
      "the first thousand columns, of which eight are checksums'",
      [
        `file${"\tx".repeat(991)}${"\tmd5".repeat(9)}\tsha1`,
        `a${"\t".repeat(991)}${`\t${md5}`.repeat(9)}\t${sha1}`,
      ],
      Array<string>(8).fill(`md5 ${md5} a`),
    ],
    ["SHA-256", ["SHA-256\tFile", `${sha256}\ta\r`], [`sha256 ${sha256} a`]],
  ])("is read by its titles: %s", (_claim, lines, found) => {
    const text = lines.join("\n");
    expect(read(text)).toEqual({ found, strange: none });
    for (const size of [1, 5, 64]) expect(read(text, { size }).found).toEqual(found);
  });

  test.each([
    ["digits of another length", `a\t${sha1}`],
    ["no digits", "a\tn/a"],
    ["other letters, as many as digits", `a\t${"n".repeat(32)}`],
    ["more names than checksums", `a;b\t${md5}`],
    ["no name", `\t${md5}`],
  ])("has strange rows: %s", (_claim, row) => {
    expect(read(`file\tmd5\n${row}\n`)).toMatchObject({
      found: [],
      strange: { first: 2, count: 1 },
    });
  });

  test("of other files' checksums is none", () => {
    const text = `submitted_md5\tfastq_ftp\n${md5}\tx.gz\n`;
    expect(read(text)).toMatchObject({ strange: { first: 1 } });
    expect(read(`sample\tmd5\na\t${md5}\n`)).toMatchObject({ found: [], strange: { count: 2 } });
  });

  test("has no checksum in a row whose cells are empty", () => {
    expect(read(`file\tmd5\na\t\n\t\n`)).toMatchObject({ found: [], strange: none });
  });
});

describe("a hostile list", () => {
  const million = 1_000_000;
  test.each([
    ["digits", "a".repeat(million)],
    ["digits and one letter", `${"a".repeat(million)}x`],
    ["spaces", `x:${" ".repeat(million)}x`],
    ["spaces behind digits", `${md5}${" ".repeat(million)}`],
    ["spaces behind a BSD's digits", `MD5 (a) = ${md5}${" ".repeat(million)}x`],
    ["colons", ":".repeat(million)],
    ["colons and digits", ": a".repeat(million / 3)],
    ["colons and spaces", `${": ".repeat(million / 2)}x`],
    ["parentheses", `MD5 ${"(".repeat(million / 2)}${")".repeat(million / 2)}`],
    ["ends of a BSD's names", `MD5 (${") = a".repeat(million / 5)}x`],
    ["words", "a ".repeat(million / 2)],
    ["digits and spaces", `${"a ".repeat(million / 2)}x`],
    ["numbers", "1 ".repeat(million / 2)],
    ["tabs", "\t".repeat(million)],
    ["titles of checksums", "md5\t".repeat(million / 4)],
    ["titles of checksums and names", "md5\tfile\t".repeat(million / 9)],
    ["underscores in a title", `${"_".repeat(million)}x\tmd5`],
    ["dots", "./".repeat(million / 2)],
    ["carriage returns", "\r".repeat(million)],
    ["armour", `-----BEGIN PGP ${"A ".repeat(million / 2)}`],
    ["lines of digits", `x: ${"\n AA".repeat(million / 4)}`],
    ["open names", "x:\n".repeat(million / 3)],
    ["rows", `file\tmd5\n${"a;".repeat(million / 4)}\t${"b;".repeat(million / 4)}`],
  ])("takes time in proportion to it: %s", (_claim, text) => {
    expect(read(`${text}\n${md5}  b\n`).found.length).toBeLessThan(3);
  });

  test("whose line is longer than any is read on behind it", () => {
    const found: string[] = [];
    const reader = new ListReader("SUMS", ({ path }) => found.push(path));
    const piece = Buffer.alloc(65536, "x");
    for (let octets = 0; octets < 2e6; octets += piece.length) reader.read(piece.toString());
    reader.read(`\n${md5}  a\n`);
    reader.end();
    expect(found).toEqual(["a"]);
    expect(reader.strange).toEqual({ first: 1, count: 1 });
  });

  test("with a line of more than a MiB doesn't guess at it", () => {
    const name = "n".repeat(1024 * 1024);
    expect(read(`${md5}  ${name}\n`)).toMatchObject({ found: [], strange: { count: 1 } });
    expect(read(`${md5}  ${name.slice(34)}\n`).found).toHaveLength(1);
  });
});

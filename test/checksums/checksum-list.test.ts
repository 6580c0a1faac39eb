import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ChecksumList, readChecksumList } from "../../src/checksums/checksum-list.ts";
import { parseChecksum } from "../../src/checksums/checksum.ts";

const md5 = "d41d8cd98f00b204e9800998ecf8427e";
const otherMd5 = "0bee89b07a248e27c83fc3d5951213c1";
const sha1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
const sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const sha512 = sha256 + sha256;

function listOf(text: string): ChecksumList {
  const list = new ChecksumList("SUMS", '"SUMS"');
  list.read(Buffer.from(text));
  list.end();
  return list;
}

describe("the checksums of a file", () => {
  test.each([
    // The paths in the list, the file, its path in the list by `at`, by `of`.
    [["x"], "x", "x", "x"],
    [["./sub/x", "x"], "sub/x", "sub/x", "sub/x"],
    [["SUB\\X.IMG"], "SUB/X.IMG", "SUB/X.IMG", "SUB/X.IMG"],
    [["sub/x"], "x", undefined, "sub/x"],
    [["a/x", "b/x"], "x", undefined, undefined],
    [["x"], "sub/x", undefined, undefined],
    [["yx", "x.txt", "X"], "x", undefined, undefined],
  ])(
    "of %j, for %j, are those of %j by its path, and of %j by its name",
    (paths, path, ...expected) => {
      const list = listOf(paths.map((one) => `${md5}  ${one}\n`).join("") + `${sha1}  unrelated\n`);
      const found = [list.at(path), list.of(path)];
      expect(found).toEqual(
        expected.map((one) => (one === undefined ? [] : [{ algorithm: "md5", value: md5 }])),
      );
    },
  );

  test("a path that is listed several times are all of its algorithms, the strongest first", () => {
    const list = listOf(`${md5}  x/a\n${sha256}  x/a\n${sha1}  x/a\n${md5}  ./x/a\n`);
    expect(list.of("a").map(({ value }) => value)).toEqual([sha256, sha1, md5]);
    expect([...list.paths()]).toEqual(["x/a"]);
  });
});

describe("two different checksums of one path", () => {
  test.each([
    ["in one form", `${md5}  a\n${sha1}  a\n${otherMd5}  a\n`],
    ["in two forms", `MD5 (./a) = ${md5}\n${otherMd5.toUpperCase()}  a\n`],
  ])("%s are an error that names both", (_claim, text) => {
    const message = `"SUMS" has two md5 checksums of "a": ${md5} and ${otherMd5}`;
    expect(() => listOf(text)).toThrow(
      expect.objectContaining({ kind: "integrity", message }) as Error,
    );
  });
});

describe("a list in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "ftpull-checksums-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "SUMS");

  test("has names of any octets, which may be no UTF-8", async () => {
    const text = `${md5}  caf\xE9\n${sha1}  caf\xC3\xA0\n${md5}  caf\xE8\n${sha1}  x\\caf\xC3\xA0 \n`;
    writeFileSync(file, text, "latin1");
    const list = await readChecksumList(file);
    expect([...list.paths()]).toEqual(["caf\xC3\xA0", "x/caf\xC3\xA0", "caf\xE9", "caf\xE8"]);
  });

  test.each([[""], [`${sha256}${md5}  a\n`], [`BLAKE2b (a) = ${sha512}\n`]])(
    "without a checksum that can be computed isn't understood: %j",
    async (text) => {
      writeFileSync(file, text);
      await expect(readChecksumList(file)).rejects.toMatchObject({
        kind: "usage",
        message: `there is no checksum in "${file}"`,
      });
    },
  );
});

test.each([
  [`md5:${md5}`, { algorithm: "md5", value: md5 }],
  [`sha256:${sha256}`, { algorithm: "sha256", value: sha256 }],
  [`sha384:${sha256}${md5}`, undefined],
  [`md5:${md5}0`, undefined],
  [`md5:${md5.replace("d", "g")}`, undefined],
  [`md5:${md5}\n`, undefined],
  [md5, { algorithm: "md5", value: md5 }],
  [`md5=${md5}`, { algorithm: "md5", value: md5 }],
  [`sha-256=${sha256}`, { algorithm: "sha256", value: sha256 }],
  ["", undefined],
])("the argument %j is %j", (text, checksum) => {
  expect(parseChecksum(text)).toEqual(checksum);
});

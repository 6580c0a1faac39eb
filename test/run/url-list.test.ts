import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UrlList, UrlListParser } from "../../src/run/jobs/url-list.ts";

test.each([
  ["one a line, in order", "ftp://h/b\nftp://h/a\n", ["ftp://h/b", "ftp://h/a"]],
  ["CRLF, a BOM, no last line end", "\uFEFFftp://h/a\r\nftp://h/b", ["ftp://h/a", "ftp://h/b"]],
  ["blank lines and white space around", "\n  ftp://h/a \n\t\n", ["ftp://h/a"]],
  ["comments", "# one\n  #two\nftp://h/a#fragment\n", ["ftp://h/a#fragment"]],
  ["U16 a wrapper", "<URL:ftp://h/a-\n  b>\nftp://h/c", ["<URL:ftp://h/a-\nb>", "ftp://h/c"]],
  ["a wrapper on one line", "<ftp://h/a>\n<ftp://h/b>", ["<ftp://h/a>", "<ftp://h/b>"]],
  ["a # inside a wrapper is no comment", "<ftp://h/a\n#b>", ["<ftp://h/a\n#b>"]],
  ["a blank line ends an open one", "<ftp://h/a\n\n# x\nftp://h/b", ["<ftp://h/a", "ftp://h/b"]],
  ["a < that begins a line, too", "<ftp://h/a\n<ftp://h/b\nc>", ["<ftp://h/a", "<ftp://h/b\nc>"]],
  ["a wrapper that opens in the line that closes one", "<a\nb> <c\nd>\ne", ["<a\nb> <c\nd>", "e"]],
  ["nothing", "", []],
])("a list of URLs: %s", (_claim, list, urls) => {
  // However the list is cut into pieces.
  for (const size of [1, 2, 7, 1000]) {
    const parser = new UrlListParser("list");
    const pieces = list.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
    const found = pieces.flatMap((piece) => parser.take(piece));
    expect([...found, ...parser.end()].map(({ text }) => text)).toEqual(urls);
  }
});

test.each([
  ["one that isn't wrapped, at the end of its line", "ftp://h/a\n", ["ftp://h/a"]],
  ["a wrapper, at the end of the line that closes it", "<ftp://h/a\nb>\n", ["<ftp://h/a\nb>"]],
  ["no wrapper that is open", "<ftp://h/a\n", []],
  ["no line without an end", "ftp://h/a", []],
])("of a list that goes on is given back: %s", (_claim, list, urls) => {
  expect(new UrlListParser("list").take(list).map(({ text }) => text)).toEqual(urls);
});

test("a URL of a list has the number of its first line", () => {
  const list = "# one\nftp://h/a\n\n<URL:ftp://h/\n  b>\nftp://h/c";
  const parser = new UrlListParser("list");
  const found = [...parser.take(list), ...parser.end()];
  expect(found.map(({ place }) => place)).toEqual(["list:2", "list:4", "list:6"]);
});

async function urlsOf(path: string): Promise<string[]> {
  const urls = [];
  for await (const some of (await UrlList.openAll([path]))[0]!.urls(() => undefined))
    urls.push(...some.map(({ text }) => text));
  return urls;
}

test("a file is read as UTF-8, and one that can't be read fails with a hint", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ftpull-list-"));
  const file = join(folder, "urls");
  writeFileSync(file, "ftp://h/ü\n");
  expect(await urlsOf(file)).toEqual(["ftp://h/ü"]);
  rmSync(folder, { recursive: true });
  await expect(urlsOf(file)).rejects.toMatchObject({
    kind: "file",
    message: expect.stringContaining(`cannot read input file "${file}": `),
    hint: "--input-file names a file of URLs, one a line; - is standard input",
  });
});

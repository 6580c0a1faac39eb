import { expect, test } from "vitest";
import { urlsIn } from "../../src/run/jobs/requested.ts";

test.each([
  ["one a line, in order", "ftp://h/b\nftp://h/a\n", ["ftp://h/b", "ftp://h/a"]],
  ["CRLF, no last line end", "ftp://h/a\r\nftp://h/b", ["ftp://h/a", "ftp://h/b"]],
  ["blank lines and white space around", "\n  ftp://h/a \n\t\n", ["ftp://h/a"]],
  ["comments", "# one\n  #two\nftp://h/a#fragment\n", ["ftp://h/a#fragment"]],
  ["U16 a wrapper", "<URL:ftp://h/a-\n  b>\nftp://h/c", ["<URL:ftp://h/a-\n  b>", "ftp://h/c"]],
  ["a wrapper on one line", "<ftp://h/a>\n<ftp://h/b>", ["<ftp://h/a>", "<ftp://h/b>"]],
  ["a # inside a wrapper is no comment", "<ftp://h/a\n#b>", ["<ftp://h/a\n#b>"]],
  ["a blank line ends an open one", "<ftp://h/a\n\n# x\nftp://h/b", ["<ftp://h/a", "ftp://h/b"]],
  ["a < that begins a line, too", "<ftp://h/a\n<ftp://h/b\nc>", ["<ftp://h/a", "<ftp://h/b\nc>"]],
  ["nothing", "", []],
])("a list of URLs: %s", (_claim, list, urls) => {
  expect(Array.from(urlsIn(list, "list"), ({ text }) => text.trim())).toEqual(urls);
});

test("a URL of a list has the number of its first line", () => {
  const list = "# one\nftp://h/a\n\n<URL:ftp://h/\n  b>\nftp://h/c";
  expect(Array.from(urlsIn(list, "list"), ({ place }) => place)).toEqual([
    "list:2",
    "list:4",
    "list:6",
  ]);
});

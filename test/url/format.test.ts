import { expect, test } from "vitest";
import { formatFtpUrl } from "../../src/url/format.ts";
import { parseFtpUrl } from "../../src/url/ftp-url.ts";

test.each([
  ["ftp://h/x", "ftp://h/x"],
  ["FTP://H.example", "ftp://h.example/"],
  ["ftp://u:secret@h/x", "ftp://u@h/x"],
  ["ftp://:secret@h/", "ftp://@h/"],
  ["ftp://me@example.com:pw@h/", "ftp://me%40example.com@h/"],
  ["ftp://%E7%2F:pw@h/", "ftp://%E7%2F@h/"],
  ["ftp://h:21/", "ftp://h/"],
  ["ftps://h:990/", "ftps://h/"],
  ["ftpes://h:2121/", "ftpes://h:2121/"],
  ["ftp://[FE80::1%eth0]:2121/", "ftp://[fe80::1%25eth0]:2121/"],
  ["ftp://h/%2Fetc/%e7//../x", "ftp://h/%2Fetc/%e7//../x"],
  ["ftp://h/a b\t\x1b<c>", "ftp://h/a%20b%09%1B%3Cc%3E"],
  ["ftp://h/資料\u202e", "ftp://h/資料%E2%80%AE"],
  ["ftp://h/a\u3164\ufe0f\u3000b", "ftp://h/a%E3%85%A4%EF%B8%8F%E3%80%80b"],
  ["ftp://h/*.[ch]", "ftp://h/*.[ch]"],
  ["ftp://h/a;1/b;type=a;type=", "ftp://h/a%3B1/b%3Btype=a"],
  ["ftp://h/x;type=AN", "ftp://h/x;type=an"],
  ["ftp://h/x;type=l8", "ftp://h/x;type=l8"],
  ["ftp://h/x?query#frag ment", "ftp://h/x"],
])("X2 a URL is printed without its password: %s", (text, printed) => {
  expect(formatFtpUrl(parseFtpUrl(text))).toBe(printed);
});

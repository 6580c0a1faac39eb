import { describe, expect, test } from "vitest";
import { formatFtpUrl, formatHost, quoteForShell, redactUrlText } from "../../src/url/format.ts";
import { parseFtpUrl } from "../../src/url/ftp-url.ts";

describe("X2 a URL is printed without its password", () => {
  test.each([
    ["ftp://h/x", "ftp://h/x"],
    ["FTP://H.example", "ftp://h.example/"],
    ["ftp://u:secret@h/x", "ftp://u@h/x"],
    ["ftp://u:@h/", "ftp://u@h/"],
    ["ftp://:secret@h/", "ftp://@h/"],
    ["ftp://me@example.com:pw@h/", "ftp://me%40example.com@h/"],
    ["ftp://%E7%2F:pw@h/", "ftp://%E7%2F@h/"],
    ["ftp://h:21/", "ftp://h/"],
    ["ftps://h:990/", "ftps://h/"],
    ["ftps://h:21/", "ftps://h:21/"],
    ["ftpes://h:2121/", "ftpes://h:2121/"],
    ["ftp://[FE80::1%eth0]:2121/", "ftp://[fe80::1%25eth0]:2121/"],
    ["ftp://münchen.de/", "ftp://xn--mnchen-3ya.de/"],
    ["ftp://h/%2Fetc/%e7//../x", "ftp://h/%2Fetc/%e7//../x"],
    ["ftp://h/a b\t\x1b<c>", "ftp://h/a%20b%09%1B%3Cc%3E"],
    ["ftp://h/資料\u202e", "ftp://h/資料%E2%80%AE"],
    ["ftp://h/a\u3164\ufe0f\u3000b", "ftp://h/a%E3%85%A4%EF%B8%8F%E3%80%80b"],
    ["ftp://h/*.[ch]", "ftp://h/*.[ch]"],
    ["ftp://h/a;1/b;type=a;type=", "ftp://h/a%3B1/b%3Btype=a"],
    ["ftp://h/x;TYPE=I", "ftp://h/x;type=i"],
    ["ftp://h/x;type=AN", "ftp://h/x;type=an"],
    ["ftp://h/x;type=l8", "ftp://h/x;type=l8"],
    ["ftp://h/x?query#frag ment", "ftp://h/x#frag%20ment"],
  ])("%s", (text, printed) => {
    expect(formatFtpUrl(parseFtpUrl(text))).toBe(printed);
  });
});

test.each([
  ["ftp.example.com", "ftp.example.com"],
  ["::1", "[::1]"],
  ["fe80::1%eth0", "[fe80::1%25eth0]"],
])("the host %s is written %s", (host, written) => {
  expect(formatHost(host)).toBe(written);
});

test.each([
  ["ftp://u@h/a,b=c+d%20-_.x", "ftp://u@h/a,b=c+d%20-_.x"],
  ["ftp://h/x y", "'ftp://h/x y'"],
  ["*.txt", "'*.txt'"],
  ["x&", "'x&'"],
  ["it's 'x'", "'it'\\''s '\\''x'\\'''"],
  ["", "''"],
])("%s is quoted for a shell as %s", (word, quoted) => {
  expect(quoteForShell(word)).toBe(quoted);
});

describe("X2 a password is taken out of any text", () => {
  test.each([
    ["a URL", "ftp://u:secret@h/x", "ftp://u@h/x"],
    ["a bad percent-encoding", "ftp://u:se%cret@h/x", "ftp://u@h/x"],
    ["another scheme", "sftp://u:secret@h/x", "sftp://u@h/x"],
    ["an @ in the password", "ftp://u:se@cret@h/x", "ftp://u@h/x"],
    ["a / in the password", "ftp://u:se/cret@h/x", "ftp://u@h/x"],
    ["a / after digits that are no port", "ftp://u:123456/7@h/x", "ftp://u@h/x"],
    ["a / after a number that is no port", "ftp://u:1e3/secret@h/x", "ftp://u@h/x"],
    ["a / after the first number above ports", "ftp://u:65536/7@h/x", "ftp://u@h/x"],
    ["a ? in the password", "ftp://u:se?cret@h/x", "ftp://u@h/x"],
    ["a # after digits", "ftp://u:1#2@h/x", "ftp://u@h/x"],
    ["no scheme", "u:secret@h/x", "u@h/x"],
    ["no colon behind the scheme", "ftp//u:secret@h/x", "ftp//u@h/x"],
    ["another sign for that colon", "see ftp;//u:secret@h/x", "see ftp;//u@h/x"],
    ["no scheme and a user called ftp", "ftp:secret@h/x", "ftp@h/x"],
    ["no slashes", "ftp:u:secret@h/x", "ftp@h/x"],
    ["no scheme and slashes in it", "u:(a//secret@h/x", "u@h/x"],
    ["no scheme and an @ in the name", "u:secret@h/x@y", "u@h/x@y"],
    ["no scheme but slashes", "//u:secret@h/x", "//u@h/x"],
    ["a wrapper", "<URL:ftp://u:secret@h/x>", "<URL:ftp://u@h/x>"],
    ["the prefix", "URL:ftp://u:secret@h/x", "URL:ftp://u@h/x"],
    ["a line break in a wrapper", "<ftp://u:se\n  cret@h/x>", "<ftp://u@h/x>"],
    ["words round it", 'cannot read "ftp://u:secret@h/x"', 'cannot read "ftp://u@h/x"'],
    ["an empty user", "ftp://:secret@h/", "ftp://@h/"],
    ["no host", "ftp://u:secret@", "ftp://u@"],
    ["neither host nor @", "ftp://u:secret", "ftp://u:***"],
    ["one slash", "ftp:/u:secret@h/x", "ftp:/u@h/x"],
    ["two schemes", "ftp://ftp://u:secret@h/x", "ftp://ftp@h/x"],
    ["two schemes and no host", "ftp://ftp://u:secret", "ftp://ftp://u:***"],
    ["two URLs", "ftp://u:secret@h/x ftp://v:secret@h/y", "ftp://u@h/y"],
    ["two URLs with a comma", "ftp://u:secret@h/x,ftp://v:secret@h/y", "ftp://u@h/y"],
    ["two URLs, one with a password", "ftp://h/x\nftp://v:secret@h/y", "ftp://h/x\nftp@h/y"],
    ["two URLs, the first without a scheme", "a.b/x,ftp://u:secret@h/y", "a.b/x,ftp://u@h/y"],
    ["the same, with two slashes in it", "a.b//x,ftp://u:secret@h/y", "a.b//x,ftp@h/y"],
    ["a URL behind a colon", "#:ftp://u:secret@h/", "#@h/"],
    ["three such", "a.b/x,ftp://u:secret@h/y ftp://v:secret@h/", "a.b/x,ftp://u@h/"],
    ["two URLs without a scheme", "u:secret@h/x v:secret@h/y", "u@h/y"],
    ["two URLs without hosts", "ftp://u:secret ftp://v:secret", "ftp://u:***//v:***"],
    [":// in the password", "ftp://u:sec://ret@h/x", "ftp://u@h/x"],
    ["three slashes", "ftp:///u:secret@h/x", "ftp:///u@h/x"],
  ])("%s", (_what, text, redacted) => {
    expect(redactUrlText(text)).toBe(redacted);
  });

  test.each([
    "ftp://h/x",
    "ftp://u@h/x",
    "ftp://h:2121/mail@x",
    "ftp://[::1]:2121/a",
    "ftp://:21/x",
    "ftp://h?a:b/c@d",
    "ftp://h:/a@b",
    "ftp://h/a:b@c",
    "no URL at all: nothing",
    "",
  ])("what has none stays: %s", (text) => {
    expect(redactUrlText(text)).toBe(text);
  });
});

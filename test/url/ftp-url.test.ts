import { describe, expect, test } from "vitest";
import { parseFtpUrl, type FtpUrl } from "../../src/url/ftp-url.ts";
import { usageError } from "./usage-error.ts";

const plain: FtpUrl = {
  scheme: "ftp",
  user: undefined,
  password: undefined,
  host: "h",
  port: 21,
  segments: [""],
  typecode: undefined,
  fragment: undefined,
  warnings: [],
};

const warnings = ['the fragment (what follows "#") is not sent: write %23 for a literal "#"'];

test.each<[string, string, Partial<FtpUrl>]>([
  ["U1 the scheme in capitals", "FTP://h/", {}],
  ["U1 ftps is TLS on port 990", "ftps://h/", { scheme: "ftps", port: 990 }],
  ["U1 ftpes is TLS on port 21", "FtpES://h/", { scheme: "ftpes" }],
  [
    "U2 all parts",
    "ftp://fred:secret@ftp.example.com:2121/pub/file",
    {
      user: "fred",
      password: "secret",
      host: "ftp.example.com",
      port: 2121,
      segments: ["pub", "file"],
    },
  ],
  [
    "U1 no scheme, but a host with a dot and a path",
    "ftp.example.org/pub/x;type=a",
    { host: "ftp.example.org", segments: ["pub", "x"], typecode: "A" },
  ],
  ["U1 the same with a port", "A.b.:2121/", { host: "a.b.", port: 2121 }],
  ["U1 the same with an address", " <URL:192.0.2.7:/x> ", { host: "192.0.2.7", segments: ["x"] }],
  ["U1 the same beyond ASCII", "b\u00fccher.example/", { host: "xn--bcher-kva.example" }],
  ["U3 a colon without a port", "ftp://h:/pub", { segments: ["pub"] }],
  ["U3 a colon without a port, ftps", "ftps://h:", { scheme: "ftps", port: 990 }],
  ["U3 port 65535", "ftp://h:65535/", { port: 65535 }],
  ["U3 leading zeros", "ftp://h:0021/", {}],
  ["U4 splits at the first colon", "ftp://u:a:b@h/", { user: "u", password: "a:b" }],
  ["U4 splits, then decodes", "ftp://a%3Ab:c%40d@h/", { user: "a:b", password: "c@d" }],
  ["U5 an empty user", "ftp://@h/", { user: "" }],
  ["U5 an empty password", "ftp://u:@h/", { user: "u", password: "" }],
  ["U5 no password", "ftp://u@h/", { user: "u" }],
  ["U5 an empty user with a password", "ftp://:p@h/", { user: "", password: "p" }],
  ["U7 splits before it decodes", "ftp://h/%2Fetc/motd", { segments: ["%2Fetc", "motd"] }],
  ["U7 keeps null segments", "ftp://h//a//", { segments: ["", "a", "", ""] }],
  ["U8 no path means /", "ftp://h", {}],
  ["U9 a typecode", "ftp://h/x;type=a", { segments: ["x"], typecode: "A" }],
  ["U9 a typecode of nothing", "ftp://h/;type=D", { typecode: "D" }],
  [
    "U12 a fragment",
    "ftp://h/x;type=a#char=5",
    { segments: ["x"], typecode: "A", fragment: "char=5", warnings },
  ],
  ["U12 an empty fragment", "ftp://h/#", { fragment: "" }],
  ["U12 a fragment may hold anything", "ftp://h/#%zz?/@", { fragment: "%zz?/@", warnings }],
  ["a name that begins with #", "ftp://h/#x", { fragment: "x", warnings }],
  ["U15 a raw user goes out as UTF-8", "ftp://ü@h/", { user: "\xc3\xbc" }],
  ["U15 an encoded octet stays one", "ftp://%E7:%FF@h/", { user: "\xe7", password: "\xff" }],
  ["U15 raw characters of a segment wait for the plan", "ftp://h/ü%E7", { segments: ["ü%E7"] }],
  ["U16 a wrapper", "<URL:ftp://h/a-\n b>", { segments: ["a-b"] }],
  ["U18 dot segments", "ftp://h/a/../b/./c", { segments: ["a", "..", "b", ".", "c"] }],
  ["U18 encoded dot segments", "ftp://h/%2e%2E/x", { segments: ["%2e%2E", "x"] }],
  ["a URL as a name", "ftp://h/http://x/", { segments: ["http:", "", "x", ""] }],
  ["a URL as a name, with an @", "ftp://h/x://a/b@c", { segments: ["x:", "", "a", "b@c"] }],
  ["two as names", "ftp://h/a://b://c", { segments: ["a:", "", "b:", "", "c"] }],
  ["one behind a space", "ftp://h/a b.c/d://e", { segments: ["a b.c", "d:", "", "e"] }],
  ["an at sign and colons in the path", "ftp://h/a@b:c", { segments: ["a@b:c"] }],
  ["a backslash is no slash", "ftp://h/a\\b", { segments: ["a\\b"] }],
  ["a raw space", "ftp://h/a b", { segments: ["a b"] }],
])("parts: %s", (_claim, text, parts) => {
  expect(parseFtpUrl(text)).toEqual({ ...plain, ...parts });
});

test.each<[string, string, Partial<FtpUrl>, RegExp]>([
  ["U4 an @ in the user", "ftp://me@example.com@h/", { user: "me@example.com" }, /%40/],
  ["U4 an @ in the password", "ftp://u:p@ss@h/", { user: "u", password: "p@ss" }, /%40/],
  ["U9 an empty typecode", "ftp://h/x;type=", { segments: ["x"] }, /empty ";type="/],
  ["U10 an unknown typecode", "ftp://h/x;type=spx", { segments: ["x"] }, /";type=spx"/],
  ["U11 a query", "ftp://h/x?some=thing", { segments: ["x"] }, /%3F/],
  ["U11 a query with an @", "ftp://h/x?a@b", { segments: ["x"] }, /%3F/],
  ["U11 an empty query", "ftp://h/x?", { segments: ["x"] }, /%3F/],
  ["U11 a query without a path", "ftp://h?x", {}, /%3F/],
  ["U19 a semicolon in a cwd", "ftp://h/a;b/c", { segments: ["a;b", "c"] }, /%3B/],
  ["U19 a typecode not at the end", "ftp://h/a;type=i/c", { segments: ["a;type=i", "c"] }, /%3B/],
  ["U19 a semicolon in the name", "ftp://h/a;1", { segments: ["a;1"] }, /%3B/],
  ["characters lost on the way", "ftp://h/a\ufffd", { segments: ["a\ufffd"] }, /%XX/],
])("what is read leniently is said: %s", (_claim, text, parts, warning) => {
  const url = parseFtpUrl(text);
  expect(url).toEqual({ ...plain, ...parts, warnings: [expect.stringMatching(warning)] });
});

describe("errors", () => {
  const noScheme = "the URL has no scheme (ftp:, ftps: or ftpes:)";
  const otherScheme = (scheme: string) => `the scheme "${scheme}" is not ftp:, ftps: or ftpes:`;
  const secondUrl = (at: number) => `"://" at character ${at} belongs to a second URL`;
  const noNumber = (at: number) => `the port at character ${at} is not a number from 1 to 65535`;
  const notEncoded = (what: string, at: number) =>
    `${what} at character ${at} is not a percent-encoding (use %25 for a literal "%")`;
  const unsendable = (what: string, at: number) =>
    `"${what}" at character ${at}: it cannot be sent`;
  const beforeAt = (what: string, at: number, code: string) =>
    `"${what}" at character ${at} stands before an "@": write it as ${code}`;

  test.each<[string, string, string]>([
    ["U1 another scheme", "http://h/", otherScheme("http:")],
    ["U1 no scheme", "h/x", noScheme],
    ["U1 no scheme and no path", "mirror.example.org", noScheme],
    ["U1 no scheme and a path here", "./a.b/x", noScheme],
    ["U1 no scheme and a path above", "../x", noScheme],
    ["U1 a path from the root", "/a.b/x", noScheme],
    ["U1 a path of Windows", "C:\\a.b/x", otherScheme("C:")],
    ["U1 a path of Windows with slashes", "C:/a.b/x", otherScheme("C:")],
    ["U1 no scheme and no dot", "localhost:2121/x", otherScheme("localhost:")],
    ["U1 no scheme, but a user", "u@a.b/x", noScheme],
    ["U1 no scheme, but a password", "u.v:p@a.b/x", otherScheme("u.v:")],
    ["U1 no scheme, and a second URL", "a.b/x ftp://h/", noScheme],
    ["U1 no scheme, and a place", "a.b:70000/", noNumber(5)],
    ["U1 nothing at all", "", "the URL is empty"],
    ["U1 nothing in a wrapper", "<URL: >", "the URL is empty"],
    ["U2 no slashes", "ftp:h/x", '"ftp:" is not followed by "//" and a host'],
    ["U2 no host", "ftp:///x", "the URL has no host"],
    ["U2 no host behind a user", "ftp://u:p@/x", "the URL has no host"],
    ["two schemes", "ftp://ftp://u:p@h/x", secondUrl(10)],
    ["two URLs", "ftp://h/x ftp://h/y", secondUrl(14)],
    ["two URLs in a list", "ftp://h/x,ftps://h/y", secondUrl(15)],
    ["two wrappers", "<ftp://h/x> <URL:ftp://h/y>", secondUrl(19)],
    ["two with users", "ftp://u:p@h/xftp://v@h/", secondUrl(17)],
    ["one in a fragment", "ftp://h/x#sftp://u:p@h/", secondUrl(15)],
    ["U3 port 0", "ftp://h:0/", noNumber(9)],
    ["U3 port 65536", "ftp://h:65536/", noNumber(9)],
    ["U3 a port that is a word", "ftp://h:ftp/", noNumber(9)],
    ["U3 text behind it", "ftp://h:21x/", noNumber(9)],
    ["U3 a signed port", "ftp://h:+21/", noNumber(9)],
    ["U6 IPv6 without brackets", "ftp://::1/", "the host at character 7 is malformed"],
    ["U6 text behind the brackets", "ftp://[::1]x/", "the host at character 7 is malformed"],
    ["U13 in a segment", "ftp://ftp.h/pub/a%zz", notEncoded('"%zz"', 18)],
    ["U13 at the end", "ftp://h/100%", notEncoded('"%"', 12)],
    ["U13 in the user", "ftp://a%g1@h/", notEncoded('"%g1"', 8)],
    ["U13 in a password, unquoted", "ftp://u:s%secret@h/", notEncoded('a "%" in the password', 10)],
    ["U14 CR in a name", "ftp://h/a%0Db", unsendable("%0D", 10)],
    ["U14 LF in a cwd", "ftp://h/a%0aQUIT/b", unsendable("%0A", 10)],
    ["U14 NUL in the user", "ftp://u%00@h/", unsendable("%00", 8)],
    ["U14 LF in the password", "ftp://u:%0A@h/", unsendable("%0A", 9)],
    ["U14 raw", "ftp://h/a\nb", unsendable("%0A", 10)],
    ["a ? before the @", "ftp://u:pa?s@h/", beforeAt("?", 11, "%3F")],
    ["a # before the @", "ftp://u:1#23@h/", beforeAt("#", 10, "%23")],
    ["a / of a password behind an @", "ftp://u:p@ss/word@h.org/x", beforeAt("/", 13, "%2F")],
    ["a # of a password behind an @ and a slash", "ftp://u:p@ss/w#rd@h/", beforeAt("#", 15, "%23")],
  ])("%s", (_claim, text, message) => {
    expect(usageError(() => parseFtpUrl(text)).message).toBe(message);
  });

  test.each([
    ["www.example.com", "write ftp://www.example.com"],
    ["localhost:2121/x", "write ftp://localhost:2121/x"],
    ["ftp://::1/", "write an IPv6 address in brackets: ftp://[2001:db8::1]/"],
    [
      "ftp://u:pass/word@h/",
      'in a user name or a password write "%" as %25, "@" as %40, "/" as %2F, "?" as %3F and "#" as %23',
    ],
    ["user:12/34@h/x", undefined],
  ])("%s gets a hint, but never one with a password", (text, hint) => {
    expect(usageError(() => parseFtpUrl(text)).hint).toBe(hint);
  });
});

test.each([
  ["ftp//h/x", "write ftp://h/x"],
  ["FTPS:/h:2121/x", "write FTPS://h:2121/x"],
  ["ftp:h/x", "write ftp://h/x"],
  ["ftp:///x", undefined],
  ["ftp:/u:secret@h/x", undefined],
  ["ftp//u:secret@h/x", undefined],
  ["+ftp:/h/x", undefined],
  ["h.org:21", "write ftp://h.org:21"],
  ["?h/x", undefined],
  ["alice@h:2121/x", "write ftp://alice@h:2121/x"],
  ["alice:secret@h/x@y/z", "write ftp://alice@h/x@y/z"],
  ["alice:secret@h:2121", "write ftp://alice@h:2121"],
  ["alice:sec:ret@h/x", undefined],
  ["mailto:alice@h.org", undefined],
  ["h.org:2121:/x/y", "write ftp://h.org:2121/x/y"],
  ["host:/x", "write ftp://host/x"],
  ["alice@h:/x", undefined],
  [".", undefined],
  ["ftp:alice:secret@h/x", undefined],
  ["ftps:secret@h/x", undefined],
  ["alice:secret@h/x\nbob:word@h", "write ftp://alice@h/x"],
  ["https://h/x", "other programs fetch https: URLs; if the server has FTP, too, write ftp://h/x"],
  [
    "sftp://h:8443/",
    "other programs fetch sftp: URLs; if the server has FTP, too, write ftp://h/ (port 8443 is not for FTP)",
  ],
  [
    "https://h:8443",
    "other programs fetch https: URLs; if the server has FTP, too, write ftp://h (port 8443 is not for FTP)",
  ],
  ["https://u:secret@h/x", undefined],
  ["ftp://h/x ftp://h/y", 'give each URL as an argument of its own; in a name write ":" as %3A'],
])("the hint for %s is %s", (text, hint) => {
  expect(() => parseFtpUrl(text)).toThrow(expect.objectContaining({ kind: "usage", hint }));
});

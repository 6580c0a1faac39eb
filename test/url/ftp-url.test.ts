import { describe, expect, test } from "vitest";
import { hints } from "../../src/hints.ts";
import { formatFtpUrl } from "../../src/url/format.ts";
import { parseFtpUrl, withAdditions, type FtpUrl } from "../../src/url/ftp-url.ts";
import { planOf } from "../../src/url/plan.ts";
import { usageError } from "./usage-error.ts";

const plain: FtpUrl = {
  scheme: "ftp",
  user: undefined,
  password: undefined,
  host: "h",
  port: 21,
  segments: [""],
  typecode: undefined,
  warnings: [],
};

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
    "U1 no scheme",
    "ftp.example.org/pub/x;type=a",
    { host: "ftp.example.org", segments: ["pub", "x"], typecode: "A" },
  ],
  ["U1 no scheme, and a host alone", "localhost", { host: "localhost" }],
  ["U1 no scheme, but a user", "alice@h:/x", { user: "alice", segments: ["x"] }],
  [
    "U1 no scheme, but a password",
    "u:p:q@h:2121/x@y",
    { user: "u", password: "p:q", port: 2121, segments: ["x@y"] },
  ],
  ["U1 no scheme, and an address", "[::1]:2121/x", { host: "::1", port: 2121, segments: ["x"] }],
  ["U1 the same with a port", "A.b.:2121/", { host: "a.b.", port: 2121 }],
  ["U1 the same with an address", " <URL:192.0.2.7:/x> ", { host: "192.0.2.7", segments: ["x"] }],
  ["U3 a colon without a port", "ftp://h:/pub", { segments: ["pub"] }],
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
  ["U12 an empty fragment", "ftp://h/#", {}],
  ["U15 a raw user goes out as UTF-8", "ftp://ü@h/", { user: "\xc3\xbc" }],
  ["U15 an encoded octet stays one", "ftp://%E7:%FF@h/", { user: "\xe7", password: "\xff" }],
  ["U15 raw characters of a segment wait for the plan", "ftp://h/ü%E7", { segments: ["ü%E7"] }],
  ["U16 a wrapper", "<URL:ftp://h/a-\n b>", { segments: ["a-b"] }],
  ["U18 dot segments", "ftp://h/a/../b/./c", { segments: ["a", "..", "b", ".", "c"] }],
  ["a URL as a name", "ftp://h/http%3A//x/", { segments: ["http%3A", "", "x", ""] }],
  [
    "a password with an @, and an @ in a name",
    "ftp://u:p@nas/a@2x.png",
    { user: "u", password: "p", host: "nas", segments: ["a@2x.png"] },
  ],
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
  ["U10 a size of no byte", "ftp://h/x;type=l0", { segments: ["x"] }, /";type=l0"/],
  ["U11 a query", "ftp://h/x?some=thing", { segments: ["x"] }, /%3F/],
  ["U11 an empty query", "ftp://h/x?", { segments: ["x"] }, /%3F/],
  ["U11 a query without a path", "ftp://h?x", {}, /%3F/],
  ["U12 a fragment may hold anything", "ftp://h/x#%zz?/@", { segments: ["x"] }, /%23/],
  ["U19 a semicolon in a cwd", "ftp://h/a;b/c", { segments: ["a;b", "c"] }, /%3B/],
  ["U19 a semicolon in the name", "ftp://h/a;1", { segments: ["a;1"] }, /%3B/],
])("what is read leniently is said: %s", (_claim, text, parts, warning) => {
  const url = parseFtpUrl(text);
  expect(url).toEqual({ ...plain, ...parts, warnings: [expect.stringMatching(warning)] });
});

describe("errors", () => {
  const otherScheme = (scheme: string) => `the scheme "${scheme}" is not ftp:, ftps: or ftpes:`;
  const noNumber = "the port is not a number from 1 to 65535";
  const notEncoded = (what: string) =>
    `"${what}" is not a percent-encoding (use %25 for a literal "%")`;
  const malformedHost =
    "the host is malformed: an IPv6 address stands in brackets, as [2001:db8::1]";
  const badPassword = 'a "%" in the password begins no percent-encoding';
  const unsendable = (what: string) => `"${what}" cannot be sent`;
  const second = '"://" stands twice: in a name write ":" as %3A';
  const beforeAt = (what: string) => `"${what}" stands before an "@"`;

  test.each<[string, string, string]>([
    ["U1 another scheme", "http://h/", otherScheme("http:")],
    ["U1 a list", "a.b/x ftp://h/", otherScheme(":")],
    ["U1 no colon", "ftp//u:p@h/x", otherScheme(":")],
    ["U1 a path of Windows", "C:\\a.b/x", noNumber],
    ["U1 a path from the root", "/a.b/x", "the URL has no host"],
    ["U1 nothing at all", "", "the URL is empty"],
    ["U1 nothing in a wrapper", "<URL: >", "the URL is empty"],
    ["U2 no slashes", "ftp:h/x", '"ftp:" is not followed by "//" and a host'],
    ["U2 no host", "ftp:///x", "the URL has no host"],
    ["U2 no host behind a user", "ftp://u:p@/x", "the URL has no host"],
    ["two schemes", "ftp://ftp://u:p@h/x", second],
    ["two URLs", "ftp://h/x ftp://h/y", second],
    ["one in a name", "ftp://h/http://x/", second],
    ["U3 port 0", "ftp://h:0/", noNumber],
    ["U3 port 65536", "ftp://h:65536/", noNumber],
    ["U3 a port that is a word", "ftp://h:ftp/", noNumber],
    ["U6 IPv6 without brackets", "ftp://2001::1/", malformedHost],
    ["U6 text behind the brackets", "ftp://[::1]x/", malformedHost],
    ["U13 in a segment", "ftp://ftp.h/pub/a%zz", notEncoded("%zz")],
    ["U13 at the end", "ftp://h/100%", notEncoded("%")],
    ["U13 in the user", "ftp://a%g1@h/", notEncoded("%g1")],
    ["U13 in a password, unquoted", "ftp://u:s%secret@h/", badPassword],
    ["U13 without a scheme", "u:s%secret@h/", badPassword],
    ["U14 CR in a name", "ftp://h/a%0Db", unsendable("%0D")],
    ["U14 LF in a cwd", "ftp://h/a%0aQUIT/b", unsendable("%0A")],
    ["U14 NUL in the user", "ftp://u%00@h/", unsendable("%00")],
    ["U14 LF in the password", "ftp://u:%0A@h/", unsendable("%0A")],
    ["U14 raw", "ftp://h/a\nb", unsendable("%0A")],
    ["a ? before the @", "ftp://u:pa?s@h/", beforeAt("?")],
    ["a # before the @", "ftp://u:1#23@h/", beforeAt("#")],
  ])("%s", (_claim, text, message) => {
    expect(usageError(() => parseFtpUrl(text)).message).toBe(message);
  });

  test.each([
    ["ftp://h:99999/x", undefined],
    ["ftp://u:pass/word@h/", hints.encoding],
    ["ftp://u:pa:ss/word@h/", hints.encoding],
  ])("the hint of %s", (text, hint) => {
    expect(usageError(() => parseFtpUrl(text)).hint).toBe(hint);
  });
});

test.each([
  ["--tls makes ftp: ftpes:", "ftp://h/", { tls: true }, "ftpes://h/"],
  ["--tls leaves ftps:", "ftps://h/", { tls: true }, "ftps://h/"],
  ["--user where the URL has none", "ftp://h/", { user: "jan\xe9@x" }, "ftp://jan%E9%40x@h/"],
  ["--user where it has one", "ftp://u:p@h/", { user: "other" }, "ftp://u@h/"],
  ["--user where it has an empty one (U5)", "ftp://@h/", { user: "other" }, "ftp://@h/"],
  ["P11 --root of nothing", "ftp://h", { root: true }, "ftp://h/%2F/"],
])("options are parts of the URL: %s", (_claim, text, additions, expected) => {
  const url = withAdditions(parseFtpUrl(text), additions);
  expect(formatFtpUrl(url)).toBe(expected);
  expect(planOf(withAdditions(parseFtpUrl(expected), additions)).name).toBe(planOf(url).name);
});

import { expect, test } from "vitest";
import { resolveReference } from "../../src/url/resolve.ts";
import { usageError } from "./usage-error.ts";

test.each([
  ["g:h", "g:h"],
  ["g", "ftp://a/b/c/g"],
  ["/g", "ftp://a/g"],
  ["//g", "ftp://g"],
  ["?y", "ftp://a/b/c/d;p?y"],
  ["g?y", "ftp://a/b/c/g?y"],
  ["#s", "ftp://a/b/c/d;p?q#s"],
  ["g?y#s", "ftp://a/b/c/g?y#s"],
  ["g;x?y#s", "ftp://a/b/c/g;x?y#s"],
  ["", "ftp://a/b/c/d;p?q"],
  [".", "ftp://a/b/c/"],
  ["..", "ftp://a/b/"],
  ["../g", "ftp://a/b/g"],
  ["../..", "ftp://a/"],
  ["../../g", "ftp://a/g"],
])("U17 RFC 3986 §5.4.1, normal examples: %j", (reference, resolved) => {
  expect(resolveReference(reference, "ftp://a/b/c/d;p?q")).toBe(resolved);
});

test.each([
  ["../../../g", "ftp://a/g"],
  ["/./g", "ftp://a/g"],
  ["/../g", "ftp://a/g"],
  ["g.", "ftp://a/b/c/g."],
  ["..g", "ftp://a/b/c/..g"],
  ["./../g", "ftp://a/b/g"],
  ["g/./h", "ftp://a/b/c/g/h"],
  ["g/../h", "ftp://a/b/c/h"],
  ["g;x=1/../y", "ftp://a/b/c/y"],
  ["g?y/../x", "ftp://a/b/c/g?y/../x"],
  ["g#s/../x", "ftp://a/b/c/g#s/../x"],
  ["http:g", "http:g"],
])("U17 RFC 3986 §5.4.2, abnormal examples: %j", (reference, resolved) => {
  expect(resolveReference(reference, "ftp://a/b/c/d;p?q")).toBe(resolved);
});

test.each([
  ["d is a trailing slash", "x", "ftp://h/pub;type=d", "ftp://h/pub/x"],
  ["d behind a slash adds none", "x", "ftp://h/pub/;type=D", "ftp://h/pub/x"],
  ["d, and the parent", "..", "ftp://h/a/b;type=d", "ftp://h/a/"],
  ["d, and the same document", "", "ftp://h/pub;type=d", "ftp://h/pub/"],
  ["one that isn't last is part of a name", "x", "ftp://h/a;type=d/b", "ftp://h/a;type=d/x"],
  ["a long one is dropped", "", "ftp://h/pub;type=l8", "ftp://h/pub"],
  ["others are dropped", "x", "ftp://h/pub;type=a", "ftp://h/x"],
  ["others are dropped from the same document", "#s", "ftp://h/pub;type=a", "ftp://h/pub#s"],
  ["the reference keeps its own", "x;type=a", "ftp://h/pub/;type=d", "ftp://h/pub/x;type=a"],
])("U17 typecodes of the base: %s", (_claim, reference, base, resolved) => {
  expect(resolveReference(reference, base)).toBe(resolved);
});

test.each([
  ["U18 an absolute URL keeps its dot segments", "ftp://x/a/../b", "ftp://x/a/../b"],
  ["an absolute URL keeps its wrapper", "<URL:ftp://x/y>", "<URL:ftp://x/y>"],
  ["a wrapped reference is unwrapped", "<sub/x>", "ftp://u:p@h/a//sub/x"],
  ["userinfo and octets stay as they are", "%e7%2f\\ü", "ftp://u:p@h/a//%e7%2f\\ü"],
  ["a rooted path keeps the userinfo", "/x", "ftp://u:p@h/x"],
  ["null segments count", "../x", "ftp://u:p@h/a/x"],
  ["dot segments go behind another host, too", "//g/a/../x", "ftp://g/x"],
  ["encoded dots are names", "%2e%2e/x", "ftp://u:p@h/a//%2e%2e/x"],
])("U17 %s", (_claim, reference, resolved) => {
  expect(resolveReference(reference, "ftp://u:p@h/a//b")).toBe(resolved);
});

test("U17 a base without a path", () => {
  expect(resolveReference("x", "ftp://h")).toBe("ftp://h/x");
});

test.each(["pub/", "/pub/", "//h/", "ftp:pub", ""])("U17 %j can't be a base", (base) => {
  expect(usageError(() => resolveReference("x", base)).message).toMatch(/^the base /);
});

import { expect, test } from "vitest";
import { unwrap } from "../../src/url/wrapper.ts";

test.each([
  ["nothing", "ftp://h/x", "ftp://h/x"],
  ["angle brackets and prefix", "<URL:ftp://h/x>", "ftp://h/x"],
  ["the prefix alone", "URL:ftp://h/x", "ftp://h/x"],
  ["the prefix in lower case", "<url:ftp://h/x>", "ftp://h/x"],
  ["space round the prefix", "< URL: ftp://h/x >", "ftp://h/x"],
  ["a broken line", "<URL:ftp://h/pub/doc\n   /a.txt>", "ftp://h/pub/doc/a.txt"],
  ["a break after a hyphen", "<URL:ftp://h/draft-\n  ietf-uri.txt>", "ftp://h/draft-ietf-uri.txt"],
  ["space round it all", "  <ftp://h/x>\n", "ftp://h/x"],
  ["but only trims a blank inside", " ftp://h/a b\n", "ftp://h/a b"],
  ["but keeps a break without a wrapper", "ftp://h/a\nb", "ftp://h/a\nb"],
  ["no bracket that isn't closed", "<ftp://h/x", "<ftp://h/x"],
  ["no bracket that ends early", "<ftp://h/x> y", "<ftp://h/x> y"],
  ["white space to nothing", " \t\n", ""],
])("U16 unwraps %s", (_what, text, url) => {
  expect(unwrap(text)).toBe(url);
});

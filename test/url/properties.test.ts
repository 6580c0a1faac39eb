import fc from "fast-check";
import { expect, test } from "vitest";
import { explain } from "../../src/run/explain.ts";
import { redactUrlText } from "../../src/text/redact.ts";
import { formatFtpUrl } from "../../src/url/format.ts";
import { parseFtpUrl, withAdditions, type FtpUrl } from "../../src/url/ftp-url.ts";
import { planOf } from "../../src/url/plan.ts";
import { usageError } from "./usage-error.ts";

/** Bits that mean something to the grammar, so that random text gets past its first checks. */
const bit = fc.oneof(
  fc.constantFrom(
    ..."/ : @ ? # ; % %25 %2F %0d %00 %E7 [ ] .. . ~ h 21 ::1 ftp // < > \\ *".split(" "),
  ),
  fc.constantFrom(..."|;type=|;type=a|;type=d|;type=an| |\n|\r|\0|ü|東|\ud800|\u202e".split("|")),
  fc.string({ unit: "binary", maxLength: 5 }),
);
const text = fc.array(bit, { maxLength: 12 }).map((bits) => bits.join(""));
const scheme = fc.constantFrom("ftp://", "FTPS://", "ftpes://", "<URL:ftp://", "URL:ftp://");
const urlText = fc.oneof(
  text,
  fc.tuple(scheme, text).map((parts) => parts.join("")),
  fc
    .tuple(scheme, fc.constantFrom("h", "u:p@h", "u@[::1]:2121"), text)
    .map(([a, b, c]) => `${a}${b}/${c}`),
);

function parsed(urlText: string): FtpUrl | undefined {
  let url: FtpUrl | undefined;
  try {
    url = parseFtpUrl(urlText);
  } catch (error) {
    usageError(() => {
      throw error;
    });
  }
  return url;
}

test("the parser throws usage errors only, and U14 no octet that ends a command comes out", () => {
  fc.assert(
    fc.property(urlText, fc.boolean(), (text, root) => {
      const url = parsed(text);
      if (url === undefined) return;
      const plan = planOf(withAdditions(url, { root }), { nullCwd: true });
      const octets = [url.user, url.password, url.host, url.typecode, ...plan.cwds, plan.name].join(
        "",
      );
      expect(octets).not.toMatch(/[\r\n\0\u0100-\uffff]/);
    }),
    { numRuns: 2000 },
  );
});

test("a printed URL, read again, has the same plan and everything but the password", () => {
  fc.assert(
    fc.property(urlText, (text) => {
      const url = parsed(text);
      if (url === undefined) return;
      const printed = formatFtpUrl(url);
      const again = parseFtpUrl(printed);
      expect(planOf(again)).toEqual(planOf(url));
      expect(again).toMatchObject({
        scheme: url.scheme,
        user: url.user,
        host: url.host,
        port: url.port,
      });
      expect(again.password).toBeUndefined();
      expect(again.warnings).toEqual([]);
      expect(formatFtpUrl(again)).toBe(printed);
    }),
    { numRuns: 2000 },
  );
});

/** Passwords that one can search for, with what the grammar reserves in any place. */
const password = fc
  .array(
    fc.oneof(
      fc.constantFrom("/", "?", "#", "@", ":", "%", ";", "[", " ", "\n"),
      fc.constantFrom("J", "%7A", "%zz", "ü"),
    ),
    { maxLength: 8 },
  )
  .map((bits) => `J${bits.join("")}J`)
  // "u:p@x/y@h" is user, password, host x and a path with an "@"; " J://" begins another URL.
  .filter((secret) => !/@.*\/|\sJ+:\/\//s.test(secret));

test("X2 no password of any form is left by redaction, nor quoted by an error", () => {
  fc.assert(
    fc.property(
      password,
      fc.constantFrom("ftp://", "//", "sftp://", "<URL:ftp://", ""),
      fc.constantFrom("host", "ftp.example.org", "h:2121", "[::1]", ""),
      fc.constantFrom("", "/", "/x", "/a@b", "/c:d@e/f", "?g@h", "#i"),
      (secret, start, host, path) => {
        const url = `${start}user:${secret}@${host}${path}`;
        expect(redactUrlText(url)).not.toContain("J");
        const { message, hint } = failure(url);
        expect(`${message} ${hint}`).not.toContain("J");
      },
    ),
    { numRuns: 1000 },
  );
});

function failure(url: string): { message: string; hint: string | undefined } {
  try {
    const read = parseFtpUrl(url);
    return {
      message: [
        ...read.warnings,
        explain({ url: read, plan: planOf(read), shownUrl: formatFtpUrl(read) }),
      ].join(""),
      hint: undefined,
    };
  } catch {
    return usageError(() => parseFtpUrl(url));
  }
}

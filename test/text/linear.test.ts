/** What reads a line that a server, a list or a person may have made as long as they like: linear in its length. */
import { expect, test } from "vitest";
import { escapeControls } from "../../src/text/escape.ts";
import { parseGlob } from "../../src/text/glob.ts";
import { redactUrlText } from "../../src/text/redact.ts";
import { conceal, keepSecret } from "../../src/text/secrets.ts";
import { fitText } from "../../src/terminal/lines.ts";
import { parseNetrc } from "../../src/login/netrc.ts";
import { formatFtpUrl } from "../../src/url/format.ts";
import { parseFtpUrl } from "../../src/url/ftp-url.ts";
import { resolveReference } from "../../src/url/resolve.ts";

const readUrl = (text: string): unknown => {
  try {
    return formatFtpUrl(parseFtpUrl(text));
  } catch {
    return undefined;
  }
};

const readers: Record<string, (text: string) => unknown> = {
  redact: redactUrlText,
  url: readUrl,
  resolve: (text) => resolveReference(text, "ftp://h/a/"),
  conceal,
  escape: escapeControls,
  glob: (text) => parseGlob("*a*:*@b*x").matches(text),
  netrc: parseNetrc,
  fit: (text) => fitText(text, 20),
};

const pieces = [
  "a",
  "a:",
  "a@",
  ":@",
  "/",
  "a/",
  "//",
  "?",
  "#a",
  ".",
  "1.",
  ";type=a",
  "%41",
  " a",
  "\n ",
  '\\"',
  "ü",
  "ftp:",
  "@a/",
];
const ends: readonly (readonly [start: string, end: string])[] = [
  ["", ""],
  ["ftp://", "@h/x"],
  ["ftp://u:p@h/", "\n"],
  ["<URL:", ">"],
  ["u:p@a/", "#\n"],
];

keepSecret("a:a:a:b");

/** Milliseconds of this process's CPU: other processes of the machine don't count. */
function cost(read: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const length = 8000;

test.each(Object.entries(readers))(
  "%s takes eight times as long for eight times the text",
  (_name, read) => {
    for (const [start, end] of ends)
      for (const piece of pieces) {
        const text = (times: number) => start + piece.repeat((length * times) / piece.length) + end;
        const once = Math.min(cost(read, text(1)), cost(read, text(1)));
        // A quadratic one takes 64 times as long: a hundred milliseconds, and six seconds.
        const isLinear =
          cost(read, text(8)) < 16 * once + 60 || cost(read, text(8)) < 16 * once + 60;
        expect(isLinear, JSON.stringify([start, piece, end])).toBe(true);
      }
  },
);

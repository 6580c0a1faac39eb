/** Hints about the port: what a server there may want. */
import { expect, test } from "vitest";
import { hintFor } from "../../src/documents/hints.ts";
import { NoMatch } from "../../src/documents/tree/directory-task.ts";
import { FtpullError, NetworkFailure } from "../../src/errors.ts";
import { ReplyError } from "../../src/ftp/control/reply.ts";
import { DirectoryRefused } from "../../src/ftp/path-steps.ts";
import { formatFtpUrl } from "../../src/url/format.ts";
import { parseFtpUrl } from "../../src/url/ftp-url.ts";

const refused = (port: number) =>
  new FtpullError("network", "connection refused", {
    cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED", port }),
  });
const silent = new NetworkFailure("the server did not answer within 30 s");
const notFound = new NetworkFailure(
  "an unknown host",
  Object.assign(new Error("unknown"), { code: "ENOTFOUND" }),
);
const missing = new ReplyError("cannot retrieve", { code: 550, lines: ["550 no"] });
const denied = new ReplyError("cannot retrieve", { code: 550, lines: ["550 Permission denied."] });
const noMatch = new NoMatch("refused", "no name matches the pattern");
const braces = "{a,b} is for bash to expand, without quotes; else give each URL";
const usual = "the port of most servers is 21: ftpull ftp://h/x";
const lookUp = "see whether names are found at all, with: getent hosts h";
const both = "TLS from the first octet is ftps:, on port 21 it is ftpes:, as in: ftpull ";

test.each([
  ["a refused 990", "ftp://h:990/x", refused(990), `${both}ftps://h/x`],
  ["a silent 990", "ftp://h:990/x", silent, `${both}ftps://h/x`],
  ["a refused ftps:", "ftps://h/x", refused(990), `${both}ftpes://h/x`],
  ["a refused port", "ftp://h:22/x", refused(22), usual],
  ["port 21", "ftp://h/x", refused(21), "a server at another port is named as in: ftp://h:2121/"],
  ["another silence", "ftp://h/x", silent, undefined],
  ["an unknown host", "ftp://u:p@h/x", notFound, lookUp],
  [
    "a host that may be the rest of a password",
    "ftp://u:p@ss/word@h/x",
    notFound,
    'in a user name or a password write "%" as %25, "@" as %40, "/" as %2F, "?" as %3F and "#" as %23',
  ],
  [
    "a path that was meant from the root",
    "ftp://h//tmp/x",
    new DirectoryRefused({ cwds: ["tmp"], reply: { code: 550, lines: ["550 no"] } }),
    `"//" doesn't lead to the server's root, %2F does: ftpull ftp://h/%2Ftmp/x`,
  ],
  ["a name", "ftp://h/d/x", missing, "list the directory with: ftpull ftp://h/d/"],
  [
    "a name that another user may read",
    "ftp://h/d/x",
    denied,
    "perhaps another user may read it: --user NAME",
  ],
  ["braces that a shell left", "ftp://h/x{a,b}", missing, braces],
  ["braces in a pattern", "ftp://h/{a,b}*", noMatch, braces],
])("%s", (_claim, text, error, hint) => {
  expect(hintOf(text, error)).toBe(hint);
});

test.each([
  ["ftp://h:22/x", refused(22)],
  ["ftp://h:990/x", silent],
  ["ftps://h/x", refused(990)],
])("no other port is proposed for %s where a server has answered before", (text, error) => {
  expect(hintOf(text, error, true)).toBe(undefined);
});

function hintOf(text: string, error: FtpullError, hasGreeted = false): string | undefined {
  const url = parseFtpUrl(text);
  const command = (one: typeof url, ...words: string[]) =>
    ["ftpull", ...words, formatFtpUrl(one)].join(" ");
  return hintFor(error, { url, shownUrl: text, command, hasGreeted });
}

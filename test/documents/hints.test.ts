import { expect, test } from "vitest";
import { hintFor } from "../../src/documents/hints.ts";
import { FtpullError, networkError } from "../../src/errors.ts";
import { hints } from "../../src/hints.ts";
import { ReplyError } from "../../src/ftp/control/reply.ts";
import { DirectoryRefused } from "../../src/ftp/path-steps.ts";
import { parseFtpUrl } from "../../src/url/ftp-url.ts";

const failure = (code: string) =>
  networkError("it failed", Object.assign(new Error(code), { code }));
const refused = failure("ECONNREFUSED");
const silent = networkError("the server did not answer within 30 s");
const reply = (text: string) => ({ code: 550, lines: [`550 ${text}`] });
const missing = new ReplyError("cannot retrieve", reply("no"));
const denied = new ReplyError("cannot retrieve", reply("Permission denied."));
const noDirectory = new DirectoryRefused({ cwds: ["tmp"], reply: reply("no") });

test.each<[string, string, FtpullError, string | undefined]>([
  ["a refused port", "ftp://h:22/x", refused, undefined],
  ["port 21", "ftp://h/x", refused, undefined],
  ["a silent server", "ftp://h:2121/x", silent, undefined],
  ["an unknown host", "ftp://u:p@h/x", failure("ENOTFOUND"), undefined],
  [
    "a path that was meant from the root",
    "ftp://h//tmp/x",
    noDirectory,
    `"//" doesn't lead to the server's root, %2F does: ftp://h/%2Ftmp/x`,
  ],
  ["a directory", "ftp://h/tmp/x", noDirectory, "list the directory: ftp://h/"],
  ["a name", "ftp://h/d/x", missing, "list the directory: ftp://h/d/"],
  ["a name that another user may read", "ftp://h/d/x", denied, undefined],
  ["an encoded blank", "ftp://h/a%20b", missing, "list the directory: ftp://h/"],
  ["a warning of another kind", "ftp://u:p@q@h/d/x", missing, "list the directory: ftp://u@h/d/"],
  ["a query", "ftp://h/x?.txt", missing, hints.encoding],
  ["a fragment", "ftp://h/x#1", missing, hints.encoding],
  ["an unknown typecode", "ftp://h/x;type=a.txt", missing, hints.encoding],
])("%s: %s", (_claim, text, error, hint) => {
  expect(hintFor(error, parseFtpUrl(text))).toEqual(hint);
});

test("there are at most fifteen hints", () => {
  expect(Object.keys(hints).length).toBeLessThanOrEqual(15);
});

import { describe, expect, test } from "vitest";
import type { Settings } from "../../src/options/command-line.ts";
import { explain } from "../../src/run/explain.ts";
import { formatFtpUrl } from "../../src/url/format.ts";
import { parseFtpUrl } from "../../src/url/ftp-url.ts";
import { planOf } from "../../src/url/plan.ts";

function explained(text: string, options?: Partial<Settings>): string {
  const url = parseFtpUrl(text);
  return explain({ url, plan: planOf(url), shownUrl: formatFtpUrl(url) }, options);
}

/** The second block. */
function commands(text: string, options?: Partial<Settings>): string[] {
  const block = explained(text, options).split("\n\n")[1] ?? "";
  return block
    .split("\n")
    .filter((line) => /^ {2}\S/.test(line))
    .map((line) => line.slice(2));
}

test("a whole explanation", () => {
  expect(explained("ftp://fred:secret@ftp.example.com:2121/pub/a%20b;1?x")).toBe(`\
ftp://fred@ftp.example.com:2121/pub/a%20b%3B1

  connect
  HOST ftp.example.com
  USER fred
  PASS ***
  FEAT
  OPTS UTF8 ON
  PWD
  CWD pub
  TYPE I
  SIZE a b;1
  MDTM a b;1
  EPSV
  RETR a b;1
  QUIT
`);
});

describe("the commands", () => {
  const before = ["HOST h", "USER anonymous", "PASS ***"];
  const features = ["FEAT", "OPTS UTF8 ON"];

  test.each<[string, string, Partial<Settings>, string[]]>([
    [
      "P4 --active",
      "ftp://h/",
      { active: true },
      ["connect", ...before, ...features, "EPRT", "MLSD", "QUIT"],
    ],
    [
      "U1 explicit TLS",
      "ftpes://h/",
      {},
      ["connect", "AUTH TLS", ...before, "PBSZ 0", "PROT P", ...features, "EPSV", "MLSD", "QUIT"],
    ],
    [
      "U1 implicit TLS",
      "ftps://h/",
      {},
      ["connect, TLS", ...before, "PBSZ 0", "PROT P", ...features, "EPSV", "MLSD", "QUIT"],
    ],
  ])("%s", (_claim, text, options, expected) => {
    expect(commands(text, options)).toEqual(expected);
  });

  test.each([
    ["X4 control characters", "ftp://h/a%1B[31m", {}, "RETR a\\x1b[31m"],
    ["octets that are not UTF-8", "ftp://h/%E7", {}, "RETR %E7"],
    ["octets in the server's encoding", "ftp://h/%E7", { remoteEncoding: "latin1" }, "RETR ç"],
  ])("%s in an argument", (_what, text, options, command) => {
    expect(commands(text, options)).toContain(command);
  });
});

test("--verify asks for checksums of files, but not of files of checksums", () => {
  const verify = { verify: true };
  expect(commands("ftp://h/x", verify)).toEqual(commands("ftp://h/x").toSpliced(-3, 0, "MLSD"));
  for (const url of ["ftp://h/SHA256SUMS", "ftp://h/d/"])
    expect(explained(url, verify)).toBe(explained(url));
});

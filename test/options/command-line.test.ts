/** The command line: settings, what contradicts, and what is refused. */
import { describe, expect, test, vi } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { FtpullError } from "../../src/errors.ts";
import { parseCommandLine, type Settings } from "../../src/options/command-line.ts";
import { optionGroups, shownOptions } from "../../src/options/table.ts";
import { rowsOf, wordsOf } from "../support/rows.ts";

const url = "ftp://h/x";

/** Settings of a command line that is right. */
function settings(...argv: string[]): Settings {
  const parsed = parseCommandLine(argv).settings;
  if (parsed === undefined) throw new Error(`"${argv.join(" ")}" asks for a text`);
  return parsed;
}

/** The settings that differ from those of a URL alone. */
function changes(...argv: string[]): Partial<Settings> {
  const defaults: Partial<Record<string, unknown>> = { ...settings(url) };
  const given = Object.entries(settings(...argv));
  return Object.fromEntries(
    given.filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(defaults[key])),
  );
}

/** The error of a command line that is wrong: its message and its hint. */
function complaint(...argv: string[]): { message: string; hint: string | undefined } {
  try {
    parseCommandLine(argv);
  } catch (error) {
    if (!(error instanceof FtpullError)) throw error;
    expect(error.kind).toBe("usage");
    return { message: error.message, hint: error.hint };
  }
  throw new Error(`"${argv.join(" ")}" was understood`);
}

describe("settings", () => {
  test("a URL alone leaves every default", () => {
    expect(settings(url)).toMatchObject({
      urls: [url],
      directoryPrefix: ".",
      wantsFile: false,
      keepsTime: true,
      inputFiles: [],
      ebcdicEncoding: "cp037",
      level: undefined,
      cutDirs: 0,
      links: "keep",
      tries: 5,
      longestWaitMs: 30_000,
      pauseMs: 0,
      timeoutMs: 30_000,
      jobs: 1,
      segments: 1,
      family: undefined,
      sendHost: true,
      pipelining: true,
      proxy: undefined,
      netrcFile: undefined,
      verbosity: undefined,
    });
  });

  test.each<[string[], Partial<Settings>]>([
    [["-Olinks"], { outputDocument: "links", wantsFile: true }],
    [["--output-document=a=b"], { outputDocument: "a=b", wantsFile: true }],
    [["-O", "-nc"], { outputDocument: "-nc", wantsFile: true }],
    [["-P", "--"], { directoryPrefix: "--", wantsFile: true }],
    [["-P", "."], { wantsFile: true }],
    [["-s", "1"], { wantsFile: true }],
    [["--json"], { json: true, wantsFile: true }],
    [["-fqO-"], { force: true, verbosity: "quiet", outputDocument: "-" }],
    [["--no-mtime", "--no-input"], { keepsTime: false, noInput: true }],
    [["--no-netrc", "--no-proxy"], { netrcFile: "", proxy: "" }],
    [["--user", "al", "--account", "x y"], { user: "al", account: "x y" }],
    [["-T", "1.5", "--waitretry=2"], { timeoutMs: 1500, longestWaitMs: 2000 }],
    [["-t", "inf", "--wait=0.5"], { tries: 0, pauseMs: 500 }],
    [["--timeout=2147483"], { timeoutMs: 2_147_483_000 }],
    [
      ["--checksum", `MD5:${"A".repeat(32)}`],
      { checksum: { algorithm: "md5", value: "a".repeat(32) } },
    ],
    [
      ["--checksum", `sha-256=${"A".repeat(64)}`],
      { checksum: { algorithm: "sha256", value: "a".repeat(64) } },
    ],
    [["--limit-rate", "500k"], { limitRate: 512_000 }],
    [["--limit-rate=1.5M"], { limitRate: 1_572_864 }],
    [["--limit-rate", "0"], { limitRate: 0 }],
    [["-r", "-l", "inf"], { recursive: true, level: 0 }],
    [["-m"], { recursive: true, timestamping: true }],
    [["-rnHq"], { recursive: true, noHostDirectories: true, verbosity: "quiet" }],
    [["--allow-port", "1", "--allow-port=65535"], { allowPorts: [1, 65_535] }],
    [["-4", "--active"], { family: 4, active: true }],
    [["--tls", "--no-check-certificate"], { tls: true, noCheckCertificate: true }],
    [["-nvnd"], { verbosity: "lines", noDirectories: true }],
    [["--timeo=5", "--cont"], { timeoutMs: 5000, continue: true }],
  ])("%j gives %j", (argv, expected) => {
    expect(changes(...argv, url)).toMatchObject(expected);
    expect(changes(url, ...argv)).toEqual(changes(...argv, url));
  });

  test("what follows -- is a URL whatever it looks like", () => {
    expect(settings("-q", "--", "-nc", "--force").urls).toEqual(["-nc", "--force"]);
  });

  test("an input file does instead of a URL", () => {
    expect(settings("-i", "-").urls).toEqual([]);
  });
});

test.each<[argv: string[], expected: Partial<Settings>]>([
  [["-t3", "-t", "9"], { tries: 9 }],
  [["-P", "a", "--directory-prefix=b"], { directoryPrefix: "b" }],
  [["--format", "raw", "--list-only"], { format: "names" }],
  [["-q", "-v"], { verbosity: "verbose" }],
  [["-vq"], { verbosity: "quiet" }],
  [["-v", "-q", "-nv"], { verbosity: "lines" }],
  [["-4", "-6"], { family: 6 }],
  [["-6", "--ipv4"], { family: 4 }],
  [["--netrc-file", "f", "--no-netrc"], { netrcFile: "" }],
  [["--no-proxy", "--proxy", "http://h:1"], { proxy: "http://h:1" }],
])("of %j the last one counts", (argv, expected) => {
  expect(settings(...argv, url)).toMatchObject(expected);
});

test("a time without Z is in this machine's zone", () => {
  vi.stubEnv("TZ", "Etc/GMT+5");
  const { newerThan } = settings("--newer-than=2026-11-01", url);
  vi.unstubAllEnvs();
  expect(newerThan).toEqual(new Date("2026-11-01T05:00Z"));
});

test("options that add up keep all their arguments", () => {
  const argv = ["-A", "a", "-A", "b,c", "-R", "d", "-Re/", "-X", "f", "-X", "/g/h", "-i", "l"];
  const more = ["--input-file=m", "--site", "s 1", "--site=s 2"];
  expect(settings(...argv, ...more)).toMatchObject({
    accept: ["a", "b", "c"],
    reject: ["d", "e/"],
    excludeDirectories: ["f", "/g/h"],
    inputFiles: ["l", "m"],
    site: ["s 1", "s 2"],
  });
});

describe("usage errors", () => {
  const seeHelp = "see ftpull --help";

  /** What is typed, the message, and the hint. */
  const table = rowsOf(`
--pieces ${url} | unknown option '--pieces'
--fromat raw ${url} | unknown option '--fromat' | did you mean --format?
--forces ${url} | unknown option '--forces' | did you mean --force?
--frobnicate ${url} secret | unknown option '--frobnicate'
--tunnel=http://u:pass@h/ ${url} | unknown option '--tunnel'
-W ${url} | unknown option '-W'
-qWu:pass ${url} | unknown option '-W'
--=x ${url} | unknown option '--'
--ti=5 ${url} | unknown option '--ti'
--quiet=no ${url} | --quiet takes no argument
--list-only=raw ${url} | --list-only takes no argument
-q | no URL given
-- | no URL given
-O ${url} | -O names a file, not a URL: without -O a file keeps its name
${url} -T | option '--timeout <seconds>' argument missing
-e quota=1m ${url} | --execute "quota=1m": expected robots=off
-i - --password-file - | only one option can read standard input, by "-"
-r -R a/b ftp://h/d/ | --reject "a/b": expected names or patterns separated by commas, with a slash only at the end
`);

  test.each(table)("%s | %s", (typed = "", message = "", hint = seeHelp) => {
    const expected = /: expected | takes |only one| missing|-O n/.test(message) ? undefined : hint;
    expect(complaint(...wordsOf(typed))).toEqual({ message, hint: expected });
  });

  test.each([
    ["--timeout", "0", "a number of seconds above 0"],
    ["--timeout", "-1", "a number of seconds above 0"],
    ["--timeout", "0x1F", "a number of seconds above 0"],
    ["--timeout", "2147484", "a number of seconds above 0"],
    ["--checksum", "md5=", "md5, sha1, sha256 or sha512, a colon and all the hex digits"],
    ["--limit-rate", "k", "bytes a second, such as 500k or 2M"],
    ["--allow-port", "0", "a port from 1 to 65535"],
    ["--allow-port", "65536", "a port from 1 to 65535"],
    ["--format", "xml", "names, table, json, urls, raw"],
    ["--directory-prefix", "", "a text that isn't empty"],
    ["--newer-than", "yesterday", "a time such as 2026-11-01, 2026-11-01T12:00Z, 7d or 12h"],
    ["--bind-address", "eth0", "an IPv4 or IPv6 address"],
    ["--retry", "many", "a whole number"],
  ])("%s %j expects %s", (name, text, expected) => {
    const message = `${name} "${text}": expected ${expected}`;
    expect(complaint(`${name}=${text}`, url).message).toBe(message);
    expect(complaint(name, text, url).message).toBe(message);
  });

  test.each([
    ["--user", "a\r\nDELE x", "--user: expected a name without a colon"],
    ["--ftp-user", "jane:secret", "--user: expected a name without a colon"],
    ["--account", "secret\r\n", "--account: expected a line"],
    ["--site", "", "--site: expected a line"],
    ["-T", "ftp://u:secret@h/x", '--timeout "ftp://u@h/x": expected a number of seconds above 0'],
  ])("%s %j shows no secret", (option, text, message) => {
    expect(complaint(option, text, url).message).toBe(message);
  });

  test.each([
    ["-f -nc", "--no-clobber", "--force"],
    ["-N -f", "--timestamping", "--force"],
    ["-nc -N", "--timestamping", "--no-clobber"],
    ["-c -nc", "--continue", "--no-clobber"],
    ["-c -f", "--continue", "--force"],
    ["-m -f", "--mirror", "--force"],
    ["-r -O x", "--output-document <file>", "--recursive"],
    ["-m -O x", "--mirror", "--output-document <file>"],
    ["-N -O -", "--timestamping", "--output-document <file>"],
    ["-r --list-only", "--format <form>", "--recursive"],
    ["--spider --verify", "--spider", "--verify"],
    [
      `--checksums f --checksum=sha1:${"0".repeat(40)}`,
      "--checksum <alg:hex>",
      "--checksums <file>",
    ],
  ])("%s: both options are named", (typed, one, other) => {
    const { message } = complaint(...wordsOf(typed), url);
    expect([message, complaint(url, ...wordsOf(typed)).message]).toEqual([message, message]);
    expect(message).toBe(`option '${one}' cannot be used with option '${other}'`);
  });
});

describe("help and version", () => {
  const printed = (...argv: string[]): string => parseCommandLine(argv).text as string;

  test("-h is one screen: usage, options, three examples", () => {
    const lines = printed("-q", url, "-h").trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines[0]).toMatch(/^Usage: ftpull /);
    expect(lines.filter((line) => line.startsWith("  ftpull "))).toHaveLength(3);
  });

  test("--help has each option in its group, on a line of at most 80 columns", () => {
    const text = printed("--help");
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    for (const { names, summary } of shownOptions) {
      const line = text.split("\n").find((one) => one.trim().startsWith(`${names.join(", ")} `));
      expect(line).toContain(` ${summary}`);
    }
    const titles = optionGroups.map(([title]) => title);
    expect(text.match(/^[A-Z][a-z ]*(?=:$)/gim)).toEqual([...titles, "Environment", "Examples"]);
  });

  test.each(["-V", "--version"])("%s asks for the version", (flag) => {
    expect(printed(flag)).toBe(`ftpull ${packageJson.version}\n`);
  });
});

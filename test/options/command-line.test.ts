import { describe, expect, expectTypeOf, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { FtpullError } from "../../src/errors.ts";
import { parseCommandLine } from "../../src/options/command-line.ts";
import type { Settings } from "../../src/options/command-line.ts";
import { foreignOptions } from "../../src/options/foreign.ts";
import { options, type OptionRecord } from "../../src/options/table.ts";
import { rowsOf, wordsOf } from "../support/rows.ts";
import { run } from "../support/run-here.ts";

const url = "ftp://h/x";

const defaults: Omit<Settings, "given"> = {
  urls: [url],
  outputDocument: undefined,
  directoryPrefix: ".",
  timestamping: false,
  force: false,
  noClobber: false,
  continue: false,
  noMtime: false,
  checksum: undefined,
  checksums: undefined,
  verify: false,
  verifyAll: false,
  inputFiles: [],
  base: undefined,
  root: false,
  nullCwd: false,
  guessType: false,
  remoteEncoding: undefined,
  ebcdicEncoding: "cp037",
  explain: false,
  spider: false,
  recursive: false,
  mirror: false,
  level: 5,
  accept: [],
  reject: [],
  newerThan: undefined,
  olderThan: undefined,
  forceDirectories: false,
  noHostDirectories: false,
  cutDirs: 0,
  excludeDirectories: [],
  delete: false,
  maxDelete: undefined,
  noDirectories: false,
  links: "keep",
  noGlob: false,
  format: undefined,
  user: undefined,
  passwordFile: undefined,
  askPassword: false,
  account: undefined,
  site: [],
  netrcFile: undefined,
  noNetrc: false,
  noInput: false,
  timeoutMs: 30_000,
  speedLimit: undefined,
  speedTimeMs: 30_000,
  limitRate: undefined,
  tries: 5,
  waitRetryMs: 30_000,
  waitMs: 0,
  randomWait: false,
  inet4Only: false,
  inet6Only: false,
  bindAddress: undefined,
  active: false,
  noHost: false,
  noPipelining: false,
  proxy: undefined,
  noProxy: false,
  jobs: 1,
  segments: 1,
  allowPorts: [],
  tls: false,
  caCertificate: undefined,
  certificate: undefined,
  privateKey: undefined,
  pinnedKey: undefined,
  noCheckCertificate: false,
  quiet: false,
  noVerbose: false,
  verbose: false,
  progress: undefined,
  json: false,
};

/** The settings of a command line that is right. */
function settings(...argv: string[]): Omit<Settings, "given"> {
  const result = parseCommandLine(argv);
  if (result.action !== "run") throw new Error(`"${argv.join(" ")}" asks for ${result.action}`);
  const { given: _given, ...settings } = result.settings;
  return settings;
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
    expect(settings(url)).toEqual(defaults);
  });

  test.each<[string[], Partial<Settings>]>([
    [["-O", "-"], { outputDocument: "-" }],
    [["-Ofile"], { outputDocument: "file" }],
    [["--output-document=a=b"], { outputDocument: "a=b" }],
    [["--output-document=--force"], { outputDocument: "--force" }],
    [["-P", "-*"], { directoryPrefix: "-*" }],
    [["-P", "dir"], { directoryPrefix: "dir" }],
    [["--out", "a", "--timeo=5"], { outputDocument: "a", timeoutMs: 5000 }],
    [["--no-cl", "--quie"], { noClobber: true, quiet: true }],
    [["-f", "-q"], { force: true, quiet: true }],
    [["-fqO-"], { force: true, quiet: true, outputDocument: "-" }],
    [["--no-clobber"], { noClobber: true }],
    [["--no-mtime", "--no-host"], { noMtime: true, noHost: true }],
    [["--no-netrc", "--no-input"], { noNetrc: true, noInput: true }],
    [["-i", "urls", "-B", "ftp://h/"], { inputFiles: ["urls"], base: "ftp://h/" }],
    [["-i", "b", "-i", "-", "-ia"], { inputFiles: ["b", "-", "a"] }],
    [["--root", "--null-cwd", "--guess-type"], { root: true, nullCwd: true, guessType: true }],
    [["--remote-encoding", "koi8-r"], { remoteEncoding: "koi8-r" }],
    [["--ebcdic-encoding", "cp1047"], { ebcdicEncoding: "cp1047" }],
    [["--explain", "--format", "json"], { explain: true, format: "json" }],
    [["--user", "al", "--account", "x y"], { user: "al", account: "x y" }],
    [["--password-file", "-"], { passwordFile: "-" }],
    [["--ask-password", "--netrc-file", "n"], { askPassword: true, netrcFile: "n" }],
    [["-T", "0.5"], { timeoutMs: 500 }],
    [["-T.25"], { timeoutMs: 250 }],
    [["-T", "1.5m", "--waitretry=2s"], { timeoutMs: 90_000, waitRetryMs: 2000 }],
    [["-t", "inf", "--waitretry=5"], { tries: 0, waitRetryMs: 5000 }],
    [["--wait=2", "--random-wait"], { waitMs: 2000, randomWait: true }],
    [["-w0.5"], { waitMs: 500 }],
    [["--tries=0", "--waitretry", "0"], { tries: 0, waitRetryMs: 0 }],
    [["--timeout=2147483"], { timeoutMs: 2_147_483_000 }],
    [
      ["--checksum", `MD5:${"A".repeat(32)}`],
      { checksum: { algorithm: "md5", value: "a".repeat(32) } },
    ],
    [
      ["--checksum", `sha-256=${"A".repeat(64)}`],
      { checksum: { algorithm: "sha256", value: "a".repeat(64) } },
    ],
    [["--checksum", "B".repeat(40)], { checksum: { algorithm: "sha1", value: "b".repeat(40) } }],
    [["--checksums", "-"], { checksums: "-" }],
    [["--pinnedpubkey", "fF".repeat(32)], { pinnedKey: `sha256//${"/".repeat(42)}8=` }],
    [
      ["--pinnedpubkey", Array(32).fill("00").join(":")],
      { pinnedKey: `sha256//${"A".repeat(43)}=` },
    ],
    [["--pinnedpubkey", "ff".repeat(31)], { pinnedKey: "ff".repeat(31) }],
    [["--speed-limit=1k"], { speedLimit: 1024 }],
    [["--speed-time", "9"], { speedLimit: 1, speedTimeMs: 9000 }],
    [["--speed-time", "9", "--speed-limit", "5"], { speedLimit: 5, speedTimeMs: 9000 }],
    [["--limit-rate", "1"], { limitRate: 1 }],
    [["--limit-rate", "500k"], { limitRate: 512_000 }],
    [["--limit-rate=1.5M"], { limitRate: 1_572_864 }],
    [["--limit-rate=.5K"], { limitRate: 512 }],
    [["--limit-rate", "2g"], { limitRate: 2_147_483_648 }],
    [["--limit-rate", "500kb"], { limitRate: 512_000 }],
    [["--limit-rate", "2MB"], { limitRate: 2_097_152 }],
    [["--limit-rate", "0"], { limitRate: 0 }],
    [["-r", "-l", "inf", "--tries=inf"], { recursive: true, level: 0, tries: 0 }],
    [["--progress", "dot:giga"], { progress: "plain" }],
    [["--progress=bar:force:noscroll"], { progress: "bar" }],
    [["-s", "4", "-j2"], { segments: 4, jobs: 2 }],
    [["--allow-port", "1", "--allow-port=65535"], { allowPorts: [1, 65_535] }],
    [["-4", "--active"], { inet4Only: true, active: true }],
    [["-6"], { inet6Only: true }],
    [["--tls", "--ca-certificate", "ca.pem"], { tls: true, caCertificate: "ca.pem" }],
    [
      ["--certificate", "c", "--private-key", "k", "--no-check-certificate"],
      { certificate: "c", privateKey: "k", noCheckCertificate: true },
    ],
    [["-nv"], { noVerbose: true }],
    [["-nvnc"], { noVerbose: true, noClobber: true }],
    [["-v", "--progress", "plain"], { verbose: true, progress: "plain" }],
  ])("%j gives %j", (argv, expected) => {
    expect(settings(...argv, url)).toEqual({ ...defaults, ...expected });
    expect(settings(url, ...argv)).toEqual({ ...defaults, ...expected });
  });

  test("a whole name is no abbreviation of a longer one", () => {
    expect(complaint("--checksum", "x", url).message).toContain('--checksum "x": expected');
  });

  test("a flag may be given twice", () => {
    expect(settings("-q", "-qf", "--quiet", url)).toEqual({
      ...defaults,
      quiet: true,
      force: true,
    });
  });

  test("what follows -- is a URL whatever it looks like", () => {
    expect(settings("-q", "--", "-nc", "--force").urls).toEqual(["-nc", "--force"]);
  });

  test("an input file does instead of a URL", () => {
    expect(settings("-i", "-").urls).toEqual([]);
  });

  test("one command line leaves nothing behind for the next", () => {
    settings("--allow-port", "25", url);
    expect(settings(url).allowPorts).toEqual([]);
  });

  test("the types of settings come from the table", () => {
    expectTypeOf<Settings["format"]>().toEqualTypeOf<
      "names" | "table" | "json" | "urls" | "raw" | undefined
    >();
    expectTypeOf<Settings["timeoutMs"]>().toEqualTypeOf<number>();
    expectTypeOf<Settings["allowPorts"]>().toEqualTypeOf<readonly number[]>();
    expectTypeOf<Settings["user"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Settings["force"]>().toEqualTypeOf<boolean>();
  });
});

describe("wget's -nc", () => {
  test.each([[["-nc"]], [["-q", "-nc"]], [["-qnc"]], [["-ncq"]], [["-P", "dir", "-nc"]]])(
    "is --no-clobber in %j",
    (argv) => {
      expect(settings(...argv, url).noClobber).toBe(true);
    },
  );

  test.each([
    [["--output-document=-nc"], "outputDocument"],
    [["-P-nc"], "directoryPrefix"],
  ] as const)("is an argument in %j", (argv, name) => {
    expect(settings(...argv, url)).toMatchObject({ [name]: "-nc", noClobber: false });
  });
});

describe("usage errors", () => {
  const seeHelp = "see ftpull --help";
  const dash = "-O - writes to standard output, and -i - reads URLs from standard input";
  const noDialogue = " and the path of a file: commands of ftp are not read";
  const dashHint = 'an argument that begins with "-" follows "=", as in --directory-prefix=-x';

  /** What is typed, the message, and the hint. */
  const table = rowsOf(`
--pieces ${url} | unknown option "--pieces"
--fromat raw ${url} | unknown option "--fromat": did you mean --format? | write: ftpull --format raw ftp://h/x
--no-mime ${url} | unknown option "--no-mime": did you mean --no-mtime? | write: ftpull --no-mtime ftp://h/x
--noclobbre ${url} | unknown option "--noclobbre": did you mean --no-clobber? | write: ftpull --no-clobber ftp://h/x
--forces ${url} | unknown option "--forces": did you mean --force? | write: ftpull --force ftp://h/x
--post 2121 ${url} | unknown option "--post"
mirror ${url} | "mirror" is neither an option nor a URL: write -m | write: ftpull -m ${url}
-q pget ${url} | "pget" is neither an option nor a URL | write: ftpull -q ${url}
mget | "mget" is neither an option nor a URL | a host without a dot is written as ftp://mget/
${url} dl/ | "dl/" is neither an option nor a URL: write -P DIRECTORY | write: ftpull -P dl/ ${url}
localhost | "localhost" is neither an option nor a URL | a host without a dot is written as ftp://localhost/
mirror -c ${url} genomes | "mirror" is neither an option nor a URL: write -m; "genomes" is neither an option nor a URL: write -P DIRECTORY | write: ftpull -nH --cut-dirs 1 -P genomes -m -c ${url}
${url} . | "." is neither an option nor a URL: write -P DIRECTORY | write: ftpull -P . ${url}
h.org /tmp/in /logs/a.log | "/tmp/in" is neither an option nor a URL | write: ftpull -P /tmp/in ftp://h.org/logs/a.log
/etc/passwd | "/etc/passwd" is neither an option nor a URL
--frobnicate ${url} secret | unknown option "--frobnicate"
${url} --frobnicate secret | unknown option "--frobnicate"
${url} a/dl | "a/dl" is neither an option nor a URL: write -P DIRECTORY | write: ftpull -P a/dl ${url}
localhost/x | "localhost/x" is neither an option nor a URL | write: ftpull ftp://localhost/x
put x ${url} | "put" is neither an option nor a URL | there are no uploads
${url} - | "-" is neither an option nor a URL | ${dash}
-- - | "-" is neither an option nor a URL | ${dash}
-n h.org 2121 | "2121" is neither an option nor a URL | write ftp://h.org:2121/${noDialogue}
--user frank --ask-password 10.0.0.1 . /pub/x | "." is neither an option nor a URL | write: ftpull --user frank --ask-password -P . ftp://10.0.0.1/pub/x
-r 10.0.0.1:2121 . /pub/d | "." is neither an option nor a URL | write: ftpull -r -P . ftp://10.0.0.1:2121/pub/d
h.org:2121 pub/x.gz | "pub/x.gz" is neither an option nor a URL | write: ftpull ftp://h.org:2121/pub/x.gz
localhost:2121 /pub/x | "/pub/x" is neither an option nor a URL | write: ftpull ftp://localhost:2121/pub/x
-q ftp.h.org:2121 README.txt | "README.txt" is neither an option nor a URL | write: ftpull -q ftp://ftp.h.org:2121/README.txt
h.org pub/ | "pub/" is neither an option nor a URL | write: ftpull ftp://h.org/pub/
localhost 2121 | "localhost" is neither an option nor a URL | write ftp://localhost:2121/${noDialogue}
ftps://u@h/ 2121 | "2121" is neither an option nor a URL | write ftps://u@h:2121/${noDialogue}
ftp://alice:s3cret!@h:2121 README | "README" is neither an option nor a URL | write: FTPULL_PASSWORD='***' ftpull ftp://alice@h:2121/README
a.csv ${url} | "a.csv" is neither an option nor a URL | there are no uploads; a file stands behind its option, as in --checksums FILE
ftp://h/d/ mget '*.txt' | "mget" is neither an option nor a URL | write: ftpull 'ftp://h/d/*.txt'
-B ${url} | no URL given, but in: -B ${url} | ${seeHelp}
-r --format raw ftp://h/d/ | --recursive and --format contradict each other | what a tree has is listed by -r --spider
-N -O x ${url} | --timestamping and --output-document contradict each other | -N compares the file that has the URL's name: -P names its directory
-A '*.{gz,xz}' ftp://h/* | --accept "*.{gz,xz}": expected names or patterns separated by commas, without {a,b}, nor a slash but at the end
-r -A '*/*.gz' ftp://h/d/ | --accept "*/*.gz": expected names or patterns separated by commas, without {a,b}, nor a slash but at the end
-r -R a/b ftp://h/d/ | --reject "a/b": expected names or patterns separated by commas, without {a,b}, nor a slash but at the end
${url} 'C:\\in\\x.log' | "C:\\in\\x.log" is neither an option nor a URL: write -O FILE | write: ftpull -O 'C:\\in\\x.log' ${url}
-s 4 16 ${url} | "16" is neither an option nor a URL
--=x ${url} | unknown option "--"
-W ${url} | unknown option "-W"
-qW ${url} | unknown option "-W"
--quiet=no ${url} | --quiet takes no argument
--ftp-password:pass ${url} | unknown option "--ftp-password"
--tunnel=http://u:pass@h/ ${url} | unknown option "--tunnel"
-Wu:pass ${url} | unknown option "-W"
-password ${url} | unknown option "-p": see --ask-password, or put the port into the URL
-qWu:pass ${url} | unknown option "-W"
--ti=5 ${url} | "--ti" may be --timestamping or --timeout
--check=secret ${url} | "--check" may be --checksum or --checksums
--passw=secret ${url} | unknown option "--passw"
--qui=no ${url} | --quiet takes no argument
-l 1 ${url} | --level is for --recursive, which is not given
--base ftp://h/ --delete mirror x/ | --delete is for --recursive, which is not given
mirror --private-key k ${url} | --private-key is for --certificate, which is not given; "mirror" is neither an option nor a URL: write -m
-l5 -A gz ${url} | --level is for --recursive, which is not given
-q | no URL given
-- | no URL given
${url} -P -uj:secret | no argument for "-P, --directory-prefix <dir>"; unknown option "-u": write --user NAME (and the variable FTPULL_PASSWORD, or --password-file FILE) | ${dashHint}
-nv -B ${url} -i | no argument for "-i, --input-file <file>"
-i -q | no argument for "-i, --input-file <file>" | ${dashHint}
-i -- ${url} | no argument for "-i, --input-file <file>" | ${dashHint}
${url} -T | no argument for "-T, --timeout <seconds>"
`);

  test.each(table)("%s | %s", (typed = "", message = "", hint = seeHelp) => {
    expect(complaint(...wordsOf(typed))).toEqual({ message, hint });
  });

  test.each([
    [["--what's-up", url], 'unknown option "--what\'s-up"'],
    [["--a\n(Did you mean b?)", url], 'unknown option "--a\n(Did you mean b?)"'],
    [[], "no URL given"],
  ])("%j: %s", (argv, message) => {
    expect(complaint(...argv)).toEqual({ message, hint: seeHelp });
  });

  test.each(Object.values(options).map(({ long }) => long))(
    "the opposite of %s isn't proposed",
    (long) => {
      const opposite = long.startsWith("--no-")
        ? long.replace("no-", "")
        : long.replace("--", "--no-");
      if (Object.values(options).some((other) => other.long.startsWith(opposite))) return;
      if ([...foreignOptions.keys()].some((other) => other.startsWith(opposite))) return;
      expect(complaint(opposite, url).hint).not.toBe(`did you mean ${long}?`);
    },
  );

  test.each([
    ["--timeout", "0", "a number of seconds above 0"],
    ["--timeout", "-1", "a number of seconds above 0"],
    ["--timeout", "1mm", "a number of seconds above 0"],
    ["--timeout", "1e3", "a number of seconds above 0"],
    ["--timeout", "0x1F", "a number of seconds above 0"],
    ["--timeout", "2147484", "a number of seconds above 0"],
    ["--timeout", "", "a number of seconds above 0"],
    [
      "--checksum",
      `sha-1:${"a".repeat(64)}`,
      "md5, sha1, sha256 or sha512, a colon and all the hex digits",
    ],
    ["--checksum", "md5=", "md5, sha1, sha256 or sha512, a colon and all the hex digits"],
    ["--checksum", "sha256:ab", "md5, sha1, sha256 or sha512, a colon and all the hex digits"],
    ["--limit-rate", "0.5", "octets per second, such as 500k or 2M"],
    ["--limit-rate", "-1", "octets per second, such as 500k or 2M"],
    ["--limit-rate", "k", "octets per second, such as 500k or 2M"],
    ["--limit-rate", "1e3", "octets per second, such as 500k or 2M"],
    ["--limit-rate", "", "octets per second, such as 500k or 2M"],
    ["--allow-port", "0", "a port from 1 to 65535"],
    ["--allow-port", "65536", "a port from 1 to 65535"],
    ["--allow-port", "ftp", "a port from 1 to 65535"],
    ["--format", "xml", "names, table, json, urls or raw"],
    ["--format", "", "names, table, json, urls or raw"],
    ["--ebcdic-encoding", "cp1", "cp037, cp273, cp500, cp1047, cp1140, cp1141 or cp1148"],
    ["--progress", "bars", "bar, plain or none"],
    ["--directory-prefix", "", "a text that isn't empty"],
    ["--timeout", "ftp://u@h/x", "a number of seconds above 0"],
  ])("%s %j expects %s", (long, text, expected) => {
    const message = `${long} "${text}": expected ${expected}`;
    expect(complaint(`${long}=${text}`, url).message).toBe(message);
    expect(complaint(long, text, url).message).toBe(message);
  });

  test.each(["ftp://h/MD5SUMS", "SHA256SUMS"])(
    "--checksum %s: a list is for --checksums",
    (list) => {
      expect(complaint("--checksum", list, url).hint).toMatch(/^--checksums takes a list/);
    },
  );

  test.each([
    ["--user", "a\r\nDELE x", "--user: expected one line of text"],
    ["--account", "secret\r\n", "--account: expected one line of text"],
    ["--account", "", '--account: expected one line of text, not "" (an unset variable?)'],
    ["--user", "", '--user: expected one line of text, not "" (an unset variable?)'],
    ["--ftp-user", "jane:secret", '--user "jane:...": the name contains a colon'],
    ["--ftp-user", "jane:sec\r\nret", '--user "jane:...": the name contains a colon'],
    ["--user", ":", '--user ":...": the name contains a colon'],
    ["-T", "ftp://u:secret@h/x", '--timeout "ftp://u@h/x": expected a number of seconds above 0'],
  ])("%s %j shows no secret", (option, text, message) => {
    expect(complaint(option, text, url).message).toBe(message);
  });

  test.each([
    [["-f", "-nc"], "--no-clobber", "--force"],
    [["--checksums", "f", `--checksum=sha1:${"0".repeat(40)}`], "--checksum", "--checksums"],
    [["-N", "-f"], "--timestamping", "--force"],
    [["-nc", "-N"], "--timestamping", "--no-clobber"],
    [["-N", "-O", "-"], "--timestamping", "--output-document"],
    [["-N", "--no-mtime"], "--timestamping", "--no-mtime"],
    [["--no-clobber", "--force"], "--no-clobber", "--force"],
    [["-fnvnc"], "--no-clobber", "--force"],
    [["-r", "--format", "json"], "--recursive", "--format"],
    [["--spider", "--list-only"], "--spider", "--format"],
    [["--spider", "--format", "json"], "--spider", "--format"],
  ])("%j is a contradiction that names both options", (argv, one, other) => {
    expect(complaint(...argv, url).message).toBe(`${one} and ${other} contradict each other`);
  });

  test.each<[argv: string[], expected: Partial<Settings>]>([
    [["-t3", "-q", "-t", "9"], { tries: 9, quiet: true }],
    [["-P", "a", "--directory-prefix=b"], { directoryPrefix: "b" }],
    [["--format", "raw", "--list-only"], { format: "names" }],
    [["--progress=bar", "--progress=none"], { progress: "none" }],
    [["-q", "-v"], { verbose: true }],
    [["-vq"], { quiet: true }],
    [["-v", "-q", "-nv"], { noVerbose: true }],
    [["-4", "-6"], { inet6Only: true }],
    [["-6", "--ipv4"], { inet4Only: true }],
    [["--no-input", "--ask-password"], { askPassword: true }],
    [["--ask-password", "--no-input"], { noInput: true }],
    [
      ["--password-file", "-", "--ask-password", "-i", "-"],
      { askPassword: true, inputFiles: ["-"] },
    ],
    [["--password-file", "-", "--password-file", "f"], { passwordFile: "f" }],
    [["--netrc-file", "f", "--no-netrc"], { noNetrc: true }],
    [["--proxy", "http://h:1", "--no-proxy"], { noProxy: true }],
    [["-r", "-l", "3", "-l", "4"], { recursive: true, level: 4 }],
  ])("of %j the last one counts", (argv, expected) => {
    expect(settings(...argv, url)).toEqual({ ...defaults, ...expected });
  });

  test("options that add up keep all their arguments", () => {
    const argv = [
      "-A",
      "a",
      "-A",
      "b,c",
      "-R",
      "d",
      "-R",
      "e",
      "--allow-port=25",
      "--allow-port=6667",
    ];
    expect(settings(...argv, url)).toMatchObject({
      accept: ["a", "b", "c"],
      reject: ["d", "e"],
      allowPorts: [25, 6667],
    });
  });

  test("standard input can be read by one option only", () => {
    const message = "--input-file=- and --password-file=- both read standard input";
    expect(complaint("-i", "-", "--password-file", "-").message).toBe(message);
    const twice = "--input-file=- and --input-file=- both read standard input";
    expect(complaint("-i", "-", "-i", "f", "-i", "-").message).toBe(twice);
    expect(settings("-i", "-", "--password-file", "f")).toMatchObject({ passwordFile: "f" });
  });
});

describe("help and version", () => {
  const help = parseCommandLine(["--help"]);
  const text = help.action === "print" ? help.text : "";

  test.each(["-h", "--help"])("%s asks for help, with or without URLs", (flag) => {
    expect(parseCommandLine([flag])).toEqual(help);
    expect(parseCommandLine(["-q", url, flag])).toEqual(help);
  });

  test.each(["-V", "--version"])("%s asks for the version", (flag) => {
    const version = { action: "print", text: `ftpull ${packageJson.version}\n` };
    expect(parseCommandLine([flag])).toEqual(version);
  });

  test("help fits 80 columns and gives no option more than one line", () => {
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    for (const { long } of Object.values(options)) {
      expect(text).toMatch(new RegExp(`^(  -.,| -..,|     ) ${long}( <[a-z]+>)? +[a-z].*$`, "m"));
    }
    expect(text).not.toMatch(/^ {10}/m);
  });

  test("help is in plain words, and the program prints it", async () => {
    expect(await run(["--help"])).toMatchObject({ status: 0, stdout: text, stderr: "" });
    expect(text).not.toMatch(/\boctets?\b|\bvain\b|\btype [aei]\b|\bsegment\b|algorithm:/i);
  });

  test("help names all that an argument may be, but for code pages", () => {
    for (const option of Object.values<OptionRecord>(options))
      for (const choice of option.argument === "page" ? [] : (option.choices ?? []))
        expect(option.summary).toMatch(new RegExp(`\\b${choice}\\b`));
  });

  test("help shows the headings of the table and ends with exit statuses and examples", () => {
    const headings = text.match(/^[A-Z].*:$/gm);
    const groups = Object.values<OptionRecord>(options).flatMap(({ heading = [] }) => heading);
    const expected = [...groups, "Environment", "Exit status", "Examples"];
    expect(headings).toEqual(expected.map((heading) => `${heading}:`));
    expect(text).toMatch(/Examples:\n( {2}ftpull .*\n){3}$/);
  });
});

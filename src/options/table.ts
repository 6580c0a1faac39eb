/**
 * The option table: one row per option, under the name of its setting. command-line.ts parses the command line and
 * prints --help by it. man/ftpull.1 describes the options at length.
 */
import { exitStatus } from "../errors.ts";
import type { ValueKind } from "./value-kinds.ts";

export interface OptionRecord extends OptionDetails {
  /** Names and argument in commander's form: `-O, --output-document <file>`; wget's short names may have 2 letters. */
  readonly flags: string;
  readonly short?: string | undefined;
  readonly long: string;
  readonly argument?: string | undefined;
  /** Text for --help: at most 60 columns, imperative. */
  readonly summary: string;
}

/**
 * Details of an option. `value` is the kind of its argument, unless the argument's name is one; default: text.
 * `excludes` has settings that can't be combined with this one (one side is enough); `overrides` has those of which
 * only the last counts; `implies` has settings that the option stands for, unless the user says otherwise.
 * `forTrees`: without -r and without a pattern, the option would have no effect.
 */
interface OptionDetails {
  readonly heading?: string;
  readonly value?: ValueKind;
  readonly choices?: readonly string[];
  readonly default?: string;
  readonly repeatable?: true;
  readonly forTrees?: true;
  readonly excludes?: readonly string[];
  readonly overrides?: readonly string[];
  readonly implies?: Readonly<Record<string, unknown>>;
}

export const options = {
  outputDocument: option(
    "-O, --output-document <file>",
    `write everything to one file; "-" is stdout`,
    { heading: "Documents" },
  ),
  directoryPrefix: option("-P, --directory-prefix <dir>", "save files in this directory", {
    default: ".",
  }),
  timestamping: option("-N, --timestamping", "fetch only what is newer, or of another size", {
    excludes: ["outputDocument", "force", "noClobber", "noMtime"],
  }),
  force: option("-f, --force", "replace existing files"),
  noClobber: option("-nc, --no-clobber", "skip URLs whose file exists", { excludes: ["force"] }),
  continue: option("-c, --continue", "resume a partial download", {
    excludes: ["force", "noClobber"],
  }),
  noMtime: option("--no-mtime", "do not set the modification time of files"),
  checksum: option("--checksum <value>", "verify the file, as in sha256:HEX", {
    value: "checksum",
    excludes: ["checksums"],
  }),
  checksums: option("--checksums <file>", `verify by a list of checksums; "-" is stdin`),
  verify: option("--verify", "verify by checksums found on the server"),
  verifyAll: option("--verify-all", "the same; one without a checksum is a failure", {
    implies: { verify: true },
  }),
  inputFiles: option("-i, --input-file <file>", `read URLs from a file; "-" is stdin`, {
    heading: "URLs",
    repeatable: true,
  }),
  base: option("-B, --base <url>", "resolve relative URLs against this one"),
  root: option("--root", "begin paths at the server's root directory"),
  nullCwd: option("--null-cwd", "send CWD for empty names in a path, too"),
  guessType: option("--guess-type", "fetch names with a text suffix as ASCII text"),
  remoteEncoding: option("--remote-encoding <name>", "use this encoding for names, not UTF-8"),
  ebcdicEncoding: option("--ebcdic-encoding <page>", "read EBCDIC by this code page", {
    choices: ["cp037", "cp1047"],
    default: "cp037",
  }),
  explain: option("--explain", "print the commands without connecting"),
  spider: option("--spider", "look whether files are there, fetch none", {
    excludes: ["outputDocument", "checksum", "verify", "explain", "format"],
  }),
  recursive: option("-r, --recursive", "fetch what is below a directory", {
    heading: "Whole directories",
    excludes: ["outputDocument", "checksum", "format"],
  }),
  mirror: option("-m, --mirror", "the same as -r -N -l 0", {
    implies: { recursive: true, level: 0 },
  }),
  level: option("-l, --level <number>", "levels of directories (default 5), 0 or inf: all", {
    value: "limit",
    forTrees: true,
  }),
  accept: option("-A, --accept <globs>", "fetch only files with these names", {
    repeatable: true,
    forTrees: true,
  }),
  reject: option("-R, --reject <globs>", "leave out files, or directories as in 'old/'", {
    repeatable: true,
    forTrees: true,
  }),
  newerThan: option("--newer-than <time>", "leave out files that are not newer", {
    forTrees: true,
  }),
  olderThan: option("--older-than <time>", "leave out files that are not older", {
    forTrees: true,
  }),
  excludeDirectories: option(
    "-X, --exclude-directories <dirs>",
    "leave out directories, as in /pub/old",
    { value: "paths", repeatable: true, forTrees: true },
  ),
  noDirectories: option("-nd, --no-directories", "save all files of a tree in one folder", {
    excludes: ["forceDirectories"],
  }),
  links: option("--links <how>", "keep, follow or skip links", {
    choices: ["keep", "follow", "skip"],
    default: "keep",
  }),
  forceDirectories: option("-x, --force-directories", "save files in host/path, as in the URL", {
    excludes: ["outputDocument"],
  }),
  noHostDirectories: option("-nH, --no-host-directories", "the same, without the host", {
    excludes: ["outputDocument"],
  }),
  cutDirs: option("--cut-dirs <number>", "without the first directories", {
    default: "0",
    excludes: ["outputDocument"],
  }),
  noGlob: option("--no-glob", "take a * or [ in a URL literally"),
  format: option("--format <format>", "list as names, table, json (lines), urls or raw", {
    heading: "Listings",
    choices: ["names", "table", "json", "urls", "raw"],
  }),
  user: option("--user <name>", "log in as this user if a URL names none", {
    heading: "Logging in",
    value: "user",
  }),
  passwordFile: option("--password-file <file>", `read the password from a file; "-" is stdin`, {
    overrides: ["askPassword"],
  }),
  askPassword: option("--ask-password", "ask for the password before connecting", {
    overrides: ["passwordFile", "noInput"],
  }),
  account: option("--account <name>", "send this account if a server asks for one", {
    value: "account",
  }),
  site: option("--site <text>", "send SITE with this text after each login", {
    value: "site",
    repeatable: true,
  }),
  netrcFile: option("--netrc-file <file>", "look up users and passwords in this file", {
    overrides: ["noNetrc"],
  }),
  noNetrc: option("--no-netrc", "do not read ~/.netrc", { overrides: ["netrcFile"] }),
  noInput: option("--no-input", "never ask a question: fail instead", {
    overrides: ["askPassword"],
  }),
  timeoutMs: option("-T, --timeout <seconds>", "wait this long for the server", {
    heading: "Connection",
    default: "30",
  }),
  tries: option("-t, --tries <number>", "give up after this many failed tries", {
    value: "limit",
    default: "5",
  }),
  waitRetryMs: option("--waitretry <seconds>", "limit the waits between tries", {
    value: "pause",
    default: "30",
  }),
  waitMs: option("-w, --wait <seconds>", "pause between files of a server", {
    value: "pause",
    default: "0",
  }),
  randomWait: option("--random-wait", "vary the pauses from half to 1.5 times", {}),
  speedLimit: option("--speed-limit <rate>", "try again if a transfer is slower than this"),
  speedTimeMs: option("--speed-time <seconds>", "the time for --speed-limit", {
    default: "30",
    implies: { speedLimit: 1 },
  }),
  limitRate: option("--limit-rate <rate>", "limit all transfers together to this rate"),
  inet4Only: option("-4, --inet4-only", "connect by IPv4 only", { overrides: ["inet6Only"] }),
  inet6Only: option("-6, --inet6-only", "connect by IPv6 only", { overrides: ["inet4Only"] }),
  bindAddress: option("--bind-address <address>", "connect from this local address"),
  active: option("--active", "use active mode: the server connects for data"),
  noHost: option("--no-host", "do not send the HOST command"),
  noPipelining: option("--no-pipelining", "send one command at a time"),
  jobs: option("-j, --jobs <number>", "fetch this many files at once", {
    value: "positive",
    default: "1",
  }),
  segments: option("-s, --segments <number>", "fetch large files in this many parts", {
    value: "positive",
    default: "1",
  }),
  allowPorts: option("--allow-port <port>", "permit the port of another protocol", {
    repeatable: true,
  }),
  proxy: option("--proxy <url>", "connect through this proxy: http or socks5", {
    excludes: ["active"],
    overrides: ["noProxy"],
  }),
  noProxy: option("--no-proxy", "ignore the proxies of the environment", { overrides: ["proxy"] }),
  tls: option("--tls", "require TLS for ftp: URLs too", { heading: "TLS" }),
  caCertificate: option("--ca-certificate <file>", "trust the authorities in this file only"),
  certificate: option("--certificate <file>", "present this client certificate"),
  privateKey: option("--private-key <file>", "read the private key from this file", {}),
  pinnedKey: option("--pinnedpubkey <pin>", "accept a server with this public key, no other", {
    excludes: ["caCertificate"],
  }),
  noCheckCertificate: option("--no-check-certificate", "do not verify the server's certificate", {
    excludes: ["caCertificate"],
  }),
  quiet: option("-q, --quiet", "print errors only", {
    heading: "Messages",
    overrides: ["noVerbose", "verbose"],
  }),
  noVerbose: option("-nv, --no-verbose", "print one line per file", {
    overrides: ["quiet", "verbose"],
  }),
  verbose: option("-v, --verbose", "show commands and replies", {
    overrides: ["quiet", "noVerbose"],
  }),
  progress: option("--progress <style>", "show progress as bar, plain or none", {
    choices: ["bar", "plain", "none"],
  }),
  json: option("--json", "print one line of JSON per file on stdout", { excludes: ["explain"] }),
  completion: option("--completion <shell>", "print the script for bash, zsh or fish", {
    choices: ["bash", "zsh", "fish"],
  }),
  manual: option("--manual", "show the manual page"),
  help: option("-h, --help", "print this help"),
  version: option("-V, --version", "print the version"),
} as const;

function option<const Flags extends string, const More extends OptionDetails>(
  flags: Flags,
  summary: string,
  more = {} as More,
) {
  const [, short, long = "", argument] = /^(?:(-\w+), )?(\S+)(?: <(.+)>)?$/.exec(flags) ?? [];
  return { flags, short, long, argument, summary, ...more };
}

export const environment: readonly (readonly [name: string, meaning: string])[] = [
  ["FTPULL_PASSWORD", "the password of a named user, if the URL has none"],
  ["ftp_proxy", "the proxy, as for --proxy; empty for none"],
  ["all_proxy", "the proxy, if ftp_proxy is not set"],
  ["no_proxy", "the servers that need no proxy; * for all"],
  ["FTPULL_NO_CACHE", "1 neither writes nor reads the cache of compiled code"],
  ["FTPULL_DEBUG", "1 shows the stack traces of errors"],
];

export const exitStatuses: readonly (readonly [status: number, meaning: string])[] = [
  [0, "every document arrived"],
  [exitStatus.other, "any other error"],
  [exitStatus.usage, "command line, URL or input file not understood"],
  [exitStatus.file, "file: cannot write, disk full, no permission"],
  [exitStatus.network, "network: no such host, refused, reset, timed out"],
  [exitStatus.tls, "TLS: certificate not trusted, server without TLS"],
  [exitStatus.login, "login: wrong or missing password or account"],
  [exitStatus.protocol, "protocol: the server does not speak FTP as it should"],
  [exitStatus.refused, "the server refused the request"],
  [exitStatus.integrity, "integrity: wrong size or checksum"],
  [129, "ended by SIGHUP"],
  [130, "ended by SIGINT (Ctrl-C)"],
  [143, "ended by SIGTERM"],
];

export const helpExamples: readonly string[] = [
  "ftpull ftp://ftp.example.com/pub/README",
  "ftpull ftp://ftp.example.com/pub/ | grep tar",
  "ftpull -O - ftp://ftp.example.com/pub/tool.tar.gz | tar -xzf -",
];

export function namesOf({ short, long }: OptionRecord): string[] {
  return short === undefined ? [long] : [short, long];
}

export function optionSummary({ summary, default: value }: OptionRecord): string {
  return value === undefined ? summary : `${summary} (default ${value})`;
}

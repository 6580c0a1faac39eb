/**
 * The option table: one record per option. command-line.ts parses the command line and prints
 * --help by it, and completion.ts the completions. What else there is to say of an option is in
 * man/ftpull.1.
 */
import { exitStatus } from "../errors.ts";

/** The headings of --help and of the manual, in their order. */
export const groups = [
  "Documents",
  "URLs",
  "Whole directories",
  "Listings",
  "Logging in",
  "Connection",
  "TLS",
  "Messages",
] as const;

/** How an argument is parsed; "text" is any text that is not empty. */
export type ValueKind =
  | "text"
  | "line"
  | "user"
  | "seconds"
  | "pause"
  | "count"
  | "limit"
  | "positive"
  | "port"
  | "address"
  | "pins"
  | "rate"
  | "checksum"
  | "globs"
  | "progress"
  | "time";

export interface OptionRecord {
  readonly group: (typeof groups)[number];
  /** With its dash: `-O`; wget's may have two letters: `-nc`. */
  readonly short?: string;
  /** With its dashes: `--output-document`. */
  readonly long: string;
  /** The name of its argument, as the manual shows it; a flag has none. */
  readonly argument?: string;
  /** "text" unless said. */
  readonly value?: ValueKind;
  /** The only texts that the argument may be. */
  readonly choices?: readonly string[];
  /** In the form of the command line. */
  readonly default?: string;
  /** The setting is a list of all its arguments. */
  readonly repeatable?: true;
  /** "-" as its argument means standard input, which only one option may read. */
  readonly readsStandardInput?: true;
  /** The long names of options that cannot be combined with this one; one side is enough. */
  readonly excludes?: readonly string[];
  /** The long name of the option without which this one would be ignored. */
  readonly needs?: string;
  /** The settings that it stands for, unless the user says otherwise. */
  readonly implies?: Readonly<Record<string, unknown>>;
  /** At most 60 columns, imperative, for --help. */
  readonly summary: string;
}

/** The options, by the names of their settings. */
export const options = {
  ...inGroup("Documents", {
    outputDocument: {
      short: "-O",
      long: "--output-document",
      argument: "file",
      summary: `write all documents to one file; "-" is stdout`,
    },
    directoryPrefix: {
      short: "-P",
      long: "--directory-prefix",
      argument: "dir",
      default: ".",
      summary: "save files in this directory",
    },
    timestamping: {
      short: "-N",
      long: "--timestamping",
      excludes: ["--output-document", "--force", "--no-clobber", "--no-mtime"],
      summary: "fetch only what is newer than the local file",
    },
    force: {
      short: "-f",
      long: "--force",
      summary: "replace existing files",
    },
    noClobber: {
      short: "-nc",
      long: "--no-clobber",
      excludes: ["--force"],
      summary: "skip URLs whose file exists",
    },
    continue: {
      short: "-c",
      long: "--continue",
      excludes: ["--force", "--no-clobber"],
      summary: "resume a partial download",
    },
    noMtime: {
      long: "--no-mtime",
      summary: "do not set the modification time of files",
    },
    checksum: {
      long: "--checksum",
      argument: "value",
      value: "checksum",
      excludes: ["--checksums"],
      summary: "verify the document, as in sha256:HEX",
    },
    checksums: {
      long: "--checksums",
      argument: "file",
      readsStandardInput: true,
      summary: `verify by a checksum list: "-", file or URL`,
    },
  }),
  ...inGroup("URLs", {
    inputFiles: {
      short: "-i",
      long: "--input-file",
      argument: "file",
      repeatable: true,
      readsStandardInput: true,
      summary: `read URLs from a file; "-" is stdin`,
    },
    base: {
      short: "-B",
      long: "--base",
      argument: "url",
      summary: "resolve relative URLs against this one",
    },
    root: {
      long: "--root",
      summary: "begin paths at the server's root directory",
    },
    nullCwd: {
      long: "--null-cwd",
      summary: "send CWD for empty names in a path, too",
    },
    guessType: {
      long: "--guess-type",
      summary: "fetch names with a text suffix as ASCII text",
    },
    remoteEncoding: {
      long: "--remote-encoding",
      argument: "name",
      summary: "use this encoding for names, not UTF-8",
    },
    ebcdicEncoding: {
      long: "--ebcdic-encoding",
      argument: "page",
      choices: ["cp037", "cp1047"],
      default: "cp037",
      summary: "read EBCDIC as cp037 or cp1047",
    },
    explain: {
      long: "--explain",
      summary: "print the commands without connecting",
    },
    spider: {
      long: "--spider",
      excludes: ["--output-document", "--checksum", "--explain", "--format"],
      summary: "look whether documents are there, fetch none",
    },
  }),
  ...inGroup("Whole directories", {
    recursive: {
      short: "-r",
      long: "--recursive",
      excludes: ["--output-document", "--checksum", "--format"],
      summary: "fetch what is below a directory",
    },
    mirror: {
      short: "-m",
      long: "--mirror",
      implies: { recursive: true, level: 0 },
      summary: "the same as -r -N -l 0",
    },
    level: {
      short: "-l",
      long: "--level",
      argument: "number",
      value: "limit",
      default: "5",
      needs: "--recursive",
      summary: "levels of directories, 0 or inf: all",
    },
    accept: {
      short: "-A",
      long: "--accept",
      argument: "globs",
      value: "globs",
      repeatable: true,
      summary: "fetch only files with these names",
    },
    reject: {
      short: "-R",
      long: "--reject",
      argument: "globs",
      value: "globs",
      repeatable: true,
      summary: "leave out files, or directories as in 'old/'",
    },
    newerThan: {
      long: "--newer-than",
      argument: "time",
      value: "time",
      summary: "leave out files that are not newer",
    },
    olderThan: {
      long: "--older-than",
      argument: "time",
      value: "time",
      summary: "leave out files that are not older",
    },
    excludeDirectories: {
      short: "-X",
      long: "--exclude-directories",
      argument: "dirs",
      value: "globs",
      repeatable: true,
      needs: "--recursive",
      summary: "leave out directories, as in /pub/old",
    },
    noDirectories: {
      short: "-nd",
      long: "--no-directories",
      excludes: ["--force-directories"],
      summary: "save all files of a tree in one folder",
    },
    forceDirectories: {
      short: "-x",
      long: "--force-directories",
      excludes: ["--output-document"],
      summary: "save files in host/path, as in the URL",
    },
    noHostDirectories: {
      short: "-nH",
      long: "--no-host-directories",
      excludes: ["--output-document"],
      summary: "the same, without the host",
    },
    cutDirs: {
      long: "--cut-dirs",
      argument: "number",
      value: "count",
      default: "0",
      excludes: ["--output-document"],
      summary: "without the first directories",
    },
    noGlob: {
      long: "--no-glob",
      summary: "take a * or [ in a URL literally",
    },
  }),
  ...inGroup("Listings", {
    format: {
      long: "--format",
      argument: "format",
      choices: ["names", "table", "json", "urls", "raw"],
      summary: "list as names, table, json, urls or raw",
    },
  }),
  ...inGroup("Logging in", {
    user: {
      long: "--user",
      argument: "name",
      value: "user",
      summary: "log in as this user if a URL names none",
    },
    passwordFile: {
      long: "--password-file",
      argument: "file",
      readsStandardInput: true,
      summary: `read the password from a file; "-" is stdin`,
    },
    askPassword: {
      long: "--ask-password",
      excludes: ["--password-file"],
      summary: "ask for the password before connecting",
    },
    account: {
      long: "--account",
      argument: "name",
      value: "line",
      summary: "send this account if a server asks for one",
    },
    netrcFile: {
      long: "--netrc-file",
      argument: "file",
      summary: "look up users and passwords in this file",
    },
    noNetrc: {
      long: "--no-netrc",
      excludes: ["--netrc-file"],
      summary: "do not read ~/.netrc",
    },
    noInput: {
      long: "--no-input",
      excludes: ["--ask-password"],
      summary: "never ask a question: fail instead",
    },
  }),
  ...inGroup("Connection", {
    timeoutMs: {
      short: "-T",
      long: "--timeout",
      argument: "seconds",
      value: "seconds",
      default: "30",
      summary: "wait this long for the server",
    },
    tries: {
      short: "-t",
      long: "--tries",
      argument: "number",
      value: "limit",
      default: "5",
      summary: "give up after this many failed tries",
    },
    waitRetryMs: {
      long: "--waitretry",
      argument: "seconds",
      value: "pause",
      default: "30",
      summary: "limit the waits between tries",
    },
    waitMs: {
      short: "-w",
      long: "--wait",
      argument: "seconds",
      value: "pause",
      default: "0",
      summary: "pause between documents of a server",
    },
    randomWait: {
      long: "--random-wait",
      needs: "--wait",
      summary: "vary the pauses from half to 1.5 times",
    },
    speedLimit: {
      long: "--speed-limit",
      argument: "rate",
      value: "rate",
      summary: "try again if a transfer is slower than this",
    },
    speedTimeMs: {
      long: "--speed-time",
      argument: "seconds",
      value: "seconds",
      default: "30",
      implies: { speedLimit: 1 },
      summary: "the time for --speed-limit",
    },
    limitRate: {
      long: "--limit-rate",
      argument: "rate",
      value: "rate",
      summary: "limit all transfers together to this rate",
    },
    inet4Only: {
      short: "-4",
      long: "--inet4-only",
      excludes: ["--inet6-only"],
      summary: "connect by IPv4 only",
    },
    inet6Only: {
      short: "-6",
      long: "--inet6-only",
      summary: "connect by IPv6 only",
    },
    bindAddress: {
      long: "--bind-address",
      argument: "address",
      value: "address",
      summary: "connect from this local address",
    },
    active: {
      long: "--active",
      summary: "use active mode: the server connects for data",
    },
    noHost: {
      long: "--no-host",
      summary: "do not send the HOST command",
    },
    noPipelining: {
      long: "--no-pipelining",
      summary: "send one command at a time",
    },
    jobs: {
      short: "-j",
      long: "--jobs",
      argument: "number",
      value: "positive",
      default: "1",
      summary: "fetch this many documents at once",
    },
    segments: {
      short: "-s",
      long: "--segments",
      argument: "number",
      value: "positive",
      default: "1",
      summary: "fetch large files in this many parts",
    },
    allowPorts: {
      long: "--allow-port",
      argument: "port",
      value: "port",
      repeatable: true,
      summary: "permit the port of another protocol",
    },
    proxy: {
      long: "--proxy",
      argument: "url",
      excludes: ["--no-proxy", "--active"],
      summary: "connect through this proxy: http or socks5",
    },
    noProxy: {
      long: "--no-proxy",
      summary: "ignore the proxies of the environment",
    },
  }),
  ...inGroup("TLS", {
    tls: {
      long: "--tls",
      summary: "require TLS for ftp: URLs too",
    },
    caCertificate: {
      long: "--ca-certificate",
      argument: "file",
      summary: "trust the authorities in this file only",
    },
    certificate: {
      long: "--certificate",
      argument: "file",
      summary: "present this client certificate",
    },
    privateKey: {
      long: "--private-key",
      argument: "file",
      summary: "read the private key from this file",
    },
    pinnedKey: {
      long: "--pinnedpubkey",
      argument: "pin",
      value: "pins",
      excludes: ["--ca-certificate"],
      summary: "accept a server with this public key, no other",
    },
    noCheckCertificate: {
      long: "--no-check-certificate",
      excludes: ["--ca-certificate"],
      summary: "do not verify the server's certificate",
    },
  }),
  ...inGroup("Messages", {
    quiet: {
      short: "-q",
      long: "--quiet",
      summary: "print errors only",
    },
    noVerbose: {
      short: "-nv",
      long: "--no-verbose",
      excludes: ["--quiet", "--verbose"],
      summary: "print one line per document",
    },
    verbose: {
      short: "-v",
      long: "--verbose",
      excludes: ["--quiet"],
      summary: "show commands and replies",
    },
    progress: {
      long: "--progress",
      argument: "style",
      value: "progress",
      choices: ["bar", "plain", "none"],
      summary: "show progress as bar, plain or none",
    },
    json: {
      long: "--json",
      excludes: ["--explain"],
      summary: "print one line of JSON per document on stdout",
    },
    completion: {
      long: "--completion",
      argument: "shell",
      choices: ["bash", "zsh", "fish"],
      summary: "print the script for bash, zsh or fish",
    },
    manual: {
      long: "--manual",
      summary: "show the manual page",
    },
    help: {
      short: "-h",
      long: "--help",
      summary: "print this help",
    },
    version: {
      short: "-V",
      long: "--version",
      summary: "print the version",
    },
  }),
} as const;

/** The heading under which options stand is said once. */
function inGroup<const Records extends Readonly<Record<string, Omit<OptionRecord, "group">>>>(
  group: OptionRecord["group"],
  records: Records,
): { readonly [Name in keyof Records]: Records[Name] & Pick<OptionRecord, "group"> } {
  const entries = Object.entries(records).map(([name, record]) => [name, { group, ...record }]);
  return Object.fromEntries(entries) as ReturnType<typeof inGroup<Records>>;
}

/** The environment variables, in the manual's order. */
export const environment: readonly { readonly name: string; readonly meaning: string }[] = [
  { name: "FTPULL_PASSWORD", meaning: "the password of a named user, if the URL has none" },
  { name: "ftp_proxy", meaning: "the proxy, as for --proxy; empty for none" },
  { name: "all_proxy", meaning: "the proxy, if ftp_proxy is not set" },
  { name: "no_proxy", meaning: "the servers that need no proxy; * for all" },
  { name: "FTPULL_NO_CACHE", meaning: "1 neither writes nor reads the cache of compiled code" },
  { name: "FTPULL_DEBUG", meaning: "1 shows the stack traces of errors" },
];

export const exitStatuses: readonly { readonly status: number; readonly meaning: string }[] = [
  { status: 0, meaning: "every document arrived" },
  { status: exitStatus.other, meaning: "any other error" },
  { status: exitStatus.usage, meaning: "command line, URL or input file not understood" },
  { status: exitStatus.file, meaning: "file: cannot write, disk full, no permission" },
  { status: exitStatus.network, meaning: "network: no such host, refused, reset, timed out" },
  { status: exitStatus.tls, meaning: "TLS: certificate not trusted, server without TLS" },
  { status: exitStatus.login, meaning: "login: wrong or missing password or account" },
  { status: exitStatus.protocol, meaning: "protocol: the server does not speak FTP as it should" },
  { status: exitStatus.refused, meaning: "the server refused the request" },
  { status: exitStatus.integrity, meaning: "integrity: wrong size or checksum" },
  { status: 129, meaning: "ended by SIGHUP" },
  { status: 130, meaning: "ended by SIGINT (Ctrl-C)" },
  { status: 143, meaning: "ended by SIGTERM" },
];

/** The examples at the end of --help. */
export const helpExamples: readonly string[] = [
  "ftpull ftp://ftp.example.com/pub/README",
  "ftpull ftp://ftp.example.com/pub/ | grep tar",
  "ftpull -O - ftp://ftp.example.com/pub/tool.tar.gz | tar -xzf -",
];

export function namesOf({ short, long }: OptionRecord): string[] {
  return short === undefined ? [long] : [short, long];
}

/** Such as `-O, --output-document <file>`. */
export function optionTerm(record: OptionRecord): string {
  const { argument } = record;
  const names = namesOf(record).join(", ");
  return argument === undefined ? names : `${names} <${argument}>`;
}

export function optionSummary({ summary, default: value }: OptionRecord): string {
  return value === undefined ? summary : `${summary} (default ${value})`;
}

/** Whether the options cannot be combined, whichever of the two says so. */
export function contradicts(one: OptionRecord, other: OptionRecord): boolean {
  return Boolean(one.excludes?.includes(other.long) || other.excludes?.includes(one.long));
}

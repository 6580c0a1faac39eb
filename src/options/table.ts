/**
 * The option table: one row an option, with the setting that it gives. program.ts parses by it; the help, the
 * completions and the tables of man/ftpull.1 are made from it.
 */
import { type OptionRow, row } from "./option-row.ts";
import type { kinds, ValueKind } from "./value-kinds.ts";

/** Options by their groups in --help. A bullet is for -h; aliases stand behind "|". */
const groups = {
  Saving: [
    row(
      "outputDocument",
      "• -O, --output-document <file> | --output",
      'write all to one file; "-": stdout',
    ),
    row(
      "directoryPrefix",
      "• -P, --directory-prefix <dir=.> | --output-dir",
      "save files in this directory",
    ),
    row("continue", "• -c, --continue", "go on with a file that another program left"),
    row("timestamping", "• -N, --timestamping", "fetch only what is newer, or of another size"),
    row("noClobber", "• -nc, --no-clobber | --skip-existing", "leave existing files alone"),
    row("force", "• -f, --force", "replace existing files, resume nothing"),
    row("keepsTime", "--no-mtime | --no-use-server-timestamps", "don't set the times of files", {
      value: false,
    }),
    row("checksum", "• --checksum <alg:hex>", "verify the file, as in sha256:HEX"),
    row("checksums", "--checksums <file>", 'verify by a list of checksums; "-": stdin'),
    row("verify", "• --verify", "verify by checksums that the server has"),
  ],
  URLs: [
    row("inputFiles", "• -i, --input-file <file...>", 'read URLs from a file; "-": stdin'),
    row("base", "-B, --base <url>", "resolve relative URLs against this one"),
    row("root", "--root", "begin paths at the server's root directory"),
    row("nullCwd", "--null-cwd", "send CWD for empty names in a path, too"),
    row("guessType", "--guess-type", "fetch names with a text suffix as ASCII text"),
    row("remoteEncoding", "--remote-encoding <name>", "use this encoding for names, not UTF-8"),
    row("ebcdicEncoding", "--ebcdic-encoding <page=cp037>", "read EBCDIC by this code page", {
      choices: ["cp037", "cp1047"],
    }),
    row("noGlob", "--no-glob | --globoff", "take *, [ and ] in URLs literally"),
    row("explain", "• --explain", "print the commands, and connect to nothing"),
    row("spider", "• --spider | --head --dry-run", "look whether files are there, fetch none"),
    row(
      "format",
      "• --format <form> | --list-only=names",
      "list as names, table, json, urls, raw",
      {
        choices: ["names", "table", "json", "urls", "raw"],
      },
    ),
  ],
  Trees: [
    row("recursive", "• -r, --recursive", "fetch what is below a directory"),
    row("mirror", "• -m, --mirror", "the same as -r -N"),
    row("level", "-l, --level <n>", "fetch so many levels of directories only", { kind: "limit" }),
    row("accept", "• -A, --accept <globs...>", "fetch only files of these names"),
    row("reject", "• -R, --reject <globs...>", "leave out files, or directories as in 'old/'"),
    row(
      "excludeDirectories",
      "• -X, --exclude-directories <paths...>",
      "leave out these directories",
    ),
    row("newerThan", "--newer-than <time>", "leave out files that aren't newer"),
    row("olderThan", "--older-than <time>", "leave out files that aren't older"),
    row("noDirectories", "-nd, --no-directories", "save all files of a tree in one directory"),
    row("forceDirectories", "-x, --force-directories", "save files in host/path, as in the URL"),
    row("noHostDirectories", "-nH, --no-host-directories", "leave out the host of this path"),
    row("cutDirs", "--cut-dirs <n=0>", "leave out its first directories", { kind: "number" }),
    row("links", "--links <how=keep> | --retr-symlinks=follow", "keep, follow or skip links", {
      choices: ["keep", "follow", "skip"],
    }),
  ],
  "Logging in": [
    row("user", "• --user <name> | --ftp-user", "log in as this user where a URL names none", {
      kind: "user",
    }),
    row("passwordFile", "• --password-file <file>", 'read the password from a file; "-": stdin'),
    row("askPassword", "--ask-password", "ask for the password before connecting"),
    row("account", "--account <name> | --ftp-account", "send this account where it is asked for", {
      kind: "line",
    }),
    row("site", "--site <text...>", "send SITE with this text after each login", { kind: "line" }),
    row("netrcFile", "--netrc-file <file>", "look up users and passwords in this file"),
    row("netrcFile", "--no-netrc", "don't read ~/.netrc", { value: "" }),
    row("noInput", "--no-input", "never ask a question: fail instead"),
  ],
  Connection: [
    row("tries", "• -t, --tries <n=5> | --max-tries", "give up after so many tries", {
      kind: "limit",
    }),
    row("longestWaitMs", "--waitretry <seconds=30>", "wait no longer between tries", {
      kind: "pause",
    }),
    row("pauseMs", "-w, --wait <seconds=0>", "pause between files of a server", { kind: "pause" }),
    row(
      "timeoutMs",
      "-T, --timeout <seconds=30> | --connect-timeout --read-timeout --dns-timeout",
      "wait no longer for the server",
    ),
    row("limitRate", "• --limit-rate <rate>", "limit all transfers together, as in 500k"),
    row("jobs", "• -j, --jobs <n=1>", "fetch this many files at once", { kind: "positive" }),
    row("segments", "• -s, --segments <n=1> | --split", "fetch a large file in so many parts", {
      kind: "positive",
    }),
    row("family", "-4, --inet4-only | --ipv4", "connect by IPv4 only", { value: 4 }),
    row("family", "-6, --inet6-only | --ipv6", "connect by IPv6 only", { value: 6 }),
    row("localAddress", "--bind-address <address> | --interface", "connect from this address"),
    row("active", "--active | --no-passive-ftp", "use active mode: the server connects for data"),
    row("sendHost", "--no-host", "don't send the HOST command", { value: false }),
    row("pipelining", "--no-pipelining", "send one command at a time", { value: false }),
    row("allowPorts", "--allow-port <n...>", "permit the port of another protocol", {
      kind: "port",
    }),
    row("proxy", "• --proxy <url>", "connect through this proxy: http or socks5"),
    row("proxy", "--no-proxy", "ignore the proxies of the environment", { value: "" }),
    row("tls", "• --tls | --ssl-reqd --ftp-ssl-reqd", "require TLS for ftp: URLs, too"),
    row("caCertificate", "--ca-certificate <file> | --cacert", "trust these authorities only"),
    row("certificate", "--certificate <file> | --cert", "present this client certificate"),
    row("privateKey", "--private-key <file> | --key", "read the private key from this file"),
    row("pinnedKey", "--pinnedpubkey <pin>", "accept a server with this public key, no other"),
    row("noCheckCertificate", "--no-check-certificate | --insecure", "don't verify certificates"),
  ],
  Messages: [
    row("verbosity", "• -q, --quiet | --silent", "print errors only", { value: "quiet" }),
    row("verbosity", "• -nv, --no-verbose", "print a line for each file", { value: "lines" }),
    row("verbosity", "• -v, --verbose | --server-response", "show commands and replies", {
      value: "verbose",
    }),
    row(
      "progress",
      "--progress <style> | --progress-bar=bar --show-progress=bar --no-progress=none --no-progress-meter=none",
      "show progress as bar, plain or none",
      { choices: ["bar", "plain", "none"] },
    ),
    row("json", "• --json", "print a JSON object for each file on stdout"),
    row("completion", "--completion <shell>", "print the script for bash, zsh or fish", {
      choices: ["bash", "zsh", "fish"],
    }),
    row("manual", "--manual", "print the manual page"),
    row("help", "-h", "print the most used options", { value: "frequent" }),
    row("help", "• --help", "print all options", { value: "all" }),
    row("version", "-V, --version", "print the version"),
  ],
};

/** Habits from other programs, which no help lists. */
const hidden = [
  row("tries", "--retry <retries=4>", "", { meaning: "--tries, plus the first one" }),
  row(
    "isDone",
    "--passive-ftp | -np --no-parent --ftp-pasv --ftp-skip-pasv-ip --location --fail --show-error " +
      "--remote-name --remote-time --create-dirs --use-server-timestamps --netrc --netrc-optional " +
      "--no-config --no-remove-listing --retry-connrefused --retry-all-errors --ftps-implicit " +
      "--ftps-resume-ssl",
    "",
    { meaning: "done in any case" },
  ),
  row("isDone", "-e, --execute <command>", "", {
    meaning: "robots=off alone is read",
    choices: ["robots=off"],
  }),
];

/** Settings that can't be combined with another one; one side is enough. */
export const exclusions: Readonly<Record<string, string>> = {
  outputDocument: "recursive",
  continue: "noClobber force",
  timestamping: "noClobber force outputDocument",
  noClobber: "force",
  checksum: "checksums recursive",
  spider: "outputDocument checksum checksums verify explain format",
  format: "recursive",
  mirror: "outputDocument checksum format noClobber force",
  noDirectories: "forceDirectories",
  passwordFile: "askPassword",
  askPassword: "noInput",
  pinnedKey: "caCertificate",
  noCheckCertificate: "caCertificate",
  json: "explain",
};

export const optionGroups = Object.entries<readonly OptionRow[]>(groups);

/** The options that help, completions and the manual show. */
export const shownOptions = optionGroups.flatMap(([, rows]) => rows);

export const options: readonly OptionRow[] = [...shownOptions, ...hidden];

type Row = (typeof groups)[keyof typeof groups][number] | (typeof hidden)[number];

/** The value of each setting: undefined for an option without a default that isn't given. */
export type OptionValues = { readonly [Each in Row as Each["key"]]: Setting<Each> };

type Setting<Each> = Each extends { form: `${string}<${infer Argument}>${string}` }
  ? Argument extends `${infer Name}...`
    ? readonly Flat<Argued<Each, Name>>[]
    : Argument extends `${infer Name}=${string}`
      ? Argued<Each, Name>
      : Argued<Each, Argument> | undefined
  : Each extends { value: infer Value }
    ? Value extends boolean
      ? boolean
      : Value | undefined
    : boolean;

type Flat<T> = T extends readonly (infer Element)[] ? Element : T;

type Argued<Each, Argument> = Each extends { choices: readonly (infer Choice)[] }
  ? Choice
  : ReadBy<Each extends { kind: infer Kind } ? Kind : Argument>;

type ReadBy<Kind> = Kind extends ValueKind
  ? NonNullable<ReturnType<(typeof kinds)[Kind]["read"]>>
  : string;

/**
 * The option table: one row an option, with the setting that it gives. command-line.ts parses by it; the help, the
 * completions and the tables of man/ftpull.1 are made from it.
 */
import type { ValueKind } from "./value-kinds.ts";

/**
 * An option. `names` are its own, `aliases` those of wget and curl that mean the same; `--list-only=names` stands for
 * `--format=names`. `value` is what a flag gives (default: true), `kind` how an argument is read, unless the
 * argument's name is one. `excludes` has settings that can't be combined with this one (one side is enough);
 * `implies` has settings that the option stands for. `forFiles`: the option says how a file is saved, so a listing
 * isn't wanted. `forTrees`: without -r and without a pattern, the option would have no effect.
 */
export interface OptionRow extends OptionDetails {
  readonly key: string;
  readonly names: readonly string[];
  /** The name that commander and messages use: the long one, if there is one. */
  readonly name: string;
  readonly argument?: string | undefined;
  /** Text for --help: at most 60 columns, imperative. */
  readonly summary: string;
}

interface OptionDetails {
  readonly group?: string;
  /** Shown by -h. */
  readonly isFrequent?: true;
  /** Accepted, but listed by no help: a habit from another program. */
  readonly isHidden?: true;
  readonly aliases?: string;
  /** The manual's words for what the aliases stand for, if it isn't the option's name. */
  readonly meaning?: string;
  readonly value?: unknown;
  readonly kind?: ValueKind;
  readonly choices?: readonly string[];
  readonly default?: string;
  readonly repeatable?: true;
  readonly forFiles?: true;
  readonly forTrees?: true;
  readonly excludes?: readonly string[];
  readonly implies?: Readonly<Record<string, unknown>>;
}

const isFrequent = true;
const isHidden = true;
const repeatable = true;
const forFiles = true;
const forTrees = true;

export const options = [
  row("outputDocument", "-O, --output-document <file>", 'write all to one file; "-": stdout', {
    group: "Saving",
    isFrequent,
    forFiles,
    aliases: "--output",
    excludes: ["recursive"],
  }),
  row("directoryPrefix", "-P, --directory-prefix <dir>", "save files in this directory", {
    isFrequent,
    forFiles,
    aliases: "--output-dir",
    default: ".",
  }),
  row("continue", "-c, --continue", "go on with a file that another program left", {
    isFrequent,
    forFiles,
    excludes: ["noClobber", "force"],
  }),
  row("timestamping", "-N, --timestamping", "fetch only what is newer, or of another size", {
    isFrequent,
    forFiles,
    excludes: ["noClobber", "force", "outputDocument"],
  }),
  row("noClobber", "-nc, --no-clobber", "leave existing files alone, skip their URLs", {
    isFrequent,
    forFiles,
    aliases: "--skip-existing",
    excludes: ["force"],
  }),
  row("force", "-f, --force", "replace existing files, resume nothing", { isFrequent, forFiles }),
  row("keepsTime", "--no-mtime", "don't set the modification time of files", {
    aliases: "--no-use-server-timestamps",
    value: false,
  }),
  row("checksum", "--checksum <alg:hex>", "verify the file, as in sha256:HEX", {
    isFrequent,
    forFiles,
    kind: "checksum",
    excludes: ["checksums", "recursive"],
  }),
  row("checksums", "--checksums <file>", 'verify by a list of checksums; "-": stdin', { forFiles }),
  row("verify", "--verify", "verify by checksums that the server has", {
    isFrequent,
    forFiles,
  }),

  row("inputFiles", "-i, --input-file <file>", 'read URLs from a file; "-": stdin', {
    group: "URLs",
    isFrequent,
    repeatable,
  }),
  row("base", "-B, --base <url>", "resolve relative URLs against this one"),
  row("root", "--root", "begin paths at the server's root directory"),
  row("nullCwd", "--null-cwd", "send CWD for empty names in a path, too"),
  row("guessType", "--guess-type", "fetch names with a text suffix as ASCII text"),
  row("remoteEncoding", "--remote-encoding <name>", "use this encoding for names, not UTF-8"),
  row("ebcdicEncoding", "--ebcdic-encoding <page>", "read EBCDIC by this code page", {
    choices: ["cp037", "cp1047"],
    default: "cp037",
  }),
  row("noGlob", "--no-glob", "take *, [ and ] in URLs literally", { aliases: "--globoff" }),
  row("explain", "--explain", "print the commands, and connect to nothing", { isFrequent }),
  row("spider", "--spider", "look whether files are there, fetch none", {
    isFrequent,
    aliases: "--head --dry-run",
    excludes: ["outputDocument", "checksum", "checksums", "verify", "explain", "format"],
  }),
  row("format", "--format <form>", "list as names, table, json, urls or raw", {
    isFrequent,
    aliases: "--list-only=names",
    choices: ["names", "table", "json", "urls", "raw"],
    excludes: ["recursive"],
  }),

  row("recursive", "-r, --recursive", "fetch what is below a directory", {
    group: "Trees",
    isFrequent,
  }),
  row("mirror", "-m, --mirror", "the same as -r -N", {
    isFrequent,
    implies: { recursive: true, timestamping: true },
    excludes: ["outputDocument", "checksum", "format", "noClobber", "force"],
  }),
  row("level", "-l, --level <n>", "fetch so many levels of directories only", {
    kind: "limit",
    forTrees,
  }),
  row("accept", "-A, --accept <globs>", "fetch only files with these names", {
    isFrequent,
    repeatable,
    forTrees,
    kind: "globs",
  }),
  row("reject", "-R, --reject <globs>", "leave out files, or directories as in 'old/'", {
    isFrequent,
    repeatable,
    forTrees,
    kind: "globs",
  }),
  row(
    "excludeDirectories",
    "-X, --exclude-directories <paths>",
    "leave out directories, as in /pub/old",
    { isFrequent, repeatable, forTrees, kind: "paths" },
  ),
  row("newerThan", "--newer-than <time>", "leave out files that aren't newer", { forTrees }),
  row("olderThan", "--older-than <time>", "leave out files that aren't older", { forTrees }),
  row("noDirectories", "-nd, --no-directories", "save all files of a tree in one directory", {
    excludes: ["forceDirectories"],
  }),
  row("forceDirectories", "-x, --force-directories", "save files in host/path, as in the URL"),
  row("noHostDirectories", "-nH, --no-host-directories", "leave out the host of this path"),
  row("cutDirs", "--cut-dirs <n>", "leave out its first directories", {
    kind: "number",
    default: "0",
  }),
  row("links", "--links <how>", "keep, follow or skip links", {
    aliases: "--retr-symlinks=follow",
    choices: ["keep", "follow", "skip"],
    default: "keep",
  }),

  row("user", "--user <name>", "log in as this user where a URL names none", {
    group: "Logging in",
    isFrequent,
    aliases: "--ftp-user",
    kind: "user",
  }),
  row("passwordFile", "--password-file <file>", 'read the password from a file; "-": stdin', {
    isFrequent,
    excludes: ["askPassword"],
  }),
  row("askPassword", "--ask-password", "ask for the password before connecting", {
    excludes: ["noInput"],
  }),
  row("account", "--account <name>", "send this account where a server asks for one", {
    aliases: "--ftp-account",
    kind: "line",
  }),
  row("site", "--site <text>", "send SITE with this text after each login", {
    repeatable,
    kind: "line",
  }),
  row("netrcFile", "--netrc-file <file>", "look up users and passwords in this file"),
  row("netrcFile", "--no-netrc", "don't read ~/.netrc", { value: "" }),
  row("noInput", "--no-input", "never ask a question: fail instead"),

  row("tries", "-t, --tries <n>", "give up after so many tries", {
    group: "Connection",
    isFrequent,
    aliases: "--max-tries",
    kind: "limit",
    default: "5",
  }),
  row("tries", "--retry <n>", "give up after so many further tries", {
    isHidden,
    meaning: "--tries, plus the first one",
    kind: "retries",
    default: "4",
  }),
  row("longestWaitMs", "--waitretry <seconds>", "wait no longer between tries", {
    kind: "pause",
    default: "30",
  }),
  row("pauseMs", "-w, --wait <seconds>", "pause between files of a server", {
    kind: "pause",
    default: "0",
  }),
  row("timeoutMs", "-T, --timeout <seconds>", "wait no longer for the server", {
    aliases: "--connect-timeout --read-timeout --dns-timeout",
    kind: "seconds",
    default: "30",
  }),
  row("limitRate", "--limit-rate <rate>", "limit all transfers together, as in 500k", {
    isFrequent,
  }),
  row("jobs", "-j, --jobs <n>", "fetch this many files at once", {
    isFrequent,
    kind: "positive",
    default: "1",
  }),
  row("segments", "-s, --segments <n>", "fetch a large file in so many parts", {
    isFrequent,
    forFiles,
    aliases: "--split",
    kind: "positive",
    default: "1",
  }),
  row("family", "-4, --inet4-only", "connect by IPv4 only", { aliases: "--ipv4", value: 4 }),
  row("family", "-6, --inet6-only", "connect by IPv6 only", { aliases: "--ipv6", value: 6 }),
  row("localAddress", "--bind-address <address>", "connect from this local address", {
    aliases: "--interface",
    kind: "address",
  }),
  row("active", "--active", "use active mode: the server connects for data", {
    aliases: "--no-passive-ftp",
  }),
  row("sendHost", "--no-host", "don't send the HOST command", { value: false }),
  row("pipelining", "--no-pipelining", "send one command at a time", { value: false }),
  row("allowPorts", "--allow-port <n>", "permit the port of another protocol", {
    repeatable,
    kind: "port",
  }),
  row("proxy", "--proxy <url>", "connect through this proxy: http or socks5", {
    isFrequent,
    excludes: ["active"],
  }),
  row("proxy", "--no-proxy", "ignore the proxies of the environment", { value: "" }),
  row("tls", "--tls", "require TLS for ftp: URLs, too", {
    isFrequent,
    aliases: "--ssl-reqd --ftp-ssl-reqd",
  }),
  row("caCertificate", "--ca-certificate <file>", "trust the authorities in this file only", {
    aliases: "--cacert",
  }),
  row("certificate", "--certificate <file>", "present this client certificate", {
    aliases: "--cert",
  }),
  row("privateKey", "--private-key <file>", "read the private key from this file", {
    aliases: "--key",
  }),
  row("pinnedKey", "--pinnedpubkey <pin>", "accept a server with this public key, no other", {
    kind: "pin",
    excludes: ["caCertificate"],
  }),
  row("noCheckCertificate", "--no-check-certificate", "don't verify the server's certificate", {
    aliases: "--insecure",
    excludes: ["caCertificate"],
  }),

  row("verbosity", "-q, --quiet", "print errors only", {
    group: "Messages",
    isFrequent,
    aliases: "--silent",
    value: "quiet",
  }),
  row("verbosity", "-nv, --no-verbose", "print a line for each file", {
    isFrequent,
    value: "lines",
  }),
  row("verbosity", "-v, --verbose", "show commands and replies", {
    isFrequent,
    aliases: "--server-response",
    value: "dialogue",
  }),
  row("progress", "--progress <style>", "show progress as bar, plain or none", {
    aliases: "--progress-bar=bar --show-progress=bar --no-progress=none --no-progress-meter=none",
    kind: "style",
    choices: ["bar", "plain", "none"],
  }),
  row("json", "--json", "print a JSON object for each file on stdout", {
    isFrequent,
    forFiles,
    excludes: ["explain"],
  }),
  row("completion", "--completion <shell>", "print the script for bash, zsh or fish", {
    choices: ["bash", "zsh", "fish"],
  }),
  row("manual", "--manual", "print the manual page"),
  row("help", "-h", "print the most used options", { value: "frequent" }),
  row("help", "--help", "print all options", { isFrequent, value: "all" }),
  row("version", "-V, --version", "print the version"),

  row("isDone", "--passive-ftp", "what is done in any case", {
    isHidden,
    meaning: "done in any case",
    aliases:
      "-np --no-parent --ftp-pasv --ftp-skip-pasv-ip --location --fail --show-error --remote-name " +
      "--remote-time --create-dirs --use-server-timestamps --netrc --netrc-optional --no-config " +
      "--no-remove-listing --retry-connrefused --retry-all-errors --ftps-implicit --ftps-resume-ssl",
  }),
  row("isDone", "-e, --execute <command>", "wget's robots=off", {
    isHidden,
    meaning: "robots=off alone is read",
    choices: ["robots=off"],
  }),
] as const satisfies readonly OptionRow[];

/** The options that help, completions and the manual show. */
export const shownOptions: readonly OptionRow[] = options.filter((row: OptionRow) => !row.isHidden);

export function summaryOf({ summary, default: value }: OptionRow): string {
  return value === undefined ? summary : `${summary} (default ${value})`;
}

function row<
  const Key extends string,
  const Flags extends string,
  const Details extends OptionDetails,
>(key: Key, flags: Flags, summary: string, details = {} as Details) {
  const [, list = "", argument] = /^([^<]*?)(?: <(.+)>)?$/.exec(flags) ?? [];
  const names = list.split(", ");
  return { key, flags, names, name: names.at(-1)!, argument, summary, ...details };
}

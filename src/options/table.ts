/**
 * The option table: one record per option. command-line.ts parses the command line and prints
 * --help by it, and completion.ts the completions; manual.ts generates the option blocks of the man
 * page and the README (npm run docs).
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
  | "count"
  | "positive"
  | "port"
  | "rate"
  | "checksum"
  | "globs"
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
  /** At most 60 columns, imperative, for --help and the README. */
  readonly summary: string;
  /** Sentences for the man page, where `--long`, `<argument>` and `"literal"` are marked up. */
  readonly description: string;
  /** A command line, where the summary is not enough. */
  readonly example?: string;
}

/** The options, by the names of their settings. */
export const options = {
  outputDocument: {
    group: "Documents",
    short: "-O",
    long: "--output-document",
    argument: "file",
    summary: `write all documents to one file; "-" is stdout`,
    description:
      `Write all documents and listings to <file>, in the order of the URLs; "-" is ` +
      "standard output. A regular file is replaced once everything has arrived; a device or " +
      "a FIFO is written directly. The directory of <file> must exist, and " +
      "--directory-prefix does not apply to it. A URL without a final slash that turns out " +
      "to name a directory is an error, since a script that names a file does not expect a " +
      "listing in it.",
    example: "ftpull -O - ftp://ftp.example.com/pub/tool.tar.gz | tar -xzf -",
  },
  directoryPrefix: {
    group: "Documents",
    short: "-P",
    long: "--directory-prefix",
    argument: "dir",
    default: ".",
    summary: "save files in this directory",
    description: "Save files in <dir>, which is created if it does not exist.",
    example: "ftpull -P downloads ftp://ftp.example.com/pub/README",
  },
  timestamping: {
    group: "Documents",
    short: "-N",
    long: "--timestamping",
    excludes: ["--output-document", "--force", "--no-clobber", "--no-mtime"],
    summary: "fetch only what is newer than the local file",
    description:
      "Fetch a document only if the server's is newer than the local file or differs from " +
      "it in size, and replace the file. Where the server reports no modification time, the " +
      "size alone decides, with a warning. Listings are always fetched.",
    example: "ftpull -N -P mirror ftp://ftp.example.com/pub/news.txt",
  },
  force: {
    group: "Documents",
    short: "-f",
    long: "--force",
    summary: "replace existing files",
    description:
      "Replace existing files. Without this option and without --no-clobber an existing " +
      `file is kept, and the document is saved as "name.1", "name.2" and so on.`,
  },
  noClobber: {
    group: "Documents",
    short: "-nc",
    long: "--no-clobber",
    excludes: ["--force"],
    summary: "skip URLs whose file exists",
    description:
      "Keep existing files, and skip their URLs. " +
      "A file that another program saves in the meantime is kept as well, which is an error.",
  },
  continue: {
    group: "Documents",
    short: "-c",
    long: "--continue",
    excludes: ["--force", "--no-clobber", "--timestamping"],
    summary: "resume a partial download",
    description:
      "Resume the partial download of an earlier run if the document is still the same: its " +
      "size and time are compared with name.part.json, and the last 4096 octets of the " +
      "partial file with the server's. Otherwise begin again; the partial file stays until the " +
      "document arrives, unless its size or time has changed. Possible holes in name.part " +
      "are fetched again. Without name.part.json, a shorter file is taken for the beginning " +
      "of the document, and a file of the same size and time for the whole; if only the size " +
      "is the same, its last 4096 octets are compared. A longer file is an error.",
    example: "ftpull -c ftp://ftp.example.com/pub/image.iso",
  },
  noMtime: {
    group: "Documents",
    long: "--no-mtime",
    summary: "do not set the modification time of files",
    description: "Do not set the modification time of files to the one that the server reports.",
  },
  checksum: {
    group: "Documents",
    long: "--checksum",
    argument: "value",
    value: "checksum",
    excludes: ["--checksums"],
    summary: "verify the document, as in sha256:HEX",
    description:
      `Verify the document, which must be the only one of the run. The argument is "md5", ` +
      `"sha1", "sha256" or "sha512", a colon and the hex digits. The checksum is that of ` +
      "the octets as saved: of a text, after its conversion. A mismatch is an error with " +
      "status 9: the file does not get its name, and what arrived is removed, except from " +
      "standard output. A file that --continue or --timestamping finds complete is verified " +
      "too. A URL that turns out to name a directory is an error.",
    example:
      "ftpull --checksum md5:d41d8cd98f00b204e9800998ecf8427e ftp://ftp.example.com/pub/empty",
  },
  checksums: {
    group: "Documents",
    long: "--checksums",
    argument: "file",
    readsStandardInput: true,
    summary: `verify by a checksum list; "-" is stdin`,
    description:
      `Verify each document that is listed in <file>, as --checksum does; "-" is standard ` +
      "input. A line has the form that sha256sum writes, where the number of digits " +
      `determines the algorithm, or the form "SHA256 (name) = digits". A document is looked ` +
      "up by the last name of its URL, even with --output-document, and directories in the " +
      "list are ignored; with --recursive it is looked up by its path. A document that is not " +
      "listed is fetched with a warning.",
    example: "ftpull --checksums SHA256SUMS ftp://ftp.example.com/pub/tool.tar.gz",
  },
  inputFiles: {
    group: "URLs",
    short: "-i",
    long: "--input-file",
    argument: "file",
    repeatable: true,
    readsStandardInput: true,
    summary: `read URLs from a file; "-" is stdin`,
    description:
      `Read URLs from <file>, one per line, after those of the command line; "-" is ` +
      `standard input. Empty lines and lines that begin with "#" are skipped. Each document is ` +
      "fetched as soon as its URL is read, also from a pipe that stays open. Input from a terminal " +
      "is read to its end first. The option can be repeated: the files are read in their order. A " +
      "file without URLs is an error, with status 2.",
    example: "ftpull -P downloads -i urls.txt",
  },
  base: {
    group: "URLs",
    short: "-B",
    long: "--base",
    argument: "url",
    summary: "resolve relative URLs against this one",
    description: "Resolve relative URLs, on the command line and in a file, against <url>.",
    example: "ftpull -B ftp://ftp.example.com/pub/ a.txt b.txt",
  },
  root: {
    group: "URLs",
    long: "--root",
    summary: "begin paths at the server's root directory",
    description:
      "Begin the path of a URL at the root of the server, as browsers do, and not at the " +
      `login directory. "/~/x" and "/./x" still begin at the login directory.`,
    example: "ftpull --root ftp://ftp.example.com/etc/motd",
  },
  nullCwd: {
    group: "URLs",
    long: "--null-cwd",
    summary: "send CWD for empty names in a path, too",
    description:
      "Send CWD with an empty argument for an empty segment of the path, as RFC 1738 says. " +
      "By default nothing is sent for it, since few servers accept that.",
  },
  guessType: {
    group: "URLs",
    long: "--guess-type",
    summary: "fetch names with a text suffix as ASCII text",
    description:
      "Fetch documents as ASCII text if their name has the suffix of a text format and the " +
      "URL has no typecode. By default they are fetched octet for octet.",
  },
  remoteEncoding: {
    group: "URLs",
    long: "--remote-encoding",
    argument: "name",
    summary: "use this encoding for names, not UTF-8",
    description:
      "The encoding of names on a server that does not use UTF-8: names are sent in it, and " +
      "the names of local files are decoded from it. Octets that a URL percent-encodes are " +
      "sent unchanged.",
    example: "ftpull --remote-encoding iso-8859-1 ftp://ftp.example.com/pub/caf%E9.txt",
  },
  ebcdicEncoding: {
    group: "URLs",
    long: "--ebcdic-encoding",
    argument: "page",
    choices: ["cp037", "cp1047"],
    default: "cp037",
    summary: "read EBCDIC as cp037 or cp1047",
    description: `The code page of documents with the typecode "e".`,
    example: "ftpull --ebcdic-encoding cp1047 'ftp://host.example.com/report;type=e'",
  },
  explain: {
    group: "URLs",
    long: "--explain",
    summary: "print the commands without connecting",
    description: "Print the commands that would be sent on standard output, without connecting.",
    example: "ftpull --explain ftp://ftp.example.com/pub/README",
  },
  spider: {
    group: "URLs",
    long: "--spider",
    excludes: ["--output-document", "--checksum", "--explain", "--format"],
    summary: "look whether documents are there, fetch none",
    description:
      "Look whether the documents are there, and fetch none. Print a line for each on standard " +
      "output: size, modification time and URL with a tab between them, and a hyphen for what " +
      "is unknown. A document that is missing gives exit status 8. With --recursive and with " +
      "patterns, what would be fetched is listed; see WHOLE DIRECTORIES below.",
    example: "ftpull --spider -r ftp://ftp.example.com/pub/tools/",
  },
  recursive: {
    group: "Whole directories",
    short: "-r",
    long: "--recursive",
    excludes: ["--output-document", "--checksum", "--format"],
    summary: "fetch what is below a directory",
    description:
      "Fetch what is below the directory that a URL names, and keep its shape: see WHOLE " +
      "DIRECTORIES below. A URL that names a file is fetched as usual.",
    example: "ftpull -r -P mirror ftp://ftp.example.com/pub/tools/",
  },
  level: {
    group: "Whole directories",
    short: "-l",
    long: "--level",
    argument: "number",
    value: "count",
    default: "5",
    needs: "--recursive",
    summary: "levels of directories, 0: all",
    description:
      "With --recursive, list directories down to this level; the one in the URL is level " +
      "1, and 0 sets no limit. A warning tells of what is left out.",
  },
  accept: {
    group: "Whole directories",
    short: "-A",
    long: "--accept",
    argument: "globs",
    value: "globs",
    repeatable: true,
    summary: "fetch only files with these names",
    description:
      "Fetch only files whose names match one of <globs>, separated by commas: patterns with " +
      `"*", "?" and "[...]", or else suffixes. It is an error if there is nothing to choose ` +
      "from, since neither --recursive is given nor a URL has a pattern.",
    example: "ftpull -r -A '*.tar.gz,*.sig' ftp://ftp.example.com/pub/tools/",
  },
  reject: {
    group: "Whole directories",
    short: "-R",
    long: "--reject",
    argument: "globs",
    value: "globs",
    repeatable: true,
    summary: "leave out files, or directories as in 'old/'",
    description:
      "Leave out files whose names match one of <globs>, as with --accept. One that ends in " +
      "a slash is the name of directories, which aren't entered.",
    example: "ftpull -r -R '*.iso,old/' ftp://ftp.example.com/pub/tools/",
  },
  newerThan: {
    group: "Whole directories",
    long: "--newer-than",
    argument: "time",
    value: "time",
    summary: "leave out files that are not newer",
    description:
      "Leave out files that were not modified after <time>: a date as in 2026-11-01 or " +
      "2026-11-01T12:00, in this machine's zone or with Z in UTC, or an age in days or hours " +
      "as in 7d or 12h.",
    example: "ftpull -r --newer-than 7d ftp://ftp.example.com/pub/tools/",
  },
  olderThan: {
    group: "Whole directories",
    long: "--older-than",
    argument: "time",
    value: "time",
    summary: "leave out files that are not older",
    description: "Leave out files that were not modified before <time>, as with --newer-than.",
  },
  forceDirectories: {
    group: "Whole directories",
    short: "-x",
    long: "--force-directories",
    excludes: ["--output-document"],
    summary: "save files in host/path, as in the URL",
    description: "Save documents and trees in directories named after the host and the URL's path.",
  },
  noHostDirectories: {
    group: "Whole directories",
    short: "-nH",
    long: "--no-host-directories",
    excludes: ["--output-document"],
    summary: "the same, without the host",
    description: "Like --force-directories, but without the host.",
  },
  cutDirs: {
    group: "Whole directories",
    long: "--cut-dirs",
    argument: "number",
    value: "count",
    default: "0",
    excludes: ["--output-document"],
    summary: "without the first directories",
    description:
      "Like --force-directories, but without the first <number> directories of the path.",
    example: "ftpull -r -nH --cut-dirs 2 ftp://ftp.example.com/pub/tools/new/",
  },
  noGlob: {
    group: "Whole directories",
    long: "--no-glob",
    summary: "take a * or [ in a URL literally",
    description:
      `A "*" or "[...]" in the last segment of a URL is a pattern for names, unless it is ` +
      "percent-encoded. With this option it stands for itself.",
  },
  format: {
    group: "Listings",
    long: "--format",
    argument: "format",
    choices: ["names", "table", "json", "urls", "raw"],
    summary: "list as names, table, json, urls or raw",
    description:
      `How a directory is printed: "names" is one name per line, with a slash after the ` +
      `names of directories; "table" has type, size, time and name, where a time of MLSD is ` +
      "in this machine's zone, and one of LIST as the server sent it; " +
      `"json" is one object per line (see JSON below); "urls" is one absolute URL per line, ` +
      "percent-encoded so that --input-file reads exactly these entries, with the user but " +
      "without a password, and with a slash after directories, which are listed in their " +
      `turn; a line that cannot be read follows a "#". "raw" is what the server sent. The ` +
      `default is "table" on a terminal, else ` +
      `"names". If a listing is incomplete, because the server says so or the TLS ` +
      "connection was cut, the part that arrived is printed, and the status is 9.",
    example: "ftpull --format json ftp://ftp.example.com/pub/ | jq -r .name",
  },
  user: {
    group: "Logging in",
    long: "--user",
    argument: "name",
    value: "user",
    summary: "log in as this user if a URL names none",
    description:
      "Log in as <name> for URLs that name no user. A colon in <name> is an error, since a " +
      "password behind it would appear in the process list. A user name that contains a " +
      "colon can be given in the URL, as %3A.",
    example: "ftpull --user alice --ask-password ftp://ftp.example.com/report.pdf",
  },
  passwordFile: {
    group: "Logging in",
    long: "--password-file",
    argument: "file",
    readsStandardInput: true,
    summary: `read the password from a file; "-" is stdin`,
    description:
      `Read the password from the first line of <file>; "-" is standard input. <file> may ` +
      "be a FIFO; its first line may have at most 1 MiB. If it is a terminal, the password " +
      "is asked for, as with --ask-password.",
    example: "ftpull --password-file secret.txt ftp://alice@ftp.example.com/report.pdf",
  },
  askPassword: {
    group: "Logging in",
    long: "--ask-password",
    excludes: ["--password-file"],
    summary: "ask for the password before connecting",
    description:
      "Ask for the password on the terminal before connecting. By default the question " +
      "comes when a server wants a password and none is known.",
  },
  account: {
    group: "Logging in",
    long: "--account",
    argument: "name",
    value: "line",
    summary: "send this account if a server asks for one",
    description:
      "The account for servers that ask for one by reply 332 or 532, also with an anonymous " +
      "login. An account in a netrc file is sent only with the login of the same entry.",
    example: "ftpull --account physics ftp://alice@ftp.example.com/report.pdf",
  },
  netrcFile: {
    group: "Logging in",
    long: "--netrc-file",
    argument: "file",
    summary: "look up users and passwords in this file",
    description:
      `Look up users, passwords and accounts in <file> instead of "~/.netrc". The entry ` +
      `"default" applies to hosts without an entry. <file> must be a regular file of at ` +
      "most 1 MiB.",
    example: "ftpull --netrc-file ci/netrc ftp://ftp.example.com/report.pdf",
  },
  noNetrc: {
    group: "Logging in",
    long: "--no-netrc",
    excludes: ["--netrc-file"],
    summary: "do not read ~/.netrc",
    description: `Do not read "~/.netrc".`,
  },
  noInput: {
    group: "Logging in",
    long: "--no-input",
    excludes: ["--ask-password"],
    summary: "never ask a question: fail instead",
    description: "Never ask a question: fail instead, with status 6, as without a terminal.",
  },
  timeoutMs: {
    group: "Connection",
    short: "-T",
    long: "--timeout",
    argument: "seconds",
    value: "seconds",
    default: "30",
    summary: "wait this long for the server",
    description:
      "How long to wait for a connection, for each reply and for the next data; fractions " +
      "are allowed. The time that a question takes to be answered is not counted.",
    example: "ftpull -T 5 ftp://ftp.example.com/pub/README",
  },
  tries: {
    group: "Connection",
    short: "-t",
    long: "--tries",
    argument: "number",
    value: "count",
    default: "5",
    summary: "give up after this many failed tries",
    description:
      "Give up a document after <number> failed tries in a row; 0 means never. What may be " +
      "temporary is tried again: a connection that breaks or stalls, a 4yz reply, an error " +
      "reply after data has arrived, an incomplete document. Any other error reply is " +
      "final. The waits between tries are 1, 2, 4 ... 30 seconds: 15 in all by default, so " +
      "a server that never answers is given up within 3 minutes. A try that brings data " +
      "restarts the count: with a <number> above 1 a document is not given up while it " +
      "grows, however long it takes. If no try for a document could connect, the next " +
      "document of that server gets a single try; if that fails too, all others of that " +
      "server fail at once. A server that refuses the connection and has not answered in " +
      "this run is not tried again.",
    example: "ftpull -t 20 ftp://ftp.example.com/pub/image.iso",
  },
  limitRate: {
    group: "Connection",
    long: "--limit-rate",
    argument: "rate",
    value: "rate",
    summary: "limit all transfers together to this rate",
    description:
      "Read at most <rate> octets per second, over all transfers together. A suffix k, M or " +
      `G stands for 1024, 1024 squared or 1024 cubed: "500k", "1.5M".`,
    example: "ftpull --limit-rate 500k ftp://ftp.example.com/pub/disk.img",
  },
  inet4Only: {
    group: "Connection",
    short: "-4",
    long: "--inet4-only",
    excludes: ["--inet6-only"],
    summary: "connect by IPv4 only",
    description: "Connect by IPv4 only.",
  },
  inet6Only: {
    group: "Connection",
    short: "-6",
    long: "--inet6-only",
    summary: "connect by IPv6 only",
    description: "Connect by IPv6 only.",
  },
  active: {
    group: "Connection",
    long: "--active",
    summary: "use active mode: the server connects for data",
    description:
      "Use active mode: the server connects to this machine for the data (EPRT, else PORT). " +
      "Few firewalls permit that. Connections from other machines are dropped.",
    example: "ftpull --active ftp://ftp.example.com/pub/README",
  },
  noHost: {
    group: "Connection",
    long: "--no-host",
    summary: "do not send the HOST command",
    description:
      "Do not send HOST (RFC 7151), for the few servers that close the connection on it.",
  },
  noPipelining: {
    group: "Connection",
    long: "--no-pipelining",
    summary: "send one command at a time",
    description:
      "Wait for the reply to each command before sending the next, for servers and " +
      "firewalls that cannot handle several commands at once. This happens automatically " +
      "after pipelining has broken a connection.",
  },
  jobs: {
    group: "Connection",
    short: "-j",
    long: "--jobs",
    argument: "number",
    value: "positive",
    default: "1",
    summary: "fetch this many documents at once",
    description:
      "Fetch up to <number> documents at once, each over a control connection of its own; " +
      "with --output-document they are fetched one by one. If a connection cannot be " +
      "opened, for any reason, while another one to the same server works, fewer " +
      "connections to that server are used from then on, and the document waits. Documents " +
      "with the same local name are fetched in the order of the URLs if they replace or " +
      "resume the file, or if --no-clobber skips them. Fewer documents are fetched at once " +
      "if the limit of open files is too low.",
    example: "ftpull -j 4 -i urls.txt",
  },
  segments: {
    group: "Connection",
    short: "-s",
    long: "--segments",
    argument: "number",
    value: "positive",
    default: "1",
    summary: "fetch large files in this many parts",
    description:
      "Fetch a file of 2 MiB or more in up to <number> segments at once, each over " +
      "connections of its own: for servers and networks that limit each connection. A " +
      "connection that becomes idle takes over half of what the slowest segment has left. " +
      "Fewer segments are used if the server permits fewer connections, reports different " +
      "sizes or times on them, or cannot restart a transfer in the middle. Standard output, " +
      "texts and files without a modification time are fetched in one segment. Size and " +
      "time are requested again with each segment and at the end; if they have changed, the " +
      "file begins again, and if the server refuses to say so, a message tells it. A file " +
      "that is replaced by one of the same size and time cannot be told from it.",
    example: "ftpull -s 4 ftp://ftp.example.com/pub/image.iso",
  },
  allowPorts: {
    group: "Connection",
    long: "--allow-port",
    argument: "port",
    value: "port",
    repeatable: true,
    summary: "permit the port of another protocol",
    description:
      "Permit URLs with this port although it belongs to another protocol, as 25 does to " +
      "mail. The option can be repeated.",
    example: "ftpull --allow-port 6000 ftp://ftp.example.com:6000/pub/README",
  },
  proxy: {
    group: "Connection",
    long: "--proxy",
    argument: "url",
    excludes: ["--no-proxy", "--active"],
    summary: "connect through this proxy: http or socks5",
    description:
      "Make all connections through the proxy <url>, whatever the environment says. It is " +
      `"http://HOST:PORT" (port 80 by default), or "socks5://HOST:PORT" (port 1080), which ` +
      `"socks5h" means too: the proxy looks up the names of servers. Without a scheme it is an ` +
      "HTTP proxy. It must permit CONNECT to the server's port, usually 21, and to the ports above " +
      "1023 of data connections; if it refuses or does not answer, the document fails with status 4. " +
      "A user and a password can stand before the host, as in other URLs, for Basic authentication " +
      "or that of SOCKS5; if the proxy rejects them or wants others, the status is 6. The " +
      "process list does not show them, but the history of a shell may: a variable of the environment " +
      "is a better place.",
    example: "ftpull --proxy http://proxy.example.com:3128 ftp://ftp.example.com/pub/README",
  },
  noProxy: {
    group: "Connection",
    long: "--no-proxy",
    summary: "ignore the proxies of the environment",
    description:
      "Connect directly, and ignore the proxies that the environment names. Without this option and " +
      `without --proxy the first of the variables "ftp_proxy", "FTP_PROXY", "all_proxy" and ` +
      `"ALL_PROXY" that is set names the proxy, in the form of --proxy; if it is empty, there is none. ` +
      `"no_proxy", else "NO_PROXY", lists the servers that are connected directly, separated by ` +
      `commas: names, which include their subdomains; addresses; blocks such as "10.0.0.0/8"; all ` +
      `of these perhaps with ":PORT"; and "*" for all servers. It does not apply to --proxy.`,
  },
  tls: {
    group: "TLS",
    long: "--tls",
    summary: "require TLS for ftp: URLs too",
    description:
      `Require TLS (AUTH TLS) for "ftp:" URLs too, as for "ftpes:" ones. If the server ` +
      "refuses it for commands or for data, the URL fails with status 5; nothing is sent in " +
      "clear text instead.",
    example: "ftpull --tls ftp://ftp.example.com/pub/README",
  },
  caCertificate: {
    group: "TLS",
    long: "--ca-certificate",
    argument: "file",
    summary: "trust the authorities in this file only",
    description:
      "Trust the certificate authorities in <file> (PEM), and no others. A self-signed " +
      "certificate can be given here too.",
    example: "ftpull --ca-certificate ca.pem ftpes://ftp.example.com/pub/README",
  },
  certificate: {
    group: "TLS",
    long: "--certificate",
    argument: "file",
    summary: "present this client certificate",
    description:
      "Present the certificate in <file> (PEM) to servers that ask for one. Its private key " +
      "is read from the same file unless --private-key names another.",
    example: "ftpull --certificate me.pem --private-key me.key ftpes://ftp.example.com/report.pdf",
  },
  privateKey: {
    group: "TLS",
    long: "--private-key",
    argument: "file",
    summary: "read the private key from this file",
    description: "The private key (PEM, not encrypted) of --certificate.",
  },
  noCheckCertificate: {
    group: "TLS",
    long: "--no-check-certificate",
    excludes: ["--ca-certificate"],
    summary: "do not verify the server's certificate",
    description:
      "Accept any certificate, with a warning: the connection can then be intercepted, and " +
      "passwords and documents read and changed.",
  },
  quiet: {
    group: "Messages",
    short: "-q",
    long: "--quiet",
    summary: "print errors only",
    description: "Print errors only: no progress, total, warnings or other messages.",
  },
  noVerbose: {
    group: "Messages",
    short: "-nv",
    long: "--no-verbose",
    excludes: ["--quiet", "--verbose"],
    summary: "print one line per document",
    description:
      "Print one line per document when it has arrived, and none while it runs. Warnings and " +
      "errors are printed as usual.",
  },
  verbose: {
    group: "Messages",
    short: "-v",
    long: "--verbose",
    excludes: ["--quiet"],
    summary: "show commands and replies",
    description:
      `Show commands and replies on standard error: "> CWD pub" was sent, "< 250 OK" was ` +
      `received. Passwords and accounts are shown as "***". With --jobs and --segments each ` +
      `line begins with the number of its session. A proxy is named before each control ` +
      "connection that is made through it.",
  },
  progress: {
    group: "Messages",
    long: "--progress",
    argument: "style",
    choices: ["bar", "plain", "none"],
    summary: "show progress as bar, plain or none",
    description:
      `How progress is shown on standard error: "bar" is a moving bar; "plain" prints a ` +
      `line at the start, every ten seconds and at the end. The default is "bar" on a ` +
      `terminal, else "plain". There is no bar while --output-document writes to a terminal, ` +
      `nor, on Linux, while the program runs in the background.`,
    example: "ftpull --progress none ftp://ftp.example.com/pub/README",
  },
  json: {
    group: "Messages",
    long: "--json",
    excludes: ["--explain"],
    summary: "print one line of JSON per document on stdout",
    description:
      "Print one object per document on standard output, as soon as it has arrived, is skipped " +
      "or has failed (see JSON below). Messages stay on standard error. Documents and listings " +
      `need a place of their own: --output-document with "-" is an error, and a listing needs ` +
      "the name of a file.",
    example: "ftpull --json -i urls.txt | jq -r 'select(.status == \"failed\") | .url'",
  },
  completion: {
    group: "Messages",
    long: "--completion",
    argument: "shell",
    choices: ["bash", "zsh", "fish"],
    summary: "print the script for bash, zsh or fish",
    description:
      `Print a script that completes options and their arguments in "bash", "zsh" or "fish". ` +
      `For bash it is saved as "~/.local/share/bash-completion/completions/ftpull", for zsh as ` +
      `"_ftpull" in a directory of "$fpath", for fish as "~/.config/fish/completions/ftpull.fish".`,
    example: "ftpull --completion bash",
  },
  manual: {
    group: "Messages",
    long: "--manual",
    summary: "show the manual page",
    description: `Show this page: on a terminal with "man", if it is there, else as text on standard output.`,
  },
  help: {
    group: "Messages",
    short: "-h",
    long: "--help",
    summary: "print this help",
    description: "Print a summary of the options.",
  },
  version: {
    group: "Messages",
    short: "-V",
    long: "--version",
    summary: "print the version",
    description: "Print the version.",
  },
} as const satisfies Readonly<Record<string, OptionRecord>>;

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

/** Such as `-O, --output-document <file>`. */
export function optionTerm({ short, long, argument }: OptionRecord): string {
  const names = short === undefined ? long : `${short}, ${long}`;
  return argument === undefined ? names : `${names} <${argument}>`;
}

export function optionSummary({ summary, default: value }: OptionRecord): string {
  return value === undefined ? summary : `${summary} (default ${value})`;
}

/** Whether the options cannot be combined, whichever of the two says so. */
export function contradicts(one: OptionRecord, other: OptionRecord): boolean {
  return Boolean(one.excludes?.includes(other.long) || other.excludes?.includes(one.long));
}

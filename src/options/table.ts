/**
 * The option table: one record an option, and data only. command-line.ts reads the words
 * of the command line by it and prints --help from it; manual.ts makes the options of the
 * man page and of the README from it.
 */
import { exitStatus } from "../errors.ts";

/** The headings of --help and of the manual, in their order. */
export const groups = [
  "Documents",
  "URLs",
  "Listings",
  "Logging in",
  "Connection",
  "TLS",
  "Messages",
] as const;

/** What the text of an argument stands for; "text" is whatever isn't empty. */
export type ValueKind =
  "text" | "line" | "user" | "seconds" | "count" | "positive" | "port" | "rate" | "checksum";

/** All that there is to know of one option. */
export interface OptionRecord {
  readonly group: (typeof groups)[number];
  /** With its dash: `-O`. */
  readonly short?: string;
  /** With its dashes: `--output-document`. */
  readonly long: string;
  /** The name of its argument, as the manual shows it; a flag has none. */
  readonly argument?: string;
  /** "text" unless said. */
  readonly value?: ValueKind;
  /** The only texts that the argument may be. */
  readonly choices?: readonly string[];
  /** As one would write it on the command line. */
  readonly default?: string;
  /** Given several times, each one counts and not only the last. */
  readonly repeatable?: true;
  /** "-" as its argument means standard input, which only one option can read. */
  readonly readsStandardInput?: true;
  /** The long names of options that contradict this one; saying it on one side is enough. */
  readonly excludes?: readonly string[];
  /** At most 60 columns, imperative, for --help and the README. */
  readonly summary: string;
  /** Full sentences for the man page; `--long`, `<argument>` and `"literal"` are marked up there. */
  readonly description: string;
  /** A command line that shows it, when the summary doesn't say it all. */
  readonly example?: string;
}

/** The options by the name of the setting that each one gives. */
export const options = {
  outputDocument: {
    group: "Documents",
    short: "-O",
    long: "--output-document",
    argument: "file",
    summary: `write all into one file; "-" is stdout`,
    description:
      `Write all documents and listings into <file>, in the order of the URLs; "-" is standard ` +
      "output. A regular file is replaced when all is there, a device or a FIFO is written " +
      "directly; its directory has to exist, and --directory-prefix has no effect on it. A URL " +
      "without a final slash that turns out to name a directory is an error, since a script " +
      "that names a file wants one.",
    example: "ftpull -O - ftp://ftp.example.com/pub/tool.tar.gz | tar -xzf -",
  },
  directoryPrefix: {
    group: "Documents",
    short: "-P",
    long: "--directory-prefix",
    argument: "dir",
    default: ".",
    summary: "save files in this directory",
    description: "Save files in <dir>, which is made when it is missing.",
    example: "ftpull -P downloads ftp://ftp.example.com/pub/README",
  },
  timestamping: {
    group: "Documents",
    short: "-N",
    long: "--timestamping",
    excludes: ["--output-document", "--force", "--no-clobber", "--no-mtime"],
    summary: "fetch only what is newer than the file here",
    description:
      "Fetch a document only when the server's is newer than the file here, or of another size, " +
      "and replace the file. Where a server tells no time the size alone decides, with a " +
      "warning. Listings are always fetched.",
    example: "ftpull -N -P mirror ftp://ftp.example.com/pub/news.txt",
  },
  force: {
    group: "Documents",
    short: "-f",
    long: "--force",
    summary: "replace files that exist",
    description:
      "Replace a file that exists. Without this option and without --no-clobber it is left " +
      `alone, and the document is saved as "name.1", "name.2" and so on.`,
  },
  noClobber: {
    group: "Documents",
    long: "--no-clobber",
    excludes: ["--force"],
    summary: "skip URLs whose file exists",
    description:
      `Leave a file that exists alone, and skip its URL. The form "-nc" of wget is understood ` +
      "too.",
  },
  continue: {
    group: "Documents",
    short: "-c",
    long: "--continue",
    excludes: ["--force", "--no-clobber", "--timestamping"],
    summary: "go on with a partial file",
    description:
      "Go on where an earlier run broke off, if the document is still the same: its size and " +
      "time are compared with name.part.json, and the last 4096 octets here with the server's; " +
      "otherwise begin again. What may be a hole in name.part is fetched again. A shorter file " +
      "without a note is taken for the beginning, one of the same size for the whole document, " +
      "and a longer one is an error.",
    example: "ftpull -c ftp://ftp.example.com/pub/image.iso",
  },
  noMtime: {
    group: "Documents",
    long: "--no-mtime",
    summary: "keep the time of saving as a file's time",
    description: "Do not give files the modification time that the server reports.",
  },
  checksum: {
    group: "Documents",
    long: "--checksum",
    argument: "value",
    value: "checksum",
    excludes: ["--checksums"],
    summary: "verify the document by algorithm:hex",
    description:
      `Verify the document, the only one of the run. The argument is "md5", "sha1", "sha256" or ` +
      `"sha512", a colon and the hex digits. They are of the octets as stored: of a text, after ` +
      "its conversion. A mismatch is a failure with status 9: the file does not get its name, " +
      "and what arrived is removed; standard output has it by then. A file that --continue or " +
      "--timestamping finds here is verified too. A URL that turns out to name a directory is " +
      "an error.",
    example:
      "ftpull --checksum md5:d41d8cd98f00b204e9800998ecf8427e ftp://ftp.example.com/pub/empty",
  },
  checksums: {
    group: "Documents",
    long: "--checksums",
    argument: "file",
    readsStandardInput: true,
    summary: `verify by the list in a file; "-" is stdin`,
    description:
      `Verify each document that <file> lists, as --checksum does; "-" is standard input. A ` +
      "line is as sha256sum writes it, where the number of digits tells the algorithm, or of " +
      `the form "SHA256 (name) = digits". A document is looked up by its own name, whatever ` +
      "--output-document says, and without the directories of the list. One that is not listed " +
      "is fetched with a warning.",
    example: "ftpull --checksums SHA256SUMS ftp://ftp.example.com/pub/tool.tar.gz",
  },
  inputFile: {
    group: "URLs",
    short: "-i",
    long: "--input-file",
    argument: "file",
    readsStandardInput: true,
    summary: `read URLs from a file; "-" is stdin`,
    description:
      `Read URLs from <file>, one a line, after those of the command line; "-" is standard ` +
      `input. Empty lines and lines that begin with "#" are skipped.`,
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
    summary: "read paths from the server's root directory",
    description:
      "Read the path of a URL from the root of the server, as browsers do, and not from the " +
      `directory in which the login leaves one. "/~/x" and "/./x" then begin at the latter.`,
    example: "ftpull --root ftp://ftp.example.com/etc/motd",
  },
  nullCwd: {
    group: "URLs",
    long: "--null-cwd",
    summary: "send an empty CWD for an empty segment",
    description:
      "Send CWD with an empty argument for an empty segment of the path, as RFC 1738 says. " +
      "Without it nothing is sent, since few servers take it.",
  },
  guessType: {
    group: "URLs",
    long: "--guess-type",
    summary: "fetch names with a text suffix as ASCII text",
    description:
      "Fetch documents whose name has the suffix of a text as ASCII text, where the URL has no " +
      "typecode. Without it every document is fetched octet for octet.",
  },
  remoteEncoding: {
    group: "URLs",
    long: "--remote-encoding",
    argument: "name",
    summary: "expect names in this encoding, not in UTF-8",
    description:
      "The encoding of names on a server that doesn't use UTF-8: names are sent in it, and local " +
      "files get their names by it. Octets that a URL writes with percent signs are sent as they are.",
    example: "ftpull --remote-encoding iso-8859-1 ftp://ftp.example.com/pub/caf%E9.txt",
  },
  ebcdicEncoding: {
    group: "URLs",
    long: "--ebcdic-encoding",
    argument: "page",
    choices: ["cp037", "cp1047"],
    default: "cp037",
    summary: "read type e as cp037 or cp1047",
    description: `The code page that documents of the type "e" are read by.`,
    example: "ftpull --ebcdic-encoding cp1047 'ftp://host.example.com/report;type=e'",
  },
  explain: {
    group: "URLs",
    long: "--explain",
    summary: "print the plan and connect to nothing",
    description:
      "Print what would be sent, command by command, on standard output, and connect to nothing.",
    example: "ftpull --explain ftp://ftp.example.com/pub/README",
  },
  format: {
    group: "Listings",
    long: "--format",
    argument: "format",
    choices: ["names", "table", "json", "raw"],
    summary: "list as names, table, json or raw",
    description:
      `How a directory is printed: "names" is one name a line, with a slash after a directory's; ` +
      `"table" has type, size, time and name for people; "json" is one object a line; "raw" is what ` +
      `the server sent. The default is "table" on a terminal, else "names". A listing that was ` +
      `cut, as the server says or TLS shows, is printed as far as it came, and the status is 9.`,
    example: "ftpull --format json ftp://ftp.example.com/pub/ | jq -r .name",
  },
  user: {
    group: "Logging in",
    long: "--user",
    argument: "name",
    value: "user",
    summary: "log in as this user where a URL names none",
    description:
      "Log in as <name> for URLs that name no user. A password behind a colon is refused: the " +
      "process list would show it. A name that has a colon can stand in a URL, as %3A.",
    example: "ftpull --user alice --ask-password ftp://ftp.example.com/report.pdf",
  },
  passwordFile: {
    group: "Logging in",
    long: "--password-file",
    argument: "file",
    readsStandardInput: true,
    summary: `read the password from a file; "-" is stdin`,
    description:
      `The first line of <file> is the password; "-" is standard input. It may be a FIFO; its ` +
      "first line has at most 1 MiB.",
    example: "ftpull --password-file secret.txt ftp://alice@ftp.example.com/report.pdf",
  },
  askPassword: {
    group: "Logging in",
    long: "--ask-password",
    excludes: ["--password-file"],
    summary: "ask for the password before connecting",
    description:
      "Ask for the password on the terminal before connecting. Without it, it is asked for when " +
      "a server wants one and none was found.",
  },
  account: {
    group: "Logging in",
    long: "--account",
    argument: "name",
    value: "line",
    summary: "send this account when a server wants one",
    description:
      "The account for servers that ask for one with reply 332 or 532, of an anonymous login too. One from " +
      "a netrc file goes only with the login that stands beside it.",
    example: "ftpull --account physics ftp://alice@ftp.example.com/report.pdf",
  },
  netrcFile: {
    group: "Logging in",
    long: "--netrc-file",
    argument: "file",
    summary: "look up users and passwords in this file",
    description:
      `Look up users, passwords and accounts in <file> and not in "~/.netrc". The entry "default" ` +
      "is for hosts that have none. <file> has to be a regular file of at most 1 MiB.",
    example: "ftpull --netrc-file ci/netrc ftp://ftp.example.com/report.pdf",
  },
  noNetrc: {
    group: "Logging in",
    long: "--no-netrc",
    excludes: ["--netrc-file"],
    summary: "leave ~/.netrc alone",
    description: `Do not read "~/.netrc".`,
  },
  noInput: {
    group: "Logging in",
    long: "--no-input",
    excludes: ["--ask-password"],
    summary: "never ask for anything: fail instead",
    description:
      "Never ask for anything: fail instead, with status 6, as where there is no terminal.",
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
      "How long to wait for a connection, for each reply and for the next data; fractions are " +
      "fine. The time that a person takes to answer a question doesn't count.",
    example: "ftpull -T 5 ftp://ftp.example.com/pub/README",
  },
  tries: {
    group: "Connection",
    short: "-t",
    long: "--tries",
    argument: "number",
    value: "count",
    default: "5",
    summary: "give up after vain tries; 0 never",
    description:
      "Give up after so many tries in a row that brought nothing new; 0 means never. Tried again " +
      "is what may pass: a connection that breaks or stalls, a reply of the kind 4yz, a refusal " +
      "after data has come, a document that is cut short. Any other refusal is final. The waits between are 1, 2, 4 ... 30 seconds: by " +
      "default 15 in all, and a server that never answers is given up within 3 minutes. A try " +
      "that brought octets begins the count anew, so with a <number> above 1 a document that " +
      "still grows is not given up, however long it takes. Where all tries for a document failed " +
      "to connect, the next document of that server gets a single one, and when that fails too, all " +
      "others fail at once. A server that refuses the connection, and hasn't answered in this run, " +
      "isn't tried again.",
    example: "ftpull -t 20 ftp://ftp.example.com/pub/image.iso",
  },
  limitRate: {
    group: "Connection",
    long: "--limit-rate",
    argument: "rate",
    value: "rate",
    summary: "read at most so many octets a second, in all",
    description:
      "Read at most <rate> octets a second, over all transfers together. With k, M or G behind " +
      `it the number counts units of 1024, its square or its cube: "500k", "1.5M".`,
    example: "ftpull --limit-rate 500k ftp://ftp.example.com/pub/disk.img",
  },
  inet4Only: {
    group: "Connection",
    short: "-4",
    long: "--inet4-only",
    excludes: ["--inet6-only"],
    summary: "connect by IPv4 only",
    description: "Connect to IPv4 addresses only.",
  },
  inet6Only: {
    group: "Connection",
    short: "-6",
    long: "--inet6-only",
    summary: "connect by IPv6 only",
    description: "Connect to IPv6 addresses only.",
  },
  active: {
    group: "Connection",
    long: "--active",
    summary: "let the server make the data connections",
    description:
      "Let the server connect to this machine for the data (EPRT, else PORT), instead of " +
      "connecting to it. Few firewalls let that in. A connection from any other machine is " +
      "dropped.",
    example: "ftpull --active ftp://ftp.example.com/pub/README",
  },
  noHost: {
    group: "Connection",
    long: "--no-host",
    summary: "leave out HOST for servers that choke on it",
    description: "Do not send HOST (RFC 7151), for the few servers that hang up on it.",
  },
  noPipelining: {
    group: "Connection",
    long: "--no-pipelining",
    summary: "send one command at a time",
    description:
      "Wait for the reply to each command before sending the next, for servers and firewalls " +
      "that can't take several at once. After one has broken a connection for that, this is " +
      "done unasked.",
  },
  jobs: {
    group: "Connection",
    short: "-j",
    long: "--jobs",
    argument: "number",
    value: "positive",
    default: "1",
    summary: "fetch so many documents at once",
    description:
      "Fetch so many documents at once, each over a control connection of its own, and one by one " +
      "with --output-document. A connection that can't be opened, for whatever reason, while " +
      "another one to the same server works counts as one too many: that server gets fewer from " +
      "then on, and the document waits. Documents of one local name that replace or continue " +
      "it, or that --no-clobber skips, come one after the other, in the order of the URLs. " +
      "Fewer are under way at once where the system lets the program open too few files for them.",
    example: "ftpull -j 4 -i urls.txt",
  },
  segments: {
    group: "Connection",
    short: "-s",
    long: "--segments",
    argument: "number",
    value: "positive",
    default: "1",
    summary: "fetch large files in so many pieces",
    description:
      "Fetch a file of 2 MiB or more in so many pieces at once, each over connections of its " +
      "own: for a server or a way to it that limits each connection. An idle connection takes " +
      "over half of what a slow one has left. There are fewer pieces where the server lets " +
      "fewer connections in, tells different things of the file on them, or can't begin in the " +
      "middle of it; standard output and text come in one, and so does a file whose time the " +
      "server doesn't tell. Size and time are asked for again with each piece and at the end; " +
      "where they have changed the file begins again. A file that is replaced by one of the " +
      "same size and time can't be told from it.",
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
      "Permit a URL with this port although it belongs to another protocol, such as 25 of mail. " +
      "May be given several times.",
    example: "ftpull --allow-port 6000 ftp://ftp.example.com:6000/pub/README",
  },
  tls: {
    group: "TLS",
    long: "--tls",
    summary: "ask for TLS for ftp: URLs too, or fail",
    description:
      `Ask for TLS (AUTH TLS) for "ftp:" URLs too, as for "ftpes:" ones. A server that refuses ` +
      "it for commands or for data fails with status 5; nothing goes on in clear text.",
    example: "ftpull --tls ftp://ftp.example.com/pub/README",
  },
  caCertificate: {
    group: "TLS",
    long: "--ca-certificate",
    argument: "file",
    summary: "trust the authorities in this file only",
    description:
      "Trust the certificate authorities in <file> (PEM), and no others. A certificate that signs " +
      "itself can be given here too.",
    example: "ftpull --ca-certificate ca.pem ftpes://ftp.example.com/pub/README",
  },
  certificate: {
    group: "TLS",
    long: "--certificate",
    argument: "file",
    summary: "show this certificate to servers that want one",
    description:
      "Show the certificate in <file> (PEM) to servers that want one. Its private key is read from " +
      "the same file unless --private-key names another.",
    example: "ftpull --certificate me.pem --private-key me.key ftpes://ftp.example.com/report.pdf",
  },
  privateKey: {
    group: "TLS",
    long: "--private-key",
    argument: "file",
    summary: "use this key, in a file of its own",
    description: "The private key (PEM, not encrypted) that belongs to --certificate.",
  },
  noCheckCertificate: {
    group: "TLS",
    long: "--no-check-certificate",
    excludes: ["--ca-certificate"],
    summary: "accept any certificate",
    description:
      "Accept any certificate of a server, with a warning: whoever is in between can then read and " +
      "change everything, passwords included.",
  },
  quiet: {
    group: "Messages",
    short: "-q",
    long: "--quiet",
    summary: "print errors only",
    description: "Print errors only: no progress, no warnings, no notes.",
  },
  verbose: {
    group: "Messages",
    short: "-v",
    long: "--verbose",
    excludes: ["--quiet"],
    summary: "show the dialogue with the server",
    description:
      `Show the dialogue with the server on standard error: "> CWD pub" was sent, "< 250 OK" came ` +
      `back. Passwords and accounts are shown as "***".`,
  },
  progress: {
    group: "Messages",
    long: "--progress",
    argument: "style",
    choices: ["bar", "plain", "none"],
    summary: "show progress as bar, plain or none",
    description:
      `How progress is shown on standard error: "bar" moves, "plain" prints lines for a log: at ` +
      `the start, every ten seconds and at the end. The default is "bar" on a terminal, else ` +
      `"plain".`,
    example: "ftpull --progress none ftp://ftp.example.com/pub/README",
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

/** What ftpull takes from the environment, in the manual's order. */
export const environment: readonly { readonly name: string; readonly meaning: string }[] = [
  { name: "FTPULL_PASSWORD", meaning: "the password for a named user whose URL has none" },
  { name: "FTPULL_DEBUG", meaning: "1 shows the stack trace of an error" },
];

/** What the exit statuses mean to a user. */
export const exitStatuses: readonly { readonly status: number; readonly meaning: string }[] = [
  { status: 0, meaning: "every document arrived" },
  { status: exitStatus.other, meaning: "anything else" },
  { status: exitStatus.usage, meaning: "command line, URL or input file not understood" },
  { status: exitStatus.file, meaning: "file: cannot write, disk full, no permission" },
  { status: exitStatus.network, meaning: "network: no such host, refused, reset, timed out" },
  { status: exitStatus.tls, meaning: "TLS: certificate not trusted, server without TLS" },
  { status: exitStatus.login, meaning: "login: wrong or missing password or account" },
  { status: exitStatus.protocol, meaning: "protocol: the server does not speak FTP as it should" },
  { status: exitStatus.refused, meaning: "the server said no" },
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

/** An option with its argument: `-O, --output-document <file>`. */
export function optionTerm({ short, long, argument }: OptionRecord): string {
  const names = short === undefined ? long : `${short}, ${long}`;
  return argument === undefined ? names : `${names} <${argument}>`;
}

/** The summary of an option, with its default. */
export function optionSummary({ summary, default: value }: OptionRecord): string {
  return value === undefined ? summary : `${summary} (default ${value})`;
}

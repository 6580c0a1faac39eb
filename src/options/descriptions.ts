/**
 * What the manual page says of each option. Apart from the table, since the program itself has no use
 * for it.
 */
import { type OptionRecord, options } from "./table.ts";

export interface Description {
  /** Sentences, in which `--long`, `<argument>` and `"literal"` are marked up. */
  readonly description: string;
  /** A command line, where the summary in the table is not enough. */
  readonly example?: string;
}

const descriptions: Readonly<Record<keyof typeof options, Description>> = {
  outputDocument: {
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
    description: "Save files in <dir>, which is created if it does not exist.",
    example: "ftpull -P downloads ftp://ftp.example.com/pub/README",
  },
  timestamping: {
    description:
      "Fetch a document only if the server's is newer than the local file or differs from " +
      "it in size, and replace the file. Where the server reports no modification time, the " +
      "size alone decides, with a warning. Listings are always fetched. With --continue, what an " +
      "earlier run left in name.ftpull is resumed.",
    example: "ftpull -N -P mirror ftp://ftp.example.com/pub/news.txt",
  },
  force: {
    description:
      "Replace existing files. Without this option and without --no-clobber an existing " +
      `file is kept, and the document is saved as "name.1", "name.2" and so on.`,
  },
  noClobber: {
    description:
      "Keep existing files, and skip their URLs. " +
      "A file that another program saves in the meantime is kept as well, which is an error.",
  },
  continue: {
    description:
      "Resume the partial download of an earlier run if the document is still the same: its " +
      "size and time are compared with those in the folder name.ftpull, and the last 4096 octets " +
      "there with the server's. Otherwise begin again; what is there stays until the document " +
      "arrives, unless its size or time has changed. Without that folder, a shorter file is taken " +
      "for the beginning of the document, and copied, except with --timestamping; a file of the same size and time is taken " +
      "for the whole. A file of the same size is replaced if the document is newer; else its last 4096 octets are compared. A " +
      "longer file is an error.",
    example: "ftpull -c ftp://ftp.example.com/pub/image.iso",
  },
  noMtime: {
    description: "Do not set the modification time of files to the one that the server reports.",
  },
  checksum: {
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
    description:
      `Verify each document that is listed in <file>, as --checksum does; "-" is standard ` +
      "input. A list has the form of sha256sum, where the number of digits determines the " +
      `algorithm, of the BSDs and OpenSSL ("SHA256 (name) = digits"), of sum, cksum or gpg; or ` +
      "it is a table with tabs and a title such as md5 or sha256, or the digits alone in a file " +
      "such as name.sha256. The signature of a signed list is not checked. Two different " +
      "checksums of one path are an error. A document is looked " +
      "up by the last name of its URL, even with --output-document, and directories in the " +
      "list are ignored; with --recursive it is looked up by its path. A document that is not " +
      "listed is fetched with a warning.",
    example: "ftpull --checksums SHA256SUMS ftp://ftp.example.com/pub/tool.tar.gz",
  },
  inputFiles: {
    description:
      `Read URLs from <file>, one per line, after those of the command line; "-" is ` +
      `standard input. Empty lines and lines that begin with "#" are skipped. Each document is ` +
      "fetched as soon as its URL is read, also from a pipe that stays open. Input from a terminal " +
      "is read to its end first. The option can be repeated: the files are read in their order. A " +
      "file without URLs is an error, with status 2.",
    example: "ftpull -P downloads -i urls.txt",
  },
  base: {
    description: "Resolve relative URLs, on the command line and in a file, against <url>.",
    example: "ftpull -B ftp://ftp.example.com/pub/ a.txt b.txt",
  },
  root: {
    description:
      "Begin the path of a URL at the root of the server, as browsers do, and not at the " +
      `login directory. "/~/x" and "/./x" still begin at the login directory.`,
    example: "ftpull --root ftp://ftp.example.com/etc/motd",
  },
  nullCwd: {
    description:
      "Send CWD with an empty argument for an empty segment of the path, as RFC 1738 says. " +
      "By default nothing is sent for it, since few servers accept that.",
  },
  guessType: {
    description:
      "Fetch documents as ASCII text if their name has the suffix of a text format and the " +
      "URL has no typecode. By default they are fetched octet for octet.",
  },
  remoteEncoding: {
    description:
      "The encoding of names on a server that does not use UTF-8: names are sent in it, and " +
      "the names of local files are decoded from it. Octets that a URL percent-encodes are " +
      "sent unchanged.",
    example: "ftpull --remote-encoding iso-8859-1 ftp://ftp.example.com/pub/caf%E9.txt",
  },
  ebcdicEncoding: {
    description: `The code page of documents with the typecode "e".`,
    example: "ftpull --ebcdic-encoding cp1047 'ftp://host.example.com/report;type=e'",
  },
  explain: {
    description: "Print the commands that would be sent on standard output, without connecting.",
    example: "ftpull --explain ftp://ftp.example.com/pub/README",
  },
  spider: {
    description:
      "Look whether the documents are there, and fetch none. Print a line for each on standard " +
      "output: size, modification time and URL with a tab between them, and a hyphen for what " +
      "is unknown. A document that is missing gives exit status 8. With --recursive and with " +
      "patterns, what would be fetched is listed; see WHOLE DIRECTORIES below.",
    example: "ftpull --spider -r ftp://ftp.example.com/pub/tools/",
  },
  recursive: {
    description:
      "Fetch what is below the directory that a URL names, and keep its shape: see WHOLE " +
      "DIRECTORIES below. A URL that names a file is fetched as usual.",
    example: "ftpull -r -P mirror ftp://ftp.example.com/pub/tools/",
  },
  mirror: {
    description:
      "The same as --recursive and --level with 0; another --level counts. A tree is compared by " +
      "size and time anyway.",
  },
  level: {
    description:
      "With --recursive, list directories down to this level; the one in the URL is level " +
      `1, and 0 or "inf" sets no limit. A warning tells of what is left out.`,
  },
  accept: {
    description:
      "Fetch only files whose names match one of <globs>, separated by commas: patterns with " +
      `"*", "?" and "[...]", or else suffixes. This option, --reject, --newer-than and ` +
      "--older-than are errors if neither --recursive is given nor a URL has a pattern; with " +
      "--input-file they are warnings.",
    example: "ftpull -r -A '*.tar.gz,*.sig' ftp://ftp.example.com/pub/tools/",
  },
  reject: {
    description:
      "Leave out files whose names match one of <globs>, as with --accept. One that ends in " +
      "a slash is the name of directories, which aren't entered.",
    example: "ftpull -r -R '*.iso,old/' ftp://ftp.example.com/pub/tools/",
  },
  newerThan: {
    description:
      "Leave out files that were not modified after <time>: a date as in 2026-11-01 or " +
      "2026-11-01T12:00, in this machine's zone or with Z in UTC, or an age in days or hours " +
      "as in 7d or 12h.",
    example: "ftpull -r --newer-than 7d ftp://ftp.example.com/pub/tools/",
  },
  olderThan: {
    description: "Leave out files that were not modified before <time>, as with --newer-than.",
  },
  forceDirectories: {
    description: "Save documents and trees in directories named after the host and the URL's path.",
  },
  noHostDirectories: {
    description: "Like --force-directories, but without the host.",
  },
  cutDirs: {
    description:
      "Like --force-directories, but without the first <number> directories of the path.",
    example: "ftpull -r -nH --cut-dirs 2 ftp://ftp.example.com/pub/tools/new/",
  },
  noGlob: {
    description:
      `A "*" or "[...]" in the last segment of a URL is a pattern for names, unless it is ` +
      "percent-encoded. With this option it stands for itself.",
  },
  format: {
    description:
      `How a directory is printed: "names" is one name per line, with a slash after the ` +
      `names of directories, and a line that cannot be read goes to standard error; "table" has type, size, time and name, where a time of MLSD is ` +
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
    description:
      "Log in as <name> for URLs that name no user. A colon in <name> is an error, since a " +
      "password behind it would appear in the process list. A user name that contains a " +
      "colon can be given in the URL, as %3A.",
    example: "ftpull --user alice --ask-password ftp://ftp.example.com/report.pdf",
  },
  passwordFile: {
    description:
      `Read the password from the first line of <file>; "-" is standard input. <file> may ` +
      "be a FIFO; its first line may have at most 1 MiB. If it is a terminal, the password " +
      "is asked for, as with --ask-password.",
    example: "ftpull --password-file secret.txt ftp://alice@ftp.example.com/report.pdf",
  },
  askPassword: {
    description:
      "Ask for the password on the terminal before connecting. By default the question " +
      "comes when a server wants a password and none is known.",
  },
  account: {
    description:
      "The account for servers that ask for one by reply 332 or 532, also with an anonymous " +
      "login. An account in a netrc file is sent only with the login of the same entry.",
  },
  netrcFile: {
    description:
      `Look up users, passwords and accounts in <file> instead of "~/.netrc". The entry ` +
      `"default" applies to hosts without an entry. <file> must be a regular file of at ` +
      "most 1 MiB.",
  },
  noNetrc: {
    description: `Do not read "~/.netrc".`,
  },
  noInput: {
    description: "Never ask a question: fail instead, with status 6, as without a terminal.",
  },
  timeoutMs: {
    description:
      "How long to wait for a connection, for each reply and for the next data; fractions " +
      "are allowed. The time that a question takes to be answered is not counted.",
  },
  tries: {
    description:
      `Give up a document after <number> failed tries in a row; 0 or "inf" means never. What may be ` +
      "temporary is tried again: a connection that breaks or stalls, a 4yz reply, an error " +
      "reply after data has arrived, an incomplete document. Any other error reply is " +
      "final. The waits between tries are 1, 2, 4 ... 30 seconds: 15 in all by default, so " +
      "a server that never answers is given up within 3 minutes. A try that brings data " +
      "restarts the count: with a <number> above 1 a document is not given up while it " +
      "grows, however long it takes. Tries to connect and log in are those of all documents " +
      "of a server together: until the last one has failed, none of them is lost. A server that was given up " +
      "gets a single new try when a document needs it a minute later.",
  },
  waitRetryMs: {
    description: "The longest of the waits between tries.",
  },
  waitMs: {
    description:
      "Pause before each further document of a server, listings of trees included; with --jobs, " +
      "one after the other.",
  },
  randomWait: {
    description: "Let each pause be between 0.5 and 1.5 times as long as --wait says.",
  },
  speedLimit: {
    description:
      "Break off a transfer, and try again, if its server is slower than <rate> for --speed-time.",
  },
  speedTimeMs: {
    description: "The time of --speed-limit; without that option, 1 octet per second is the limit.",
  },
  limitRate: {
    description:
      "Read at most <rate> octets per second, over all transfers together; 0 is no limit. A suffix k, M or " +
      `G stands for 1024, 1024 squared or 1024 cubed: "500k", "1.5M".`,
  },
  inet4Only: {
    description: "Connect by IPv4 only.",
  },
  inet6Only: {
    description: "Connect by IPv6 only.",
  },
  bindAddress: {
    description:
      "Make all connections from this IP address of this machine, to proxies too; with " +
      "--active, also listen there.",
  },
  active: {
    description:
      "Use active mode: the server connects to this machine for the data (EPRT, else PORT). " +
      "Few firewalls permit that. Connections from other machines are dropped.",
  },
  noHost: {
    description:
      "Do not send HOST (RFC 7151), for the few servers that close the connection on it.",
  },
  noPipelining: {
    description:
      "Wait for the reply to each command before sending the next, for servers and " +
      "firewalls that cannot handle several commands at once. This happens automatically " +
      "after pipelining has broken a connection.",
  },
  jobs: {
    description:
      "Fetch up to <number> documents at once, each over a control connection of its own; " +
      "with --output-document they are fetched one by one. If a connection cannot be " +
      "opened, for any reason, while another one to the same server works, fewer " +
      "connections to that server are used from then on, and the document waits. Documents " +
      "with the same local name are fetched in the order of the URLs if they replace or " +
      "resume the file, or if --no-clobber skips them.",
    example: "ftpull -j 4 -i urls.txt",
  },
  segments: {
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
    description:
      "Permit URLs with this port although it belongs to another protocol, as 25 does to " +
      "mail. The option can be repeated.",
  },
  proxy: {
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
    description:
      "Connect directly, and ignore the proxies that the environment names. Without this option and " +
      `without --proxy the first of the variables "ftp_proxy", "FTP_PROXY", "all_proxy" and ` +
      `"ALL_PROXY" that is set names the proxy, in the form of --proxy; if it is empty, there is none. ` +
      `"no_proxy", else "NO_PROXY", lists the servers that are connected directly, separated by ` +
      `commas: names, which include their subdomains; addresses; blocks such as "10.0.0.0/8"; all ` +
      `of these perhaps with ":PORT"; and "*" for all servers. It does not apply to --proxy.`,
  },
  tls: {
    description:
      `Require TLS (AUTH TLS) for "ftp:" URLs too, as for "ftpes:" ones. If the server ` +
      "refuses it for commands or for data, the URL fails with status 5; nothing is sent in " +
      "clear text instead.",
  },
  caCertificate: {
    description:
      "Trust the certificate authorities in <file> (PEM), and no others. A self-signed " +
      "certificate can be given here too.",
    example: "ftpull --ca-certificate ca.pem ftpes://ftp.example.com/pub/README",
  },
  certificate: {
    description:
      "Present the certificate in <file> (PEM) to servers that ask for one. Its private key " +
      "is read from the same file unless --private-key names another.",
    example: "ftpull --certificate me.pem --private-key me.key ftpes://ftp.example.com/report.pdf",
  },
  privateKey: {
    description: "The private key (PEM, not encrypted) of --certificate.",
  },
  pinnedKey: {
    description:
      "Accept a server with this public key, whatever its certificate says, and no other. <pin> is " +
      `"sha256//" and the key's SHA-256 in base64, perhaps several with ";" between them, or a file ` +
      "of the key (PEM or DER) or the certificate (PEM). Every URL needs TLS.",
  },
  noCheckCertificate: {
    description:
      "Accept any certificate, with a warning: the connection can then be intercepted, and " +
      "passwords and documents read and changed.",
  },
  quiet: {
    description: "Print errors only: no progress, total, warnings or other messages.",
  },
  noVerbose: {
    description:
      "Print one line per document when it has arrived, and none while it runs. Warnings and " +
      "errors are printed as usual.",
  },
  verbose: {
    description:
      `Show commands and replies on standard error: "> CWD pub" was sent, "< 250 OK" was ` +
      `received. Passwords and accounts are shown as "***". With --jobs and --segments each ` +
      `line begins with the number of its session. A proxy is named before each control ` +
      "connection that is made through it.",
  },
  progress: {
    description:
      `How progress is shown on standard error: "bar" is a moving bar; "plain" prints a ` +
      `line at the start, every ten seconds and at the end. The default is "bar" on a ` +
      `terminal, else "plain". There is no bar while --output-document writes to a terminal, ` +
      `nor, on Linux, while the program runs in the background.`,
    example: "ftpull --progress none ftp://ftp.example.com/pub/README",
  },
  json: {
    description:
      "Print one object per document on standard output, as soon as it has arrived, is skipped " +
      "or has failed (see JSON below). Messages stay on standard error. Documents and listings " +
      `need a place of their own: --output-document with "-" is an error, and a listing needs ` +
      "the name of a file.",
    example: "ftpull --json -i urls.txt | jq -r 'select(.status == \"failed\") | .url'",
  },
  completion: {
    description:
      `Print a script that completes options and their arguments in "bash", "zsh" or "fish". ` +
      `For bash it is saved as "~/.local/share/bash-completion/completions/ftpull", for zsh as ` +
      `"_ftpull" in a directory of "$fpath", for fish as "~/.config/fish/completions/ftpull.fish".`,
    example: "ftpull --completion bash",
  },
  manual: {
    description: `Show this page: on a terminal with "man", if it is there, else as text on standard output.`,
  },
  help: {
    description: "Print a summary of the options.",
  },
  version: {
    description: "Print the version.",
  },
};

/** The options of the table, in its order. */
export const describedOptions: readonly (OptionRecord & Description)[] =
  Object.entries<OptionRecord>(options).map(([name, record]) => ({
    ...record,
    ...descriptions[name as keyof typeof options],
  }));

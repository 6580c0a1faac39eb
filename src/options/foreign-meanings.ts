/**
 * Meanings of another program's option where one name has several, or where the name is an option
 * here, too. foreign.ts has the answers by name, foreign-programs.ts the tests of whole commands.
 */
import { flag, type ForeignOption, foreignOptions, withArgument } from "./foreign.ts";
import {
  asksForHead,
  type CommandTest,
  failsSilently,
  hasDirectoryOption,
  hasOutputOption,
  hasSegmentsOption,
  hasTreeOption,
  hasRsyncFlag,
  hasNoLogin,
  hasUserOption,
  isHostAndPath,
  namesSeveralFiles,
  type Program,
  programOf,
  savesOthersThanLogs,
  sharesWgetOption,
} from "./foreign-programs.ts";

/**
 * A row is a meaning of `name`. `following` matches what stands behind the name: a blank and the next word,
 * or "=" and the rest of the word. `meaning` is an answer, or the name that foreign.ts has the answer for.
 * `context`, if any, is the program that the whole command is written for ("unknown" without a sign of one),
 * or a test of the command.
 */
type Row = readonly [
  name: string,
  following: RegExp,
  meaning: ForeignOption | string,
  context?: Program | "unknown" | CommandTest,
];

const anything = /(?:)/;

/** No argument: an option, a URL or nothing follows. */
const noArgument = /^(?:$| -.| \w+:\/\/)/;

const url = /^ \w+:\/\//;
const host = /^ [\w-]+\.[\w.-]+(?::\d+)?$/;
const number = /^[ =]\d+$/;
const silent = /^(?:$| (?!\d|$)|=[A-Za-z#])/;
const log = /[\W_]log(?:\.txt)?$|\/dev\/null$/i;

/** curl's -Q with SITE; its "*" lets the command fail. */
const siteCommand = /^[ =]\*?SITE /i;
const site = withArgument("write --site {TEXT}");
const changingCommand = /^[ =][-+*]?(?:DELE|RNFR|RNTO|MKD|RMD) /i;
const noChanges = withArgument("nothing is changed on a server (curl and lftp can)");

/** A pattern in a URL, behind ftp's -i, with which mget asks no questions. */
const urlPattern = /^[ =]ftpe?s?:\/\/[^/]+\/.*[*[]/i;
const noQuestions = flag(
  "leave it out: it names a file of URLs, and no question is asked for each file",
);

const longListing = flag("write --format table");
const activeMode = flag("write --active");
const account = withArgument("write --account {NAME} (curl's -J has no argument: leave it out)");
const curlsFail = flag("leave it out: a failure always has a status, and -f replaces files here");
const ftpScript = withArgument("scripts of ftp are not read: name each file by its URL");
const lftpScript = withArgument(
  "scripts of lftp are not read: name each file or directory by its URL",
);
const loginFile = withArgument(
  "put user and password into a netrc file, with --netrc-file FILE: -f replaces files here",
);
const ownLines = flag("leave it out: each file has a line, and -v shows the dialogue");
const lftpMirror = withArgument(
  "scripts of lftp are not read: name the directory by its URL, with -m for mirror, and --delete for its -e",
);
const lftpGet = withArgument(
  "name the file by its URL, which may have patterns, as in 'ftp://HOST/DIRECTORY/*.gz'",
);
const newerThan = withArgument("see -N, or --newer-than for trees and patterns");
const numberedNames = withArgument(
  "leave it out: there are no #1 names, a file keeps its own (-P DIRECTORY)",
);
const severalFiles = withArgument("each file needs a command of its own, with -O FILE");
const logOrFile = withArgument("may be a log or a document: write 2> FILE, or -O FILE");
const logOrFileInDirectory = withArgument(
  "may be a log or a document: write 2> FILE, or -O DIRECTORY/FILE without -P",
);

/** Meanings of ambiguous names; the first row that fits counts. */
const rows: readonly Row[] = [
  ["-A", /^[ =][\w.-]+\/\d/, "--user-agent"],
  ["-A", url, activeMode],
  // rsync's -avzn and -avz, whose letters are taken like an argument
  ["-a", /^=(?=.*n)[vzhPurltpogDHAXSWixnq]+$/, withArgument("write -m --spider")],
  ["-a", /^=(?=.*q)[vzhPurltpogDHAXSWixq]+$/, withArgument("write -m -q")],
  ["-a", /^=(?!log)[vzhPurltpogDHAXSWix]+$/, withArgument("write -m")],
  ["-a", noArgument, "--archive", hasRsyncFlag],
  ["-a", url, "--ascii"],
  ["-b", /^ [^-/:]*(?:[=;]|\.txt$)/, "--cookie"],
  ["-c", /^ (?:mirror|open|m?get|pget|cd|lcd|set) /, lftpScript],
  ["-f", /^ [\w-]+\.(?:cfg|lftp|ncftp)$/, loginFile],
  ["-f", anything, curlsFail, "curl"],
  ["-i", /^(?:$| -[a-z])/, ftpScript, hasNoLogin],
  ["-i", /^=[nv]+$/, ftpScript], // ftp's -inv
  ["-i", urlPattern, noQuestions],
  ["-i", anything, "--accept-regex", "lftp"],
  ["-i", anything, noQuestions, hasNoLogin],
  ["--input-file", urlPattern, noQuestions],
  ["-I", /^[ =](?!\/)[^:]*[*?[]/, "--include-glob"],
  ["-I", /^(?: (?!-)[^.:]+$|[ =]\/)/, "--include-directories"],
  ["-O", noArgument, "--remote-name"],
  // curl's flags behind -O, and -C with its "-" in this word or the next
  ["-O", /^=(?:\w+:\/\/|[fgiIkJlLnNqORsSvZ#]*[fgiIkJlLnNqORsSuvZ#]$)/, "--remote-name"],
  [
    "-O",
    /^=[fgiIkJlLnNqORsSvZ#]*C-?$/,
    "--remote-name",
    (command) => /\wC ?-(?: |$)/.test(command),
  ],
  ["-O", /^ ftp\.[\w.-]+(?::\d+)?\//, "--remote-name"],
  ["--output-document", /^[ =]\w+:\/\//, "--remote-name"],
  [
    "--auto-file-renaming",
    /^.false$/,
    "--auto-file-renaming=true",
    (command) => /--allow-overwrite.true/.test(command),
  ],
  ["--bwlimit", /[a-z]$/i, withArgument("write --limit-rate {RATE}")],
  ["-P", /^[ =]-$/, "--ftp-port"],
  ["-P", /^[ =]\d{2,5}$/, "--port", (command) => !command.includes("://")],
  ["-P", number, "--parallel-max", "lftp"],
  ["-P", /^=\d\d?$/, "--parallel-max", "wget"],
  ["-Q", siteCommand, site],
  ["-Q", changingCommand, noChanges],
  ["--quote", changingCommand, noChanges],
  ["-Q", /^[ =]\d+[kmg]?$/i, "--quota"],
  ["--quote", siteCommand, site],
  ["-W", siteCommand, site],
  ["-J", /^ (?!\w+:)\w/, account],
  ["--netrc", /^=/, withArgument("write --netrc-file {FILE}")],
  ["-R", anything, "--upload-file", "lftp"],
  ["-R", noArgument, "-R", hasOutputOption],
  ["-R", noArgument, "--recurse", hasUserOption],
  ["-R", host, "--recurse", isHostAndPath],
  ["-R", noArgument, "--recurse", "unknown"],
  ["-R", noArgument, "-R"],
  ["-R", /^=[fgiIkJlLnNqsSvZ#]*O[fgiIkJlLnNqsSvZ#]*$/, "-R"],
  ["--parallel", /^=/, "--parallel-max"],
  ["-T", /^ (?:-$|(?!\w+:|\.?\d|inf$|-)..)/, "--upload-file"],
  ["-d", /^ (?:(?!-)[^:.]+|\.{0,2}\/.*)$/, "--dir"],
  ["-k", /^[ =]\d+[KM]?$/, "--min-split-size"],
  ["-k", anything, "--convert-links", "wget"],
  ["-p", number, "--port", hasUserOption],
  ["-p", /^ \S/, "--password", hasUserOption],
  ["-p", url, "--passive", "unknown"],
  ["-p", /^(?![ =]\d)/, "--page-requisites", "wget"],
  ["-E", anything, "--adjust-extension", "wget"],
  ["-K", anything, "--adjust-extension", "wget"],
  ["-e", /^[ =]ftp_proxy=/, withArgument("write --proxy {URL}")],
  ["-e", /^[ =].*\bmirror\b/, lftpMirror],
  ["-e", /^[ =].*\b[mp]?get\b/, lftpGet],
  ["-e", /^(?![ =]\w+=)/, "--delete-first", "lftp"],
  ["-D", /^=D/, "-DD"],
  ["-l", /^=[vzhPtpogDHAXSWixn]+$/, flag("leave it out: links are kept")],
  ["-l", anything, longListing, (command) => /^(?:ls|dir) /.test(command)],
  ["-l", /^(?:$| -\D| \w+:\/\/|=(?!inf$)[A-Za-z#])/, "-l"],
  ["-m", /^[ =][\d.]+$/, "--max-time"],
  ["-N", anything, "--no-buffer", "curl"],
  ["-n", number, "--split"],
  ["-n", anything, flag("leave it out: ~/.netrc is read in any case"), "curl"],
  ["-n", anything, "-n", "lftp"],
  ["-n", anything, "--dry-run", "wget"], // rsync's, beside options of trees
  ["-n", url, "--no-login", "unknown"],
  ["-r", /^[ =]\d+-\d*$/, "--range"],
  ["-w", /^[ =](?![\d.])/, "--write-out"],
  ["-s", /^[ =]:/, ftpScript],
  ["-s", silent, flag("leave it out: -q --spider prints nothing"), asksForHead],
  ["-s", silent, "--silent"],
  ["--exclude", /^[ =][^/]*[*?][^/]*$/, "--exclude-glob"],
  ["-x", anything, "--exclude", "lftp"],
  ["-x", /^[ =](?!\w+:).*[\\^$*?|]/, "--exclude"],
  ["-x", number, "--exclude", "wget"],
  ["-x", number, "--min-split-size", hasSegmentsOption],
  ["-x", number, "--split"],
  ["-z", /^[ =]\d{4}-\d\d-\d\d$/, newerThan],
  ["-z", noArgument, "--compress", "wget"],
  ["-L", anything, "--dereference", "lftp"],
  ["-L", anything, "--dereference", "wget"],
  ["--list", anything, flag("write --spider (which lists a tree)"), hasTreeOption],
  [
    "-t",
    /^=[vzhPlpogDHAXSWixn]+$/,
    withArgument("write -m (rsync's -t: files get the server's time)"),
  ],
  ["--user", /^[ =][^:]+:/, "-u"],
  ["-u", noArgument, "--update", hasTreeOption],
  ["-v", anything, ownLines, "lftp"],
  ["--verbose", anything, ownLines, "lftp"],
  ["-o", /#\d/, numberedNames],
  ["-o", anything, severalFiles, namesSeveralFiles],
  ["-o", anything, "-o", "curl"],
  ["-o", anything, "--output-file", "wget"],
  ["-o", anything, "--output-file", sharesWgetOption],
  ["-o", log, "--output-file", savesOthersThanLogs],
  ["-o", anything, logOrFileInDirectory, hasDirectoryOption],
  ["-o", log, logOrFile],
  ["-S", anything, "--show-error", failsSilently],
];

/** Another program's option `name`, if the text behind it (or the whole `command`) fits only that. */
export function foreignMeaning(
  name: string,
  following: string,
  command: string,
): ForeignOption | undefined {
  const row = rows.find(
    ([typed, pattern, , context]) =>
      typed === name && pattern.test(following) && isWithin(command, context),
  );
  const meaning = row?.[2] ?? `${name}=${following.slice(1)}`;
  return typeof meaning === "string" ? foreignOptions.get(meaning) : meaning;
}

function isWithin(command: string, context: Row[3]): boolean {
  if (context === undefined) return true;
  if (typeof context === "function") return context(command);
  return (programOf(command) ?? "unknown") === context;
}

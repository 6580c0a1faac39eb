/**
 * Meanings of another program's option where one name has several, or where the name is an option
 * here, too. foreign.ts has the answers.
 */
import { type ForeignOption, foreignOptions } from "./foreign.ts";

/** curl's "*" lets the command fail. */
const siteQuote = /^[ =]\*?SITE /i;

const any = /(?:)/;

/** Options of trees, also among other letters, as in `-mkEpnp`; a number shows curl's -m or -r. */
const tree = /(?:^| )-(?:-mir|-rec|-del|-arc|a(?= -)|n[pH]|[cdfhnpqvxEHkKNSV46]*[mr](?![ =]?\d))/;

/** Commands of wget, whose -k and -p are for HTML. curl's -U has a colon. */
const wget = new RegExp(`${tree.source}|(?:^| )-(?:n[cdv]|e \\w+=|U [^ :]+(?: |$))`);

/** Commands with options that curl lacks or writes differently: wget's `-o` is a log. */
const wgetLog = new RegExp(
  `${wget.source}|(?:^| )-(?:[cq]*[tb](?:[ \\d]|$)|[a-zA-Z]*O (?!-\\S|\\w+:)\\S|[a-zA-Z]*O-|` +
    "-(?:tries|wait|input-f|timest|output-doc|password|ask-pass|no-c)|[a-zA-Z]*i (?!-|\\w+:))",
);

/** wget's -b, which is no cookie's, in commands whose document doesn't go to standard output. */
const background = /^(?!.*O ?-(?: |$))(?:.* )?-(?:[cq]*b[cq]*(?: -| \S*\/|$)|[cq]*b[cq]*o|-backg)/;

/** Commands of curl; a number shows aria2's -s or -k. */
const curlFlags = /(?:^| )-(?:[fgJNOqRSv46#]*[sLk](?! ?\d)|-(?:fail|silent|location|insecure))/;
const curl = new RegExp(`${curlFlags.source}|(?:^| )-(?:[fgJNOqRSv46#]*[uC]|-continue-at)`);

/** Commands of lftp's mirror, which is no directory of `-P mirror`. */
const lftp = /^mirror /;

const curlSilent = /(?:^| )-(?:[fgJkLNqRSv46#]*s(?! ?\d)|-silent)/;

/** Commands with options of curl, as a rule in clusters; others with -n or -R may be of ftp or ncftpget. */
const curlLetters = new RegExp(`${curl.source}|(?:^| )-(?:[a-zA-Z#]*[JOoz]|-)`);
const noCurl = new RegExp(`^(?!.*(?:${curlLetters.source}))`);

/** Commands of curl with a file's name, which curl replaces, as -O does here. */
const curlFile = new RegExp(`^(?=.*(?:${curlSilent.source})).*-[a-zA-Z#]*o`);

/** Commands with `-P DIRECTORY` and no log's URL. */
const wgetFolder = /^(?!.*:\/\/\S*log(?:\.\w+)?(?: |$)).*-(?:P|-directory-p)/;

/** Commands with curl's -C or -z, which become -c and -N: these contradict -f. */
const curlUpdate =
  /(?:^| )-(?:[fgkLNqsSv#]*[Cz]|[fgkLNOqRsSv#]*C ?-(?: |$)|-(?:continue-at|time-cond))/;

/** Commands with aria2's -c, which goes on with an existing file. */
const resuming = /(?:^| )-(?:[a-z]*c|-continue)(?: |$)/;

const sameName = /^(?=.*:\/\/\S*\/([^\s/]+)(?: |$))(?:.* )?-[a-zA-Z#]*o ?(?:\S*\/)?\1(?: |$)/;

/** Commands with one file for curl's -z and -o, of the URL's name: -N compares with that file. */
const curlNewer = new RegExp(
  "^(?=.*://\\S*/([^\\s/]+)(?: |$))" + // the name in the URL
    "(?=(?:.* )?-[a-zA-Z#]*z (\\S+))" + // the file of -z
    "(?:.* )?-[a-zA-Z#]*o ?(?=(?:\\S*/)?\\1(?: |$))\\2(?: |$)",
);

/**
 * Names with several meanings. `following` matches if another program's option is meant: the text is
 * a blank and the next word, or "=" and the rest of the word. `meaning` is a name in `answers`. The
 * whole command matches `command`, if there is one.
 */
const ambiguous: readonly Ambiguous[] = [
  ["-A", /^[ =][\w.-]+\/\d/, "--user-agent"],
  ["-a", /^=(?=.*n)[vzhPurltpogDHAXSWixn]+$/, "-a=vzn"],
  ["-a", /^=(?!log)[vzhPurltpogDHAXSWix]+$/, "-a=vz"],
  ["-a", /^(?:$| -.| \w+:\/\/)/, "--archive", / -(?:[vzhP]|-del)/],
  ["-a", /^ \w+:\/\//, "--ascii"],
  ["-b", /^ [^-/:]*(?:[=;]|\.txt$)/, "--cookie"],
  ["-f", any, "--fail", curlUpdate],
  ["-f", any, "--fail", curlFile],
  ["-i", /^(?:$| -[a-z])/, "-s=:", /(?:^| )-(?:n|in|ni)(?: |$)/],
  ["-I", /^(?: (?!-)[^.:]+$|[ =]\/)/, "--include-directories"],
  ["-O", /^(?:$| -.| \w+:\/\/|=\w+:\/\/|=[fgiIkJlLnNqORsSvZ#]+$)/, "--remote-name"],
  ["-O", /^=[fgiIkJlLnNqORsSvZ#]*C-?$/, "--remote-name", /\wC ?-(?: |$)/],
  ["-O", /^=[fgiIkJlLnNqORsSvZ#]*u$/, "--remote-name"],
  ["--output-document", /^[ =]\w+:\/\//, "--remote-name"],
  ["--allow-overwrite", /^.true$/, "--allow-overwrite=false", resuming],
  ["--auto-file-renaming", /^.false$/, "--auto-file-renaming=true", resuming],
  ["--auto-file-renaming", /^.false$/, "--auto-file-renaming=true", /--allow-overwrite.true/],
  ["--bwlimit", /[a-z]$/i, "--bwlimit=2m"],
  ["-P", /^[ =]-$/, "--ftp-port"],
  ["-P", /^[ =]\d+$/, "--parallel-max", lftp],
  ["-Q", siteQuote, "-Q=SITE"],
  ["-Q", /^[ =]\d+[kmg]?$/i, "--quota"],
  ["--quote", siteQuote, "-Q=SITE"],
  ["-R", any, "--upload-file", lftp],
  ["-R", /^(?:$| -.| \w+:\/\/)/, "--recurse", noCurl],
  ["-R", /^(?:$| -.| \w+:\/\/|=[fgiIkJlLnNqsSvZ#]*O[fgiIkJlLnNqsSvZ#]*$)/, "-R"],
  ["--parallel", /^=/, "--parallel-max"],
  ["-T", /^ (?:-$|(?!\w+:|\.?\d|inf$|-)..)/, "--upload-file"],
  ["-d", /^ (?:(?!-)[^:.]+|\.{0,2}\/.*)$/, "--dir"],
  ["-k", /^[ =]\d+[KM]?$/, "--min-split-size"],
  ["-k", any, "--convert-links", wget],
  ["-p", /^ \w+:\/\//, "--passive", noCurl],
  ["-p", /^(?![ =]\d)/, "--page-requisites", wget],
  ["-E", any, "--adjust-extension", wget],
  ["-K", any, "--adjust-extension", wget],
  ["-e", /^[ =]ftp_proxy=/, "-e=ftp_proxy"],
  ["-e", /^(?![ =]\w+=)/, "--delete-first", lftp],
  ["-e", /^[ =].*\bmirror\b/, "-e=mirror"],
  ["-e", /^[ =].*\b[mp]?get\b/, "-e=get"],
  ["-D", /^=D/, "-DD"],
  ["-l", /^(?:$| -\D| \w+:\/\/|=(?!inf$)[A-Za-z#])/, "-l"],
  ["-m", /^[ =][\d.]+$/, "--max-time"],
  ["-n", /^[ =]\d+$/, "--split"],
  ["-n", any, "-n", lftp],
  ["-n", any, "--dry-run", tree],
  ["-n", /^ \w+:\/\//, "--no-login", noCurl],
  ["-r", /^[ =]\d+-\d*$/, "--range"],
  ["-w", /^[ =](?![\d.])/, "--write-out"],
  ["-s", /^[ =]:/, "-s=:"],
  ["-s", /^(?:$| (?!\d|$)|=[A-Za-z#])/, "--silent"],
  ["-x", /^[ =]\d+$/, "--min-split-size", /(?:^| )-(?:s ?\d|-split)/],
  ["-x", /^[ =]\d+$/, "--split"],
  ["-z", /^[ =]\d{4}-\d\d-\d\d$/, "-z=2026-01-01"],
  ["-L", any, "--dereference", lftp],
  ["-z", /^(?:$| -.| \w+:\/\/)/, "--compress", tree],
  ["-o", /#\d/, "-o=#1"],
  ["-o", any, "-o=-b", background],
  ["-o", /\//, "-o=-z", curlNewer],
  ["-o", any, "-o=own", curlNewer],
  ["-o", any, "-o", curlSilent],
  ["-o", any, "--output-file", wgetLog],
  ["-o", any, "-o=-x", / --(?:auto-file-renaming|allow-overwrite)\b/],
  ["-o", /[\W_]log(?:\.txt)?$/i, "--output-file", wgetFolder],
  ["-o", any, "-o=-P", /(?:^| )-(?:P|-directory-p)/],
  ["-o", any, "-o=-o", /(?:^| )-[a-zA-Z#]*[oO].* -[a-zA-Z#]*[oO]/],
  ["-o", any, "-o", sameName],
  ["-o", any, "-o", curl],
  ["-o", /[\W_]log(?:\.txt)?$/i, "-o=.log"],
  ["-S", any, "--show-error", /(?:^| )-(?:[a-zA-Z#]*[fs]|-silent|-fail)/],
];

type Ambiguous = readonly [name: string, following: RegExp, meaning: string, command?: RegExp];

/** Another program's option `name`, if the text behind it (or the whole `command`) fits only that. */
export function foreignMeaning(
  name: string,
  following: string,
  command: string,
): ForeignOption | undefined {
  const row = ambiguous.find(
    ([typed, text, , whole = any]) => typed === name && text.test(following) && whole.test(command),
  );
  return foreignOptions.get(row?.[2] ?? `${name}=${following.slice(1)}`);
}

/** True for a script's command of curl without a file's name, which writes a document to standard output. */
export function writesToOutput(command: string): boolean {
  return curlSilent.test(command) && !wget.test(command) && !namesFile.test(command);
}

/** Commands with curl's options for files, headers, uploads and listings, and URLs of directories. */
const namesFile =
  /(?:^| )-(?:[a-zA-Z#]*[CoOITl]|-(?:output|remote-name|head|upload|list-only))|\/(?: |$)/;

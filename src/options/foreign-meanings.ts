/**
 * Meanings of another program's option where one name has several, or where the name is an option
 * here, too. foreign.ts has the answers.
 */
import { type ForeignOption, foreignOptions } from "./foreign.ts";

type Program = "curl" | "lftp" | "wget";

/** curl's -s; a number shows this program's, a colon that of ftp. */
const silent = /(?:^| )-(?:[fgJkLNqRSv46#]*s(?! ?\d|:)|-silent)/;

/** Signs of the program that a command was written for, the surest first; the first that matches counts. */
const signs: readonly (readonly [Program, RegExp])[] = [
  ["lftp", /^mirror /],
  ["wget", /(?:^| )-n?a(?!log)[vzhPurltpogDHAXSWixn]+(?: |$)/], // rsync's letters, for trees as well
  // Options of trees, also among other letters, as in `-mkEpnp`; a number shows curl's -m or -r.
  ["wget", /(?:^| )-(?:-mir|-rec|-del|-arc|a(?= -)|n[pH]|[cdfhnpqvxEHkKNSV46]*[mr](?![ =]?\d))/],
  ["curl", silent],
  // curl's -U has a colon.
  ["wget", /(?:^| )-(?:n[cdv]|e \w+=|U [^ :]+(?: |$))/],
  ["curl", /(?:^| )-(?:[fgNOqRSv46#]*(?:[JLuCz]|k(?! ?\d))|-(?:fail|insecure|location|continue))/],
  ["curl", /(?:^| )-(?:[a-zA-Z#]*O(?= -\S| \w+:|$)|P ?-(?: |$))/],
];

/** Options that wget and this program share, and curl lacks or writes differently: wget's `-o` is a log. */
const sharedWithWget =
  /(?:^| )-(?:[cq]*[tb](?:[ \d]|$)|[a-zA-Z]*O|-(?:tries|wait|input-f|timest|output-doc|password|ask-pass|no-c)|[a-zA-Z]*i (?!-|\w+:))/;

/** curl's -C or -z, which become -c and -N: these contradict -f. */
const update =
  /(?:^| )-(?:[fgkLNqsSv#]*[Cz]|[fgkLNOqRsSv#]*C ?-(?: |$)|-(?:continue-at|time-cond))/;

/** curl's -o beside -s: a file that is replaced, as by -O here. */
const namedFile = new RegExp(`^(?=.*(?:${silent.source}))(?:.* )?-[a-zA-Z#]*o`);

const severalFiles = /(?:^| )-[a-zA-Z#]*(?:o|O(?= -\S| \w+:)).* -[a-zA-Z#]*(?:o|O(?= -\S| \w+:|$))/;

const log = /[\W_]log(?:\.txt)?$/i;

/** `-P DIRECTORY` without a URL of a log. */
const directory = /^(?!.*:\/\/\S*log(?:\.\w+)?(?: |$)).*-(?:P|-directory-p)/;

/** curl's "*" lets the command fail. */
const siteQuote = /^[ =]\*?SITE /i;

/** No argument: an option, a URL or nothing follows. */
const nothing = /^(?:$| -.| \w+:\/\/)/;

const any = /(?:)/;

/**
 * Names with several meanings. `following` matches if another program's option is meant: the text is
 * a blank and the next word, or "=" and the rest of the word. `meaning` is a name in `answers`. The
 * command was written for `sign`, or matches it; "none" is a command without any sign.
 */
const ambiguous: readonly Ambiguous[] = [
  ["-A", /^[ =][\w.-]+\/\d/, "--user-agent"],
  ["-a", /^=(?=.*n)[vzhPurltpogDHAXSWixn]+$/, "-a=vzn"],
  ["-a", /^=(?!log)[vzhPurltpogDHAXSWix]+$/, "-a=vz"],
  ["-a", nothing, "--archive", / -(?:[vzhP]|-del)/],
  ["-a", /^ \w+:\/\//, "--ascii"],
  ["-b", /^ [^-/:]*(?:[=;]|\.txt$)/, "--cookie"],
  ["-f", any, "--fail", update],
  ["-f", any, "--fail", namedFile],
  ["-i", /^(?:$| -[a-z])/, "-s=:", /(?:^| )-(?:n|in|ni)(?: |$)/],
  ["-I", /^(?: (?!-)[^.:]+$|[ =]\/)/, "--include-directories"],
  ["-O", nothing, "--remote-name"],
  ["-O", /^=(?:\w+:\/\/|[fgiIkJlLnNqORsSvZ#]*[fgiIkJlLnNqORsSuvZ#]$)/, "--remote-name"],
  ["-O", /^=[fgiIkJlLnNqORsSvZ#]*C-?$/, "--remote-name", /\wC ?-(?: |$)/],
  ["--output-document", /^[ =]\w+:\/\//, "--remote-name"],
  ["--auto-file-renaming", /^.false$/, "--auto-file-renaming=true", /--allow-overwrite.true/],
  ["--bwlimit", /[a-z]$/i, "--bwlimit=2m"],
  ["-P", /^[ =]-$/, "--ftp-port"],
  ["-P", /^[ =]\d+$/, "--parallel-max", "lftp"],
  ["-P", /^=\d\d?$/, "--parallel-max", "wget"],
  ["-Q", siteQuote, "-Q=SITE"],
  ["-Q", /^[ =]\d+[kmg]?$/i, "--quota"],
  ["--quote", siteQuote, "-Q=SITE"],
  ["-R", any, "--upload-file", "lftp"],
  ["-R", nothing, "-R", /(?:^| )-[a-zA-Z#]*[oO]/],
  ["-R", nothing, "--recurse", "none"],
  ["-R", nothing, "-R"],
  ["-R", /^=[fgiIkJlLnNqsSvZ#]*O[fgiIkJlLnNqsSvZ#]*$/, "-R"],
  ["--parallel", /^=/, "--parallel-max"],
  ["-T", /^ (?:-$|(?!\w+:|\.?\d|inf$|-)..)/, "--upload-file"],
  ["-d", /^ (?:(?!-)[^:.]+|\.{0,2}\/.*)$/, "--dir"],
  ["-k", /^[ =]\d+[KM]?$/, "--min-split-size"],
  ["-k", any, "--convert-links", "wget"],
  ["-p", /^ \w+:\/\//, "--passive", "none"],
  ["-p", /^(?![ =]\d)/, "--page-requisites", "wget"],
  ["-E", any, "--adjust-extension", "wget"],
  ["-K", any, "--adjust-extension", "wget"],
  ["-e", /^[ =]ftp_proxy=/, "-e=ftp_proxy"],
  ["-e", /^(?![ =]\w+=)/, "--delete-first", "lftp"],
  ["-e", /^[ =].*\bmirror\b/, "-e=mirror"],
  ["-e", /^[ =].*\b[mp]?get\b/, "-e=get"],
  ["-D", /^=D/, "-DD"],
  ["-l", /^(?:$| -\D| \w+:\/\/|=(?!inf$)[A-Za-z#])/, "-l"],
  ["-m", /^[ =][\d.]+$/, "--max-time"],
  ["-n", /^[ =]\d+$/, "--split"],
  ["-n", any, "-n", "lftp"],
  ["-n", any, "--dry-run", "wget"], // rsync's, beside options of trees
  ["-n", /^ \w+:\/\//, "--no-login", "none"],
  ["-r", /^[ =]\d+-\d*$/, "--range"],
  ["-w", /^[ =](?![\d.])/, "--write-out"],
  ["-s", /^[ =]:/, "-s=:"],
  ["-s", /^(?:$| (?!\d|$)|=[A-Za-z#])/, "--silent"],
  ["-x", /^[ =]\d+$/, "--exclude", "wget"],
  ["-x", /^[ =]\d+$/, "--min-split-size", /(?:^| )-(?:s ?\d|-split)/],
  ["-x", /^[ =]\d+$/, "--split"],
  ["-z", /^[ =]\d{4}-\d\d-\d\d$/, "-z=2026-01-01"],
  ["-z", nothing, "--compress", "wget"],
  ["-L", any, "--dereference", "lftp"],
  ["-o", /#\d/, "-o=#1"],
  ["-o", any, "-o=-o", severalFiles],
  ["-o", any, "-o", "curl"],
  ["-o", any, "--output-file", "wget"],
  ["-o", any, "--output-file", sharedWithWget],
  ["-o", log, "--output-file", directory],
  ["-o", any, "-o=-P", /(?:^| )-(?:P|-directory-p)/],
  ["-o", log, "-o=.log"],
  ["-S", any, "--show-error", /(?:^| )-(?:[a-zA-Z#]*[fs]|-silent|-fail)/],
];

type Sign = Program | "none" | RegExp;
type Ambiguous = readonly [name: string, following: RegExp, meaning: string, sign?: Sign];

/** Another program's option `name`, if the text behind it (or the whole `command`) fits only that. */
export function foreignMeaning(
  name: string,
  following: string,
  command: string,
): ForeignOption | undefined {
  const row = ambiguous.find(
    ([typed, text, , sign]) => typed === name && text.test(following) && isFor(command, sign),
  );
  return foreignOptions.get(row?.[2] ?? `${name}=${following.slice(1)}`);
}

function isFor(command: string, sign: Sign = any): boolean {
  return typeof sign === "string" ? programOf(command) === sign : sign.test(command);
}

function programOf(command: string): Program | "none" {
  return signs.find(([, sign]) => sign.test(command))?.[0] ?? "none";
}

/** True for a script's command of curl without a file's name, which writes a document to standard output. */
export function writesToOutput(command: string): boolean {
  return programOf(command) === "curl" && silent.test(command) && !namesFile.test(command);
}

/** Commands with curl's options for files, headers, uploads and listings, and URLs of directories. */
const namesFile =
  /(?:^| )-(?:[a-zA-Z#]*[CoOITl]|-(?:output|remote-name|head|upload|list-only))|\/(?: |$)/;

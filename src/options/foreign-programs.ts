/** Recognizes the program that a command was written for, by options that only some programs have. A command is one text. */

export type Program = "curl" | "lftp" | "wget";

export type CommandTest = (command: string) => boolean;

/** Tests for an option in one of these forms; a form matches from behind the "-" of a word. */
function hasOption(...forms: readonly RegExp[]): CommandTest {
  const sources = forms.map(({ source }) => source).join("|");
  const pattern = new RegExp(`(?:^| )-(?:${sources})`);
  return (command) => pattern.test(command);
}

/** curl's -s, alone or behind other flags: `-fsSL`. A number shows this program's -s, a colon ftp's. */
const isSilent = hasOption(/[fgJkLNqRSv46#]*s(?! ?\d|:)/, /-silent/);

/** rsync's flags, as in `-avz`. The word `-alog` is wget's -a with a file. */
const hasArchiveFlags = hasOption(/n?a(?!log)[vzhPurltpogDHAXSWixn]+(?: |$)/);

/** Options for trees, also behind other flags, as in `-mkEpnp`. A number shows curl's -m or -r. */
export const hasTreeOption = hasOption(
  /-(?:mir|rec|del|arc)/,
  /a(?= -)/,
  /n[pH]/,
  /[cdfhnpqvxEHkKNSV46]*[mr](?![ =]?\d)/,
);

/** Options that curl lacks, or writes otherwise: its -U has a name, a colon and a password. */
const hasWgetOption = hasOption(/n[cdv]/, /e \w+=/, /U [^ :]+(?: |$)/);

const hasCurlOption = hasOption(
  /[fgNOqRSv46#]*[JLuCz]/,
  /[fgNOqRSv46#]*k(?! ?\d)/,
  /-(?:fail|insecure|location|continue)/,
  /[fgkLNqsSv#]*O[fgkLNqRsSvZ#]+(?: |$)/,
  // -O without a file, and `-P -`, for active mode
  /[a-zA-Z#]*O(?= -\S| \w+:|$)/,
  /P ?-(?: |$)/,
);

/** The surest sign comes first: the first test that succeeds names the program. */
const signs: readonly (readonly [Program, CommandTest])[] = [
  ["lftp", (command) => command.startsWith("mirror ")],
  ["lftp", hasOption(/-(?:parallel|use-pget)/)],
  // rsync is used for trees as wget is.
  ["wget", hasArchiveFlags],
  ["wget", hasTreeOption],
  ["curl", isSilent],
  ["wget", hasWgetOption],
  ["curl", hasCurlOption],
];

export function programOf(command: string): Program | undefined {
  return signs.find(([, test]) => test(command))?.[0];
}

const hasOtherOutput = hasOption(
  /[a-zA-Z#]*[CoOITl]/,
  /-(?:output|remote-name|head|upload|list-only)/,
);

const hasDirectoryUrl: CommandTest = (command) => /\/(?: |$)/.test(command);

/** curl's -L behind other flags: `-fL`. */
const followsRedirects = hasOption(/[fgJkNqRSv46#]+L/);

export function isSilentCurl(command: string): boolean {
  return programOf(command) === "curl" && isSilent(command);
}

/** True for a command of curl without a file's name, which writes a document to standard output. */
export function writesToOutput(command: string): boolean {
  const isCurls = isSilent(command) || followsRedirects(command);
  if (programOf(command) !== "curl" || !isCurls) return false;
  return !hasOtherOutput(command) && !hasDirectoryUrl(command);
}

/** True if curl's -o or -O is given twice: this program's -O is for one file. */
export function namesSeveralFiles(command: string): boolean {
  const output = /(?:^| )-[a-zA-Z#]*(?:o|O(?= -\S| \w+:|$))/g;
  return (command.match(output) ?? []).length > 1;
}

/** Options that wget and this program share, and curl lacks or writes differently: wget's `-o` is a log. */
export const sharesWgetOption = hasOption(
  /[cq]*[tb](?:[ \d]|$)/,
  /[a-zA-Z]*O/,
  /-(?:tries|wait|input-f|timest|output-doc|password|ask-pass|no-c)/,
  /[a-zA-Z]*i (?!-|\w+:)/,
);

export const hasDirectoryOption: CommandTest = (command) => /-(?:P|-directory-p)/.test(command);

/** `-P DIRECTORY`, and no URL of a log: a log that is named beside it is not the document. */
export function savesOthersThanLogs(command: string): boolean {
  const hasLogUrl = /:\/\/\S*log(?:\.\w+)?(?: |$)/.test(command);
  return hasDirectoryOption(command) && !hasLogUrl;
}

/** rsync's flags beside its -a, which is wget's for a log without them. */
export const hasRsyncFlag: CommandTest = (command) => / -(?:[vzhP]|-del)/.test(command);

/** ftp's -n (no login), alone or with -i in a word. */
export const hasNoLogin = hasOption(/(?:n|in|ni)(?: |$)/);

/** ncftpget's -u, beside which its -R is for trees. */
export const hasUserOption = hasOption(/u /);

/** ncftpget's `-R HOST DIRECTORY PATH`, without a URL. */
export const isHostAndPath: CommandTest = (command) =>
  !command.includes("://") && /-R \S+ \.?\S* ?\/\S*$/.test(command);

export const hasOutputOption = hasOption(/[a-zA-Z#]*[oO]/);

export const hasSegmentsOption = hasOption(/s ?\d/, /-split/);

export const failsSilently = hasOption(/[a-zA-Z#]*[fs]/, /-silent/, /-fail/);

export const asksForHead = hasOption(/[a-zA-Z#]*I/, /-head/);

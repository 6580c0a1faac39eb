/** The error for a command line: it names all problems, and ends with the command as it should be written. */
import { FtpullError } from "../errors.ts";
import { isSilentCurl, writesToOutput } from "./foreign-programs.ts";
import type { Words } from "./words.ts";

export function commandError(words: Words): FtpullError {
  const { options, problems, proposal } = words;
  if (writesToOutput(words.typed)) proposeOutput(words);
  if (isForListings(words)) proposeFormat(words);
  refuseOtherSchemes(words);
  // A command with -h or -V would fetch nothing: `-lh` was meant for another program.
  if (options.includes("--help") || options.includes("--version")) proposal.giveUp();
  refinePlaces(words);
  const { hint } = proposal;
  return new FtpullError("usage", [...new Set(problems)].join("; "), { hint });
}

function proposeOutput(words: Words): void {
  words.problems.push("curl writes to standard output: that is -O -, else a file is saved");
  words.proposal.parts.unshift({ long: "--output-document", text: "-O -" });
}

function isForListings({ urls, options }: Words): boolean {
  const isOther = options.some((word) => /^--(?:recursive|mirror|spider|output)/.test(word));
  return urls.length > 0 && urls.every((url) => url.endsWith("/")) && !isOther;
}

function proposeFormat(words: Words): void {
  const { options, problems, proposal, typed } = words;
  const isJson = options.includes("--json");
  const hasFormat = options.some((word) => word.startsWith("--format"));
  if (isJson) problems.push("for a listing, --json is --format json: one object a line");
  else if (isSilentCurl(typed) && !hasFormat)
    problems.push("curl prints the server's lines: that is --format raw");
  else return;
  words.drop("--json");
  proposal.drop("--format");
  const format = isJson ? "--format json" : "--format raw";
  proposal.parts.unshift({ long: "--format", text: format });
}

function refuseOtherSchemes(words: Words): void {
  const { urls, problems } = words;
  if (urls.some((url) => /^rsync:\/\//i.test(url)))
    problems.push("rsync: URLs are not fetched: by ftp: a server may have other paths");
  if (urls.some((url) => /^(?:https?|sftp):\/\/[^/]+\/./i.test(url)))
    words.refuse("https: and sftp: URLs are not fetched");
}

/** Avoids the next error of the proposed command: -P beside -O, or twice. */
function refinePlaces({ options, typed, proposal, proposed }: Words): void {
  const folder = lastArgument(options, "--directory-prefix") ?? ".";
  const file = lastArgument(options, "--output-document") ?? "-";
  if (typed.includes("--create-dirs")) proposal.makeFolderOf(file);
  if (!proposed.has("--directory-prefix")) return;
  if (file !== "-") proposal.joinPlaces(folder, file);
  const places = proposal.parts.filter(({ long }) => long === "--directory-prefix");
  if (places.length > 1) proposal.giveUp();
}

function lastArgument(options: readonly string[], long: string): string | undefined {
  const start = `${long}=`;
  return options.findLast((word) => word.startsWith(start))?.slice(start.length);
}

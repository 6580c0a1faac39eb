/** Words that are no URLs: arguments and commands of other programs, with what was meant. */
import { basename } from "node:path";
import { quoteForShell } from "../text/escape.ts";
import { redactUrlText } from "../text/redact.ts";
import type { Words } from "./words.ts";

/** True for a word that can't be a URL: another program's argument (`-d dl`, `-C -`) or command (`mirror`). */
export function isBareWord(text: string): boolean {
  return /^(?:-|\.\.?|\.{0,2}\/(?!\/)[^:@<]*|[^-/:.@<][^/:.@<]*(?:\/[^:@<]*)?)$/.test(text.trim());
}

export function refuseBareWord(this: Words, text: string): void {
  const hasOthers = this.urls.length > 1;
  if (hasOthers && text === "mirror")
    return this.replaceWord(text, "-m", `${noUrl(text)}: write -m`);
  if (hasOthers && verb.test(text)) return this.replaceWord(text, "", noUrl(text));
  // Beside an unknown option a word may be a password, unless it begins or ends as a path does.
  const isLftp = this.urls[0] === "mirror";
  const isUnsure = !isLftp && this.problems.some((problem) => problem.startsWith("unknown option"));
  const isFolder = text !== "-" && (!isUnsure || /^\.{0,2}\/|^\.\.?$|\/$/.test(text));
  const isFolderOf = isTree(this) || urlMeant(this.urls) === undefined;
  const isPlace = isFolder && this.isBehindUrl(text) && isFolderOf;
  if (isPlace && !this.options.some((option) => option.startsWith("--directory-prefix")))
    return this.replaceWord(text, placeOptions(text, this), `${noUrl(text)}: write -P DIRECTORY`);
  // Behind an unknown option the word is rather its argument, perhaps a password.
  if (this.problems.length > 0) return this.proposeNothing();
  const hints: readonly (readonly [RegExp, string])[] = [
    [/^-$/, "-O - writes to standard output, and -i - reads URLs from standard input"],
    [/^m?put$/, "there are no uploads"],
    [/^[a-z-]+$/i, `a host without a dot is written as ftp://${text}/`],
  ];
  const hint = urlMeant(this.urls) ?? hints.find(([pattern]) => pattern.test(text))?.[1];
  this.refuse(noUrl(text), hint);
}

function noUrl(text: string): string {
  return `"${text}" is neither an option nor a URL`;
}

/** Commands of ftp and lftp that a URL alone stands for. */
const verb = /^(?:m?get|pget|ls|dir|open)$/;

/** A hint with the URL that words stand for: a host's path, host and port, a server and a name, ncftpget's words. */
function urlMeant(words: readonly string[]): string | undefined {
  const text = words.map(redactUrlText).join(" ");
  if (words.length === 1 && /^[^/.].*\/./.test(text)) return `write ftp://${quoteForShell(text)}`;
  const [, scheme = "ftp://", host, port] = /^(\w+:\/\/)?([^\s:/]+)\/? (\d{2,5})$/.exec(text) ?? [];
  if (host !== undefined)
    return `write ${scheme}${host}:${port}/ and the path of a file: commands of ftp are not read`;
  const [, server, name] = /^(\w+:\/\/[^\s/]+)\/? ([^-\s][^\s/]*)$/.exec(text) ?? [];
  if (server !== undefined) return `write ${quoteForShell(`${server}/${name}`)}`;
  const [, site, folder, path] =
    /^([^\s:/]+\.[^\s:/]+) (\.|\.?\/\S*) \/?([^\s:]+)$/.exec(text) ?? [];
  return (
    site && `write ftpull -P ${quoteForShell(folder!)} ${quoteForShell(`ftp://${site}/${path}`)}`
  );
}

/** Options for a local directory: of rsync's `SOURCE/`, and of lftp's tree, only the contents go into it. */
function placeOptions(folder: string, words: Words): string {
  const { urls, proposed } = words;
  const place = `-P ${quoteForShell(folder)}`;
  const url = urls.at(-2) ?? "";
  const path = url.replace(/^\w+:\/\/[^/]*/, "").split("/");
  const names = path.filter((name) => name !== "");
  const isRsync = url.endsWith("/") && proposed.has("--mirror");
  const hasName = isTree(words) && names.at(-1) === basename(folder);
  const isContents = names.length > 0 && (urls[0] === "mirror" || isRsync || hasName);
  return isContents ? `-nH --cut-dirs ${names.length} ${place}` : place;
}

function isTree({ options }: Words): boolean {
  return options.some((option) => option === "--mirror" || option === "--recursive");
}

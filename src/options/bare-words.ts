/** Words that are no URLs: arguments and commands of other programs, with what was meant. */
import { basename } from "node:path";
import { quoteForShell } from "../text/escape.ts";
import { redactUrlText } from "../text/redact.ts";
import type { Words } from "./words.ts";

/** Words that can't be URLs: another program's argument (`-d dl`, `-C -`) or command (`mirror`). */
export function bareWords({ urls, options }: Words): string[] {
  const isBare = /^(?:-|\.\.?|\.{0,2}\/(?!\/)[^:@<]*|[^-/:.@<][^/:.@<]*(?:\/[^:@<]*)?)$/;
  const isName = /^(?!ftp\.)\w[^/:@<]*$/;
  // Beside a URL a name with a dot is a local file's; an unquoted `-A *.gz` has a hint of its own.
  const hasNames =
    urls.some((word) => word.includes("://")) &&
    !options.some((option) => /^--(?:accept|reject)/.test(option));
  return urls.filter((word) => isBare.test(word.trim()) || (hasNames && isName.test(word)));
}

export function refuseBareWord(this: Words, text: string, index: number): void {
  const isCommand = index === 0 && this.urls.length > 1;
  if (isCommand && text === "mirror")
    return this.replaceWord(text, "-m", `${noUrl(text)}: write -m`);
  if (isCommand && verb.test(text)) return this.replaceWord(text, "", noUrl(text));
  // Beside an unknown option a word may be a password, unless it begins or ends as a path does.
  const isLftp = this.urls[0] === "mirror";
  const isUnsure = !isLftp && this.problems.some((problem) => problem.startsWith("unknown option"));
  const isFolder = text !== "-" && (!isUnsure || /^\.{0,2}\/|^\.\.?$|\/$/.test(text));
  const isPath = text.includes("/") && isTree(this.options);
  const mayBeFolder = isPath || urlMeant(this.urls) === undefined;
  if (isFolder && mayBeFolder && this.isBehindUrl(text)) {
    if (this.options.some((option) => option.startsWith("--directory-prefix")))
      return this.refuse(`${noUrl(text)}, and -P is given already`);
    const place = placeOptions(text, this);
    const option = place.startsWith("-O") ? "-O FILE" : "-P DIRECTORY";
    return this.replaceWord(text, place, `${noUrl(text)}: write ${option}`);
  }
  // Behind an unknown option the word is rather its argument, perhaps a password.
  if (this.problems.length > 0) return this.proposeNothing();
  const hints: readonly (readonly [RegExp, string])[] = [
    [/^-$/, "-O - writes to standard output, and -i - reads URLs from standard input"],
    [/^m?put$/, "there are no uploads"],
    [/[^.]\./, `there are no uploads; a host is written as ftp://${text}/`],
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

/** Options for a tree's local directory: into it goes the tree, or only its contents. */
function placeOptions(folder: string, { urls, options, proposed }: Words): string {
  const place = `-P ${quoteForShell(folder)}`;
  const [url = "", another] = urls.filter((word) => word.includes("://"));
  const path = /^\w+:\/\/[^/]*([^%?#;]*)$/.exec(url)?.[1];
  if (path !== undefined && isFileName(folder, path) && urls[0] !== "mirror" && !isTree(options))
    return `-O ${quoteForShell(folder)}`;
  const isPlaced = options.some((option) => /^--(?:no-host|cut|force-dir|no-dir)/.test(option));
  if (path === undefined || another !== undefined || isPlaced) return place;
  const names = path.split("/").filter((name) => name !== "");
  const contents = names.length === 0 ? `-nH ${place}` : `-nH --cut-dirs ${names.length} ${place}`;
  // lftp's mirror, then rsync, which both go by a slash at the end; else the directory has the tree's name.
  if (urls[0] === "mirror") return path.endsWith("/") || !folder.endsWith("/") ? contents : place;
  if (proposed.has("--mirror")) return path.endsWith("/") ? contents : place;
  return isTree(options) && names.at(-1) === basename(folder) ? contents : place;
}

/** True if a local path is that of one file: it has a suffix, or the name in the URL's path. */
function isFileName(local: string, path: string): boolean {
  const isFile = !path.endsWith("/") && !local.endsWith("/");
  return isFile && (/[^./]\.\w+$/.test(local) || basename(path) === basename(local));
}

function isTree(options: readonly string[]): boolean {
  return options.some((option) => option === "--mirror" || option === "--recursive");
}

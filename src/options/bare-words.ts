/**
 * Refuses words that are neither options nor URLs: arguments (`-d dl`, `-C -`) and commands (`mirror`) of other
 * programs. Where the word's meaning is sure, the error proposes a command, or has the URL that was meant.
 */
import { basename } from "node:path";
import { quoteForShell } from "../text/escape.ts";
import { redactUrlText } from "../text/redact.ts";
import type { Words } from "./words.ts";

export function refuseBareWords(words: Words): void {
  const bare = bareWords(words);
  if (bare.length === 0 || proposesMeant(bare, words)) return;
  for (const [index, word] of bare.entries()) {
    const isCommand = index === 0 && words.urls.length > 1 && command.test(word);
    if (isCommand) refuseCommand(word, words);
    else refuseArgument(word, words);
  }
}

/** Proposes the URL that all words stand for. False if they stand for none, or are rather a URL and a local place. */
function proposesMeant([first = ""]: readonly string[], words: Words): boolean {
  const meant = meantBy(words.urls);
  const mayBePlace = isPlace(first, words) || (isTree(words.options) && hasScheme(words.urls));
  if (meant === undefined || mayBePlace || words.problems.length > 0) return false;
  words.problems.push(noUrl(first));
  words.proposal.replaceUrls(meant.url, meant.folder);
  return true;
}

function hasScheme(words: readonly string[]): boolean {
  return words.some((word) => word.includes("://"));
}

/** "-", or a path that begins with a slash, a dot, or a drive's letter of Windows. */
const localPath = /^(?:-|\.\.?|\.{0,2}\/(?!\/)[^:@<]*|[A-Za-z]:\\[^@<]*)$/;

/** A name without a dot, alone or as the first one of a path. */
const nameWithoutDot = /^[^-/:.@<][^/:.@<]*(?:\/[^:@<]*)?$/;

/** The name of a local file, which may have a dot, or a pattern; `ftp.` begins a host. */
const fileName = /^(?!ftp\.)[\w\\*^[][^/:@<]*$/;

const wildcard = /[*?[]/;

/** The words that can't be URLs, or beside a URL are rather names of local files. */
function bareWords({ urls, options }: Words): string[] {
  const hasServer = hasScheme(urls) || urls.some((word) => /^[^/:@]+:\d+$/.test(word));
  // Names beside an unquoted `-A *.gz` have a hint of their own.
  const hasPatterns = options.some((option) => /^--(?:accept|reject)/.test(option));
  const mayHaveFiles = hasServer && !hasPatterns;
  return urls.filter((word) => {
    const text = word.trim();
    const isBare = localPath.test(text) || nameWithoutDot.test(text);
    return isBare || (mayHaveFiles && fileName.test(word));
  });
}

/** Commands of ftp and lftp. A URL alone stands for all of them but lftp's mirror. */
const command = /^(?:mirror|m?get|pget|ls|dir|open)$/;

function refuseCommand(word: string, words: Words): void {
  if (word === "mirror") words.replaceWord(word, "-m", `${noUrl(word)}: write -m`);
  else words.replaceWord(word, "", noUrl(word));
}

function refuseArgument(word: string, words: Words): void {
  if (isPlace(word, words)) return replacePlace(word, words);
  // Behind an unknown option the word is rather its argument, perhaps a password.
  if (words.problems.length > 0) return words.proposal.giveUp();
  words.refuse(noUrl(word), hintAtPort(words.urls) ?? hintAt(word, hasScheme(words.urls)));
}

/** True if the word is the local place for the document of the URL in front of the word. */
function isPlace(word: string, words: Words): boolean {
  const [before = "", last] = words.typed.split(" ").slice(-2);
  const isBehindUrl = last === word && before.includes("://");
  if (word === "-" || !isBehindUrl || wildcard.test(word)) return false;
  const hasUnknown = words.problems.some((problem) => problem.startsWith("unknown option"));
  const isPath = /^\.{0,2}\/|^\.\.?$|\/$/.test(word);
  const mayBePassword = hasUnknown && !isPath && !isLftpMirror(words.urls);
  if (mayBePassword) return false;
  const isPathOfTree = word.includes("/") && isTree(words.options);
  const otherForm = hintAtPort(words.urls) ?? meantBy(words.urls);
  return isPathOfTree || otherForm === undefined;
}

function replacePlace(word: string, words: Words): void {
  if (words.options.some((option) => option.startsWith("--directory-prefix")))
    return words.refuse(`${noUrl(word)}, and -P is given already`);
  const place = placeOptions(word, words);
  const option = place.startsWith("-O") ? "-O FILE" : "-P DIRECTORY";
  words.replaceWord(word, place, `${noUrl(word)}: write ${option}`);
}

function noUrl(word: string): string {
  return `"${word}" is neither an option nor a URL`;
}

function hintAt(word: string, hasUrl: boolean): string | undefined {
  if (word === "-")
    return "-O - writes to standard output, and -i - reads URLs from standard input";
  if (/^m?put$/.test(word)) return "there are no uploads";
  if (wildcard.test(word)) return "a pattern belongs to the URL, or to -A and -R for a tree";
  if (/[^.]\./.test(word))
    return hasUrl
      ? "there are no uploads; a file stands behind its option, as in --checksums FILE"
      : `there are no uploads; a host is written as ftp://${word}/`;
  return /^[a-z-]+$/i.test(word) ? `a host without a dot is written as ftp://${word}/` : undefined;
}

/** A URL, written in the form of another client: all words that are no options stand for it. */
interface Meant {
  readonly url: string;
  readonly folder?: string | undefined;
}

/** Forms in which other clients take a server and a file. A form matches all words that are no options. */
const otherForms: readonly (readonly [RegExp, (...parts: string[]) => Meant])[] = [
  // HOST/PATH
  [/^([^/.\s]\S*\/\S+)$/, (path) => ({ url: `ftp://${path}` })],
  // URL NAME
  [
    /^(ftpe?s?:\/\/[^\s/]+)\/? (?!\d{2,5}$)([^-\s][^\s/]*)$/i,
    (server, name) => ({ url: `${server}/${name}` }),
  ],
  // URL mget PATTERN, as of lftp
  [/^(ftpe?s?:\/\/\S+\/) m?get (\S+)$/i, (directory, name) => ({ url: `${directory}${name}` })],
  // HOST PATH or HOST:PORT PATH, where the host has a dot or a port
  [
    /^([\w.-]+:\d+|[\w-]+\.[\w.-]+) (?!\d{2,5}$)\/*([^\s:?#%]+)$/,
    (host, path) => ({ url: `ftp://${host}/${path}` }),
  ],
  // HOST DIRECTORY PATH, as of ncftpget
  [
    /^([^\s/]+\.[^\s/]+) (\.|\.?\/\S*) \/?([^\s:]+)$/,
    (host, folder, path) => ({ url: `ftp://${host}/${path}`, folder }),
  ],
];

function meantBy(words: readonly string[]): Meant | undefined {
  const text = words.map(redactUrlText).join(" ");
  for (const [form, meant] of otherForms) {
    const [found, ...parts] = form.exec(text) ?? [];
    if (found !== undefined) return meant(...parts);
  }
  return undefined;
}

/** The hint for HOST PORT, as of ftp: no file is named. */
function hintAtPort(words: readonly string[]): string | undefined {
  const hostAndPort = /^(ftpe?s?:\/\/)?([^\s:/]+)\/? (\d{2,5})$/i;
  const [found, scheme = "ftp://", host, port] = hostAndPort.exec(words.join(" ")) ?? [];
  if (found === undefined) return undefined;
  const server = redactUrlText(`${scheme}${host}:${port}/`);
  return `write ${server} and the path of a file: commands of ftp are not read`;
}

/** The options for a local place: -O for a file; else -P, for the tree or only for its contents. */
function placeOptions(place: string, words: Words): string {
  const { urls, options } = words;
  const [url = "", another] = urls.filter((word) => word.includes("://"));
  const path = /^\w+:\/\/[^/]*([^%?#;]*)$/.exec(url)?.[1];
  const inPlace = `-P ${quoteForShell(place)}`;
  if (path === undefined) return inPlace;
  const isForTree = isLftpMirror(urls) || isTree(options);
  if (!isForTree && isFileName(place, path)) return `-O ${quoteForShell(place)}`;
  const isPlaced = options.some((option) => /^--(?:no-host|cut|force-dir|no-dir)/.test(option));
  if (another !== undefined || isPlaced || !takesContents(place, path, words)) return inPlace;
  const { length: depth } = namesIn(path);
  return depth === 0 ? `-nH ${inPlace}` : `-nH --cut-dirs ${depth} ${inPlace}`;
}

/** True if a tree's contents go into the directory, not a directory with the tree's name. */
function takesContents(folder: string, path: string, { urls, options, proposed }: Words): boolean {
  if (isLftpMirror(urls)) return path.endsWith("/") || !folder.endsWith("/");
  const isRsync = proposed.has("--mirror");
  if (isRsync) return path.endsWith("/");
  return isTree(options) && namesIn(path).at(-1) === basename(folder);
}

function namesIn(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}

function isLftpMirror([first]: readonly string[]): boolean {
  return first === "mirror";
}

/** True if a local path is that of one file: it has a suffix, or the name in the URL's path. */
function isFileName(local: string, path: string): boolean {
  const isFile = !path.endsWith("/") && !local.endsWith("/");
  return isFile && (/[^./]\.\w+$/.test(local) || basename(path) === basename(local));
}

function isTree(options: readonly string[]): boolean {
  return options.some((option) => option === "--mirror" || option === "--recursive");
}

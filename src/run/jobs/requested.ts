/** The requested documents: first URLs of the command line, then URLs of the lists. */
import { existsSync } from "node:fs";
import { failed } from "../../documents/result.ts";
import type { Document } from "../../documents/task.ts";
import { hintAtTrees } from "../../documents/tree/selection.ts";
import { ClosedOutput, FtpullError, Interrupted, toFtpullError } from "../../errors.ts";
import type { Settings } from "../../options/command-line.ts";
import type { Messages } from "../../terminal/messages.ts";
import { decoderFor, encoderFor } from "../../text/encoding.ts";
import { redactUrlText } from "../../text/redact.ts";
import { keepSecret } from "../../text/secrets.ts";
import { checkPort } from "../../url/blocked-ports.ts";
import { formatFtpUrl } from "../../url/format.ts";
import { parseFtpUrl, type FtpUrl } from "../../url/ftp-url.ts";
import { directoryOfPatterns, patternsIn } from "../../url/pattern.ts";
import { hasRawCharacters, planOf, type Plan } from "../../url/plan.ts";
import { resolveReference } from "../../url/resolve.ts";
import type { Outcome } from "../outcome.ts";
import { sayListed } from "./listed-only.ts";
import type { ListedUrl, UrlList } from "./url-list.ts";

export interface UrlSource {
  readonly settings: Settings;
  readonly lists: readonly UrlList[];
  readonly messages: Messages;
  readonly outcome: Outcome;
}

/**
 * Reads the URLs in order, and reports those that can't be read. @throws FtpullError "usage" for --accept and
 * its like without a tree or a pattern
 */
export async function* requested(source: UrlSource): AsyncGenerator<Document> {
  const { settings, lists, messages } = source;
  const given: Document[] = [];
  const urls = settings.urls.map((text) => ({ text }));
  for await (const document of readAll(urls, source)) given.push(document);

  const option = settings.recursive ? undefined : selectingOption(settings);
  const purpose = `${option} is for --recursive and for patterns in URLs`;
  let isIdle = option !== undefined && !given.some(hasPattern);
  const areAllRead = lists.length === 0 && given.length === settings.urls.length;
  if (isIdle && areAllRead)
    throw new FtpullError("usage", `${purpose}: neither is given`, { hint: hintAtTrees });

  yield* given;
  for (const list of lists)
    for await (const document of listed(list, source)) {
      if (hasPattern(document)) isIdle = false;
      yield document;
    }
  if (isIdle && lists.length > 0) messages.warning(`${purpose}: it had no effect`);
}

export function checksumsAtUrl(settings: Settings, messages: Messages): Document | undefined {
  const { checksums = "" } = settings;
  if (!/^\w+:\/\//.test(checksums)) return undefined;
  const list = readUrl(checksums, settings, messages);
  if (list.plan.action !== "list") return list;
  throw new FtpullError("usage", `--checksums is for one list, and ${list.shownUrl} is none`);
}

export function checkSingleFile([first, second]: readonly Document[]): void {
  if (second !== undefined) {
    const hint = "--checksums takes a list of checksums";
    const words = `--checksum is for one document, and ${second.shownUrl} is a second one`;
    throw new FtpullError("usage", words, { hint });
  }
  if (first?.plan.action !== "list") return;
  const words = `--checksum is for a file, and ${first.shownUrl} is a listing`;
  throw new FtpullError("usage", words);
}

export async function* chained<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}

export function hasPattern({ patterns = [] }: Document): boolean {
  return patterns.length > 0;
}

function selectingOption({ accept, reject, newerThan, olderThan }: Settings): string | undefined {
  if (accept.length > 0) return "--accept";
  if (reject.length > 0) return "--reject";
  if (newerThan !== undefined) return "--newer-than";
  return olderThan === undefined ? undefined : "--older-than";
}

async function* listed(list: UrlList, source: UrlSource): AsyncGenerator<Document> {
  const { settings, messages, outcome } = source;
  try {
    for await (const urls of list.urls((text) => messages.info(text))) {
      if (settings.base === undefined) refuseCommands(urls);
      yield* readAll(urls, source);
      await outcome.caughtUp();
    }
  } catch (error) {
    if (error instanceof Interrupted || error instanceof ClosedOutput) throw error;
    await outcome.report(failed(undefined, toFtpullError(error)));
  }
}

const ftpCommand =
  /^(?:open|user|bin(?:ary)?|ascii|l?cd|m?get|m?put|prompt|passive|hash|quote|bye|quit)(?:\s|$)/i;

const aria2Option = /^[a-z-]+=/i;

/** Refuses a script of ftp, whose lines may hold a password, or options. @throws FtpullError "usage" */
function refuseCommands(urls: readonly ListedUrl[]): void {
  for (const { text, place } of urls) {
    if (ftpCommand.test(text)) {
      const hint = "name each file by its URL";
      const words = `${place} has a command: scripts of ftp are not read`;
      throw new FtpullError("usage", words, { hint });
    }
    if (aria2Option.test(text)) {
      const hint = "a file keeps its own name; for another one give its URL alone, with -O FILE";
      throw new FtpullError("usage", `${place} has an option: lists have URLs only`, { hint });
    }
  }
}

/** Documents, one by one: the documents of a long list would otherwise wait in memory. */
async function* readAll(urls: readonly ListedUrl[], source: UrlSource): AsyncGenerator<Document> {
  const { settings, messages, outcome } = source;
  for (const { text, place } of urls) {
    try {
      yield readUrl(text, settings, messages);
    } catch (error) {
      const shownUrl = shownText(text.trim()) || undefined;
      const failure = toFtpullError(error);
      const hint = hintFor(text, settings) ?? failure.hint;
      await outcome.report({ ...failed(shownUrl, failure.with({ hint })), place });
    }
  }
}

/**
 * An unreadable URL as it may be shown. A line that is no URL may be of a netrc file, with a password:
 * `login jane password secret`. Behind a host, only digits are no password, but a port.
 */
function shownText(text: string): string {
  if (text.includes("//")) return redactUrlText(text);
  const firstWord = text.replace(/\s.*/s, " ...");
  if (text.includes("/")) return redactUrlText(firstWord);
  return firstWord.replace(/:(?!\d+$).*/s, ":***");
}

/** The shell may have put names of local files in place of an unquoted `-A *.gz`. */
function hintFor(text: string, { accept, reject, urls }: Settings): string | undefined {
  if (text.includes("\t")) return "take the column with the URLs: cut -f 2 FILE | ftpull -i -";
  const hasPatterns = accept.length > 0 || reject.length > 0;
  const isLocalFile = urls.includes(text) && existsSync(text);
  if (!hasPatterns || !isLocalFile) return undefined;
  return "a file here has this name: write patterns in quotes, as in -A '*.gz'";
}

function readUrl(text: string, settings: Settings, messages: Messages): Document {
  const { base, allowPorts, noGlob, remoteEncoding } = settings;
  const url = parseFtpUrl(base === undefined ? text : resolveReference(text, base));
  if (url.password !== undefined) keepSecret(url.password, url.user);
  checkPort(url.port, allowPorts);
  for (const warning of url.warnings) messages.warning(`${redactUrlText(text)}: ${warning}`);
  const shownUrl = formatFtpUrl(url);
  const patterns = noGlob ? [] : patternsIn(url, decoderFor(remoteEncoding));
  const isPattern = patterns.length > 0;
  if (isPattern && settings.format !== undefined) {
    const words = `--format is for listings, and what ${shownUrl} matches is fetched`;
    throw new FtpullError("usage", words, { hint: "--spider lists what a pattern matches" });
  }
  const document = planned(isPattern ? directoryOfPatterns(url) : url, settings, messages);
  const isListing = document.plan.action === "list" && !isPattern;
  if (isListing) sayListed(shownUrl, settings, messages);
  return { ...document, shownUrl, patterns };
}

/**
 * A URL with its plan. Raw characters are sent in UTF-8 if the server supports it (S10): then `planFor`
 * makes the plan, once the server's features are known.
 */
function planned(url: FtpUrl, settings: Settings, messages: Messages) {
  const { root, nullCwd, guessType, remoteEncoding } = settings;
  const planIn = (encoding: string | undefined): Plan => {
    const encode = encoding === undefined ? undefined : encoderFor(encoding);
    return planOf(url, { root, nullCwd, guessType, encode });
  };
  const plan = planIn(remoteEncoding);
  if (!hasRawCharacters(url)) return { url, plan };
  let isUnsure = remoteEncoding === undefined;
  const planFor = (isUtf8: boolean): Plan => {
    if (isUtf8) return planIn("utf-8");
    if (isUnsure) messages.warning(unknownEncoding);
    isUnsure = false; // Each try of the document asks for its plan.
    return plan;
  };
  return { url, plan, planFor };
}

const unknownEncoding =
  "the server doesn't say that its names are UTF-8: if it can't find this one, try --remote-encoding";

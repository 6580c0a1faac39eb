/** Reads the requested URLs: those of the command line, then those of the input files. */
import { failed, type Report } from "../../documents/result.ts";
import type { Document } from "../../documents/task.ts";
import { toFtpullError, usageError } from "../../errors.ts";
import { inputName, inputPieces } from "../../files/input-file.ts";
import type { Settings } from "../../options/command-line.ts";
import type { Messages } from "../../terminal/messages.ts";
import { decoderFor, encoderFor } from "../../text/encoding.ts";
import { redactUrlText } from "../../text/redact.ts";
import { keepSecret } from "../../text/secrets.ts";
import { checkPort } from "../../url/blocked-ports.ts";
import { formatFtpUrl } from "../../url/format.ts";
import { type FtpUrl, parseFtpUrl, withAdditions } from "../../url/ftp-url.ts";
import { directoryOfPatterns, patternsIn } from "../../url/pattern.ts";
import { hasRawCharacters, type Plan, planOf } from "../../url/plan.ts";
import { resolveReference } from "../../url/resolve.ts";

/** The URLs of a run. They are parsed one by one, since a long list would take much memory as plans. */
export interface Requested {
  readonly documents: Iterable<Document>;
  /** Number of what they name: one URL's file or listing, the matches of one pattern, or "several" URLs. */
  readonly extent: "one" | "pattern" | "several";
}

/** URLs that can't be read are reported in their turn. @throws FtpullError "file" for a list; "usage" */
export async function requested(
  settings: Settings,
  messages: Messages,
  report: Report,
): Promise<Requested> {
  const lists = await Promise.all(settings.inputFiles.map(readUrlList));
  const count = countAndKeepPasswords(urlsOf(settings, lists), settings);
  if (count === 0) messages.info("the list has no URLs");
  const read = readAll(urlsOf(settings, lists), settings, messages, report);
  const [only] = count === 1 ? read : [];
  const isOneFile = count <= 1 && only?.plan.action !== "list";
  if (settings.checksum !== undefined && !isOneFile)
    throw usageError("--checksum is for one file: --checksums takes a list");
  if (count > 1) return { documents: read, extent: "several" };
  if (only === undefined) return { documents: [], extent: "one" };
  return { documents: [only], extent: hasPattern(only) ? "pattern" : "one" };
}

function* urlsOf({ urls }: Settings, lists: readonly UrlList[]): Generator<ListedUrl> {
  for (const text of urls) yield { text };
  for (const list of lists) yield* list();
}

function* readAll(
  urls: Iterable<ListedUrl>,
  settings: Settings,
  messages: Messages,
  report: Report,
): Generator<Document> {
  for (const { text, place } of urls)
    try {
      yield readUrl(text, settings, messages);
    } catch (error) {
      const shown = redactUrlText(text.trim()) || undefined;
      void report({ place, ...failed(shown, toFtpullError(error)) });
    }
}

/** Passwords are known before the first server answers: it may repeat that of another one. */
function countAndKeepPasswords(urls: Iterable<ListedUrl>, settings: Settings): number {
  let count = 0;
  for (const { text } of urls) {
    count++;
    if (text.includes("@") || settings.base?.includes("@")) keepPassword(text, settings);
  }
  return count;
}

function keepPassword(text: string, settings: Settings): void {
  try {
    const { user, password = "" } = parsed(text, settings);
    keepSecret(password, user);
  } catch {} // It is reported in its turn.
}

function parsed(text: string, { base }: Settings): FtpUrl {
  return parseFtpUrl(base === undefined ? text : resolveReference(text, base));
}

function hasPattern({ patterns = [] }: Document): boolean {
  return patterns.length > 0;
}

/** True for files that listings name: those of -r, and those that match a pattern. */
export function isTree(document: Document, { recursive }: Settings): boolean {
  return hasPattern(document) || (recursive && document.plan.action !== "retrieve");
}

function readUrl(text: string, settings: Settings, messages: Messages): Document {
  const { allowPorts, noGlob, remoteEncoding } = settings;
  const url = withAdditions(parsed(text, settings), settings);
  checkPort(url.port, allowPorts);
  const shownUrl = formatFtpUrl(url);
  for (const warning of url.warnings) messages.warning(`${shownUrl}: ${warning}`);
  const patterns = noGlob ? [] : patternsIn(url, decoderFor(remoteEncoding));
  const isPattern = patterns.length > 0;
  if (isPattern && settings.format !== undefined)
    throw usageError(`--format is for listings, and what ${shownUrl} matches is fetched`);
  const document = planned(isPattern ? directoryOfPatterns(url) : url, settings, messages);
  return { shownUrl, patterns, ...document };
}

/**
 * A URL with its plan. Raw characters are sent in UTF-8 if the server supports it (S10): then `planFor`
 * makes the plan, once the server's features are known.
 */
function planned(url: FtpUrl, settings: Settings, messages: Messages) {
  const { nullCwd, guessType, remoteEncoding } = settings;
  const planIn = (encoding: string | undefined): Plan => {
    const encode = encoding === undefined ? undefined : encoderFor(encoding);
    return planOf(url, { nullCwd, guessType, encode });
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

/** Octets of a list of URLs. */
const longestList = 256 * 1024 * 1024;

interface ListedUrl {
  readonly text: string;
  /** The list and line, as `list:3`. */
  readonly place?: string;
}

/** Finds the URLs in the text of a list, one by one. */
type UrlList = () => Iterable<ListedUrl>;

/** @throws FtpullError "file" */
async function readUrlList(path: string): Promise<UrlList> {
  const decoder = new TextDecoder(); // It drops a byte order mark.
  let text = "";
  for await (const piece of inputPieces(path, longestList))
    text += decoder.decode(piece, { stream: true });
  text += decoder.decode();
  return () => urlsIn(text, path === "-" ? inputName(path) : path);
}

/** A URL in angle brackets may span lines (U16), but no blank one; a "#" begins a comment at the start of a line. */
const item = /^[\t\r ]*(<(?:(?!\n[\t\r ]*\n)[^<>])*>|[^#\t\n\r ][^\n]*)/gm;

export function* urlsIn(text: string, label: string): Generator<ListedUrl> {
  let line = 1;
  let counted = 0;
  for (const { index, 1: url = "" } of text.matchAll(item)) {
    line += text.slice(counted, index).split("\n").length - 1;
    counted = index;
    yield { text: url, place: `${label}:${line}` };
  }
}

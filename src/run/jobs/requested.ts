/** Reads the requested URLs: those of the command line, then those of the input files. */
import { failed } from "../../documents/result.ts";
import type { Document } from "../../documents/task.ts";
import { toFtpullError, usageError } from "../../errors.ts";
import type { Settings } from "../../options/command-line.ts";
import type { Messages } from "../../terminal/messages.ts";
import { decoderFor, encoderFor } from "../../text/encoding.ts";
import { redactUrlText } from "../../text/redact.ts";
import { keepSecret } from "../../text/secrets.ts";
import { checkPort } from "../../url/blocked-ports.ts";
import { formatFtpUrl } from "../../url/format.ts";
import { parseFtpUrl, withAdditions, type FtpUrl } from "../../url/ftp-url.ts";
import { directoryOfPatterns, patternsIn } from "../../url/pattern.ts";
import { hasRawCharacters, planOf, type Plan } from "../../url/plan.ts";
import { resolveReference } from "../../url/resolve.ts";
import type { Outcome } from "../outcome.ts";
import { type ListedUrl, readUrlList } from "./url-list.ts";

/** URLs that can't be read are reported. @throws FtpullError "file" for a list; "usage" */
export async function requested(
  settings: Settings,
  messages: Messages,
  { report }: Outcome,
): Promise<Document[]> {
  const lists = await Promise.all(settings.inputFiles.map(readUrlList));
  const urls: ListedUrl[] = [...settings.urls.map((text) => ({ text })), ...lists.flat()];
  if (urls.length === 0) messages.info("the list has no URLs");
  const documents = urls.flatMap(({ text, place }) => {
    try {
      return [readUrl(text, settings, messages)];
    } catch (error) {
      const shown = redactUrlText(text.trim()) || undefined;
      void report({ ...failed(shown, toFtpullError(error)), place });
      return [];
    }
  });
  if (settings.checksum !== undefined) checkSingleFile(documents);
  return documents;
}

function checkSingleFile([first, second]: readonly Document[]): void {
  const isFile = first?.plan.action !== "list" && second === undefined;
  if (!isFile) throw usageError("--checksum is for one file", "--checksums takes a list");
}

export function hasPattern({ patterns = [] }: Document): boolean {
  return patterns.length > 0;
}

function readUrl(text: string, settings: Settings, messages: Messages): Document {
  const { base, allowPorts, noGlob, remoteEncoding } = settings;
  const parsed = parseFtpUrl(base === undefined ? text : resolveReference(text, base));
  if (parsed.password !== undefined) keepSecret(parsed.password, parsed.user);
  checkPort(parsed.port, allowPorts);
  const url = withAdditions(parsed, settings);
  const shownUrl = formatFtpUrl(url);
  for (const warning of parsed.warnings) messages.warning(`${shownUrl}: ${warning}`);
  const patterns = noGlob ? [] : patternsIn(url, decoderFor(remoteEncoding));
  const isPattern = patterns.length > 0;
  if (isPattern && settings.format !== undefined)
    throw usageError(`--format is for listings, and what ${shownUrl} matches is fetched`);
  const document = planned(isPattern ? directoryOfPatterns(url) : url, settings, messages);
  return { ...document, shownUrl, patterns };
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

/** The jobs of a run as they become known: first the URLs of the command line, then those of the lists. */
import { existsSync } from "node:fs";
import type { QueuedJob } from "../../documents/job.ts";
import { failed } from "../../documents/result.ts";
import { ClosedOutput, FtpullError, Interrupted, toFtpullError } from "../../errors.ts";
import { localName } from "../../files/names.ts";
import type { Settings } from "../../options/command-line.ts";
import { decoderFor, encoderFor } from "../../text/encoding.ts";
import { checkPort } from "../../url/blocked-ports.ts";
import { formatFtpUrl, redactUrlText } from "../../url/format.ts";
import { parseFtpUrl, type FtpUrl } from "../../url/ftp-url.ts";
import { patternIn } from "../../url/pattern.ts";
import { hasRawCharacters, planOf, type Plan } from "../../url/plan.ts";
import { resolveReference } from "../../url/resolve.ts";
import { getsNumber, type JobSource } from "./job-source.ts";
import { checkNames, filePath } from "./local-paths.ts";
import { Trees } from "./trees.ts";
import type { UrlList } from "./url-list.ts";

/** Reads the URLs one after the other; those that can't be read, and a list that can't, are reported. */
export async function* queuedJobs(source: JobSource): AsyncGenerator<QueuedJob> {
  const { settings, lists, messages } = source;
  const trees = new Trees(source);
  const jobs = await readAll(settings.urls, source, trees);
  const idle = idleSelection(settings, trees);
  const text = `${idle} is for --recursive and for patterns in URLs`;
  const isCertain = lists.length === 0 && jobs.length === settings.urls.length;
  if (idle !== undefined && isCertain) throw nothingToChooseFrom(text);
  yield* jobs;
  for (const list of lists) yield* listedJobs(list, source, trees);
  if (lists.length > 0 && idleSelection(settings, trees) !== undefined)
    messages.warning(`${text}: it had no effect`);
}

/** The first option of those that choose from a directory, while there is nothing to choose from. */
function idleSelection(
  { recursive, accept, reject, newerThan, olderThan }: Settings,
  { hasPattern }: Trees,
): string | undefined {
  if (recursive || hasPattern) return undefined;
  if (accept.length > 0) return "--accept";
  if (reject.length > 0) return "--reject";
  if (newerThan !== undefined) return "--newer-than";
  return olderThan === undefined ? undefined : "--older-than";
}

function nothingToChooseFrom(text: string): FtpullError {
  const hint = "-r fetches what is below a directory";
  return new FtpullError("usage", `${text}: neither is given`, { hint });
}

async function* listedJobs(
  list: UrlList,
  source: JobSource,
  trees: Trees,
): AsyncGenerator<QueuedJob> {
  const { caughtUp, report } = source;
  try {
    for await (const texts of list.urls()) {
      for (const job of await readAll(texts, source, trees)) yield job;
      await caughtUp();
    }
  } catch (error) {
    if (error instanceof Interrupted || error instanceof ClosedOutput) throw error;
    await report(failed(undefined, toFtpullError(error)));
  }
}

async function readAll(
  texts: readonly string[],
  source: JobSource,
  trees: Trees,
): Promise<QueuedJob[]> {
  const jobs: QueuedJob[] = [];
  for (const text of texts) {
    try {
      jobs.push(queuedJob(text, source, trees));
    } catch (error) {
      const shown = shownText(text.trim()) || undefined;
      await source.report(failed(shown, withQuotingHint(toFtpullError(error), text, source)));
    }
  }
  return jobs;
}

/** A line that is no URL may be one of a netrc file: `login jane password secret`. */
function shownText(text: string): string {
  return text.includes("//") ? redactUrlText(text) : redactUrlText(text.replace(/\s.*/s, " ..."));
}

/** For `-A *.gz` without quotes, where the shell put the names of local files in its place. */
function withQuotingHint(error: FtpullError, text: string, { settings }: JobSource): FtpullError {
  const hasPatterns = settings.accept.length + settings.reject.length > 0;
  if (!hasPatterns || !settings.urls.includes(text) || !existsSync(text)) return error;
  const hint = "a file here has this name: write patterns in quotes, as in -A '*.gz'";
  return new FtpullError(error.kind, error.message, { hint, cause: error });
}

/** @throws FtpullError "usage"; "file" if another URL of a recursive run has the same file */
function queuedJob(text: string, source: JobSource, trees: Trees): QueuedJob {
  const { settings, messages } = source;
  const { base, allowPorts, remoteEncoding } = settings;
  const url = parseFtpUrl(base === undefined ? text : resolveReference(text, base));
  checkPort(url.port, allowPorts);
  for (const warning of url.warnings) messages.warning(`${redactUrlText(text)}: ${warning}`);
  const pattern = settings.noGlob ? undefined : patternIn(url, decoderFor(remoteEncoding));
  if (pattern === undefined) {
    const job = jobOf(url, source);
    if (settings.recursive) return trees.treeOf(job);
    const isListing = job.presumed.action === "list";
    const isOnStdout = isListing && settings.outputDocument === undefined;
    if (settings.json && isOnStdout && !settings.spider) throw noPlaceForListing();
    return job;
  }
  const directory = { ...url, segments: [...url.segments.slice(0, -1), ""] };
  const job = jobOf(directory, source);
  return trees.matchesIn({ ...job, shownUrl: formatFtpUrl(url) }, pattern);
}

/** The job of one document or listing. @throws FtpullError "usage" */
function jobOf(url: FtpUrl, { settings, expected }: JobSource): QueuedJob {
  const { outputDocument, remoteEncoding, recursive } = settings;
  const presumed = planFor(url, settings, remoteEncoding);
  const name = localName(presumed.name, decoderFor(remoteEncoding));
  const path = outputDocument ?? filePath(url, presumed, settings);
  const isFile = presumed.action !== "list";
  const hasOwnFile = isFile && outputDocument === undefined;
  const shownUrl = formatFtpUrl(url);
  if (hasOwnFile && !settings.spider) checkNames(path, settings);
  const isUnsure = recursive && presumed.action === "retrieve-or-list";
  return {
    url,
    shownUrl,
    presumed,
    plan: hasRawCharacters(url) ? undefined : presumed,
    name,
    path,
    file: hasOwnFile && !getsNumber(settings) ? path : undefined,
    expected: isFile ? expected.of(name, isUnsure ? shownUrl : undefined) : [],
  };
}

function noPlaceForListing(): FtpullError {
  const hint = "name a file for it with -O";
  return new FtpullError("usage", "--json and a listing can't both be on standard output", {
    hint,
  });
}

/** The plan of a URL, for a server whose names are in `encoding`; undefined is UTF-8. */
export function planFor(url: FtpUrl, settings: Settings, encoding: string | undefined): Plan {
  const { root, nullCwd, guessType } = settings;
  const choices = { root, nullCwd, guessType };
  return planOf(
    url,
    encoding === undefined ? choices : { ...choices, encode: encoderFor(encoding) },
  );
}

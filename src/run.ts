/**
 * Fetching what the URLs name: the parts put together, each document's fate reported.
 */
import { setTimeout as delay } from "node:timers/promises";
import { expectedChecksums } from "./checks.ts";
import type { Settings } from "./command-line.ts";
import { exitStatus } from "./errors.ts";
import { interruptions } from "./interruptions.ts";
import { isSkipped, jobFor, pathFor, type Outputs } from "./jobs.ts";
import { loginSources } from "./login-sources.ts";
import { documentOutput, standardOutput } from "./local/document-output.ts";
import { listingFormatter, type ListingFormat } from "./terminal/listing-format.ts";
import type { Messages } from "./terminal/messages.ts";
import { retryPolicy } from "./transfer/attempts.ts";
import { fetchAll, type BatchReport } from "./transfer/batch.ts";
import { credentialsFor } from "./transfer/credential-order.ts";
import { firstUser } from "./transfer/credential-sources.ts";
import type { ListingDetail } from "./session/list-directory.ts";
import { RateLimit } from "./session/rate-limit.ts";
import { Turns } from "./transfer/turns.ts";
import { tlsChoice } from "./tls-choice.ts";
import { SessionPool } from "./transfer/session-pool.ts";
import { decoderFor } from "./url/encoding.ts";
import type { FtpUrl } from "./url/ftp-url.ts";

/**
 * Fetches all documents and resolves with their exit statuses.
 * @throws Interrupted; FtpullError "file" for netrc and -O
 */
export async function run(
  urls: readonly FtpUrl[],
  settings: Settings,
  messages: Messages,
): Promise<number[]> {
  const statuses: number[] = [];
  const signal = interruptions(messages);
  const sources = loginSources(settings, messages, signal);
  const outputs = outputsFor(settings);
  const pool = new SessionPool(
    {
      timeoutMs: settings.timeoutMs,
      sendHost: !settings.noHost,
      pipelining: !settings.noPipelining,
      observer: messages,
      signal,
      rateLimit: rateLimitFor(settings.limitRate, signal),
      family: familyFor(settings),
      active: settings.active,
      tlsFor: tlsChoice(settings, messages),
    },
    {
      userOf: (url) => firstUser(url, sources),
      credentialsFor: (url) => credentialsFor(url, sources),
    },
  );
  const expectedOf = await expectedChecksums(urls, settings, messages);
  const wanted = urls.filter((url) => !skips(url, settings, messages));
  const jobs = wanted.map((url) => jobFor(url, settings, outputs, expectedOf, messages));
  // What goes into one file has to come in order.
  const atOnce = outputs.shared === undefined ? settings.jobs : 1;
  const policy = retryPolicy(settings.tries, signal);
  const report = reportTo(messages, statuses);
  try {
    await fetchAll(jobs, { pool, policy, observer: messages, report, jobs: atOnce });
  } catch (error) {
    await outputs.shared?.abandon();
    throw error;
  }
  await outputs.shared?.conclude();
  signal.throwIfAborted();
  return statuses;
}

function reportTo(messages: Messages, statuses: number[]): BatchReport {
  return {
    done: () => {},
    skipped: (_job, reason) => messages.note(`${reason}: skipped`),
    failed: (job, error) => {
      messages.failure(job.shownUrl, error);
      statuses.push(exitStatus[error.kind]);
    },
    interrupted: (job, hint) => {
      messages.note(`${job.shownUrl}: interrupted${hint === undefined ? "" : `; ${hint}`}`);
    },
  };
}

function familyFor({ inet4Only, inet6Only }: Settings): 4 | 6 | undefined {
  if (inet4Only) return 4;
  return inet6Only ? 6 : undefined;
}

function rateLimitFor(rate: number | undefined, signal: AbortSignal): RateLimit | undefined {
  if (rate === undefined) return undefined;
  return new RateLimit(rate, {
    now: () => performance.now(),
    // Whoever is interrupted doesn't wait to the end of it.
    delay: (milliseconds) => delay(milliseconds, undefined, { signal }).catch(() => undefined),
  });
}

function outputsFor(settings: Settings): Outputs {
  const { outputDocument } = settings;
  const shared =
    outputDocument === undefined
      ? undefined
      : documentOutput(outputDocument, settings.continue ? "continue" : "replace", process.stdout);
  const destination = shared ?? standardOutput(process.stdout);
  const format = settings.format ?? (process.stdout.isTTY && !shared ? "table" : "names");
  const decode = decoderFor(settings.remoteEncoding);
  const formatter = () => listingFormatter(format, decode);
  return {
    shared,
    listing: { detail: detailFor(format), destination, formatter, turns: new Turns() },
  };
}

function detailFor(format: ListingFormat): ListingDetail {
  if (format === "raw") return "lines";
  return format === "names" ? "names" : "details";
}

function skips(url: FtpUrl, settings: Settings, messages: Messages): boolean {
  if (!isSkipped(url, settings)) return false;
  const path = settings.outputDocument ?? pathFor(url, settings);
  messages.note(`"${path}" is there already: skipped`);
  return true;
}

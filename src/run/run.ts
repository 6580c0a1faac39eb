/** Fetching what the URLs name: the parts put together, each document's fate reported. */
import { setTimeout as delay } from "node:timers/promises";
import { isatty } from "node:tty";
import { fetchAll, type BatchReport } from "../documents/batch.ts";
import { retryPolicy } from "../documents/retry.ts";
import { SerialQueue } from "../documents/serial-queue.ts";
import { exitStatus } from "../errors.ts";
import { documentOutput, standardOutput } from "../files/output/document-output.ts";
import { SessionPool } from "../ftp/session-pool.ts";
import { listingFormatter } from "../listing/format.ts";
import { credentialsFor } from "../login/credential-order.ts";
import { firstUser } from "../login/credential-sources.ts";
import { RateLimit } from "../net/rate-limit.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import { decoderFor } from "../text/encoding.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import { expectedChecksums } from "./expected-checksums.ts";
import { interruptions } from "./interruptions.ts";
import { jobFor, type Outputs } from "./jobs.ts";
import { loginSources } from "./login-sources.ts";
import { tlsChoice } from "./tls-choice.ts";

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
  // Read before the signals are taken: where a FIFO is never written to, a signal ends the program at once.
  const expectedOf = await expectedChecksums(urls, settings, messages);
  const tlsFor = tlsChoice(settings, messages);
  const signal = interruptions(messages);
  const pool = poolFor(settings, messages, signal, tlsFor);
  const outputs = outputsFor(settings, urls.length > 1);
  const jobs = urls.map((url) => jobFor(url, settings, outputs, expectedOf, messages));
  const batch = {
    pool,
    policy: retryPolicy(settings.tries, signal),
    observer: messages,
    report: reportTo(messages, statuses),
    // What goes into one file has to come in order.
    jobs: outputs.shared === undefined ? settings.jobs : 1,
  };
  try {
    await fetchAll(jobs, batch);
  } catch (error) {
    await outputs.shared?.abandon();
    throw error;
  }
  await outputs.shared?.conclude();
  signal.throwIfAborted();
  return statuses;
}

function poolFor(
  settings: Settings,
  messages: Messages,
  signal: AbortSignal,
  tlsFor: ReturnType<typeof tlsChoice>,
): SessionPool {
  const sources = loginSources(settings, messages, signal);
  return new SessionPool(
    {
      timeoutMs: settings.timeoutMs,
      sendHost: !settings.noHost,
      pipelining: !settings.noPipelining,
      observer: messages,
      signal,
      rateLimit: rateLimitFor(settings.limitRate, signal),
      family: familyFor(settings),
      active: settings.active,
      tlsFor,
    },
    {
      userOf: (url) => firstUser(url, sources),
      credentialsFor: (url) => credentialsFor(url, sources),
    },
  );
}

function reportTo(messages: Messages, statuses: number[]): BatchReport {
  return {
    skipped: (_job, reason) => messages.info(`${reason}: skipped`),
    failed: (job, error) => {
      messages.failure(job.shownUrl, error);
      statuses.push(exitStatus[error.kind]);
    },
    interrupted: (job, hint) => {
      messages.info(`${job.shownUrl}: interrupted${hint === undefined ? "" : `; ${hint}`}`);
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

function outputsFor(settings: Settings, several: boolean): Outputs {
  const file = settings.outputDocument;
  const collision = settings.continue ? "continue" : "replace";
  const stdout = () => process.stdout;
  const shared = file === undefined ? undefined : documentOutput(file, collision, stdout, several);
  const destination = shared ?? standardOutput(stdout);
  const format = settings.format ?? (isatty(1) && !shared ? "table" : "names");
  const decode = decoderFor(settings.remoteEncoding);
  const formatter = () => listingFormatter(format, decode);
  return {
    shared,
    listing: { isRaw: format === "raw", destination, formatter, queue: new SerialQueue() },
  };
}

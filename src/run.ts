/**
 * Fetching what the URLs name: the parts put together, each document's fate reported.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Settings } from "./command-line.ts";
import { exitStatus, Interrupted } from "./errors.ts";
import { isSkipped, jobFor, pathFor, type Outputs } from "./jobs.ts";
import { readNetrc } from "./local/netrc.ts";
import { passwordFile } from "./local/password-file.ts";
import { documentOutput, standardOutput } from "./local/document-output.ts";
import { listingFormatter, type ListingFormat } from "./terminal/listing-format.ts";
import type { Messages } from "./terminal/messages.ts";
import { ask, canAsk } from "./terminal/prompt.ts";
import { fetchAll } from "./transfer/batch.ts";
import { credentialsFor } from "./transfer/credential-order.ts";
import {
  rememberAnswers,
  type CredentialSources,
  type Question,
} from "./transfer/credential-sources.ts";
import type { ListingDetail } from "./session/list-directory.ts";
import { RateLimit } from "./session/rate-limit.ts";
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
  const sources = credentialSources(settings, messages, signal);
  const outputs = outputsFor(settings);
  const pool = new SessionPool(
    {
      timeoutMs: settings.timeoutMs,
      sendHost: !settings.noHost,
      pipelining: true,
      observer: messages,
      signal,
      rateLimit: rateLimitFor(settings.limitRate, signal),
    },
    (url) => credentialsFor(url, sources),
  );
  const wanted = urls.filter((url) => !skips(url, settings, messages));
  const jobs = wanted.map((url) => jobFor(url, settings, outputs, messages));
  await fetchAll(jobs, pool, messages, {
    done: () => {},
    skipped: (_job, reason) => messages.note(`${reason}: skipped`),
    failed: (job, error) => {
      messages.failure(job.shownUrl, error);
      statuses.push(exitStatus[error.kind]);
    },
  });
  await outputs.shared?.conclude();
  messages.close();
  return statuses;
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
      : documentOutput(outputDocument, "replace", process.stdout);
  const destination = shared ?? standardOutput(process.stdout);
  const format = settings.format ?? (process.stdout.isTTY && !shared ? "table" : "names");
  const decode = decoderFor(settings.remoteEncoding);
  const formatter = () => listingFormatter(format, decode);
  return { shared, listing: { detail: detailFor(format), destination, formatter } };
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

function credentialSources(
  settings: Settings,
  messages: Messages,
  signal: AbortSignal,
): CredentialSources {
  const netrc = settings.noNetrc ? undefined : readNetrc(settings.netrcFile);
  for (const warning of netrc?.warnings ?? []) messages.warning(warning);
  const { user, account, passwordFile: file } = settings;
  return {
    user,
    account,
    passwordFile: file === undefined ? undefined : passwordFile(file),
    askFirst: settings.askPassword,
    environmentPassword: process.env["FTPULL_PASSWORD"],
    netrc: netrc?.entries ?? [],
    ask:
      settings.noInput || !canAsk()
        ? undefined
        : (question) => askAlone(question, messages, signal),
    remembered: rememberAnswers(),
  };
}

/** A question has the terminal for itself: bars and messages wait. */
async function askAlone(
  question: Question,
  messages: Messages,
  signal: AbortSignal,
): Promise<string> {
  messages.suspend();
  try {
    return await ask(question, signal);
  } finally {
    messages.resume();
  }
}

/** A signal that is aborted by the first SIGINT, SIGTERM or SIGHUP; a second one ends the program at once. */
function interruptions(messages: Messages): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(name, () => {
      messages.close();
      controller.abort(new Interrupted(name));
    });
  }
  return controller.signal;
}

/** The session pool of a run, its passwords, and the policy of its tries, from the settings. */
import { isIPv6 } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { clockMs } from "../clock.ts";
import { type PoolOptions, SessionPool } from "../ftp/session-pool.ts";
import { credentialsFor } from "../login/login.ts";
import { readNetrc } from "../login/netrc.ts";
import { type LoginSources, passwordFile, type Question, userOf } from "../login/sources.ts";
import { RateLimit } from "../net/rate-limit.ts";
import type { Settings } from "../options/command-line.ts";
import { isTerminal } from "../terminal/is-terminal.ts";
import type { Messages } from "../terminal/messages.ts";
import { ask, canAsk } from "../terminal/prompt.ts";
import type { RetryPolicy } from "../tries.ts";

export function poolFor(
  settings: Settings,
  messages: Messages,
  signal: AbortSignal,
  choices: Pick<PoolOptions, "policy" | "tlsFor" | "proxyFor">,
): SessionPool {
  const sources = loginSources(settings, messages, signal);
  const { family, localAddress, limitRate, verbosity } = settings;
  return new SessionPool({
    ...settings,
    observer: messages,
    dialogue: verbosity === "verbose" ? messages : undefined,
    signal,
    rateLimit: limitRate ? new RateLimit(limitRate, choices.policy) : undefined,
    family: family ?? (localAddress === undefined ? undefined : isIPv6(localAddress) ? 6 : 4),
    userOf: (url) => userOf(url, sources),
    credentialsFor: (url) => credentialsFor(url, sources),
    ...choices,
  });
}

export function retryPolicy(settings: Settings, signal: AbortSignal): RetryPolicy {
  return {
    ...settings,
    random: Math.random,
    now: clockMs,
    wait: (milliseconds) =>
      delay(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted()),
  };
}

/** Sources of passwords: options, environment, files, a prompt. */
function loginSources(settings: Settings, messages: Messages, signal: AbortSignal): LoginSources {
  const { account, passwordFile: file } = settings;
  // A password typed for `--password-file -` would be shown: the prompt asks for it instead.
  const isTyped = file === "-" && isTerminal(0);
  return {
    account,
    passwordFile: file === undefined || isTyped ? undefined : passwordFile(file),
    askFirst: settings.askPassword || isTyped,
    environmentPassword: process.env["FTPULL_PASSWORD"],
    netrc: readNetrc(settings.netrcFile, (text) => messages.warning(text)),
    get ask() {
      if (settings.noInput || !canAsk()) return undefined;
      return (question: Question) => messages.prompt(() => ask(question, signal));
    },
  };
}

/** The session pool of a run, and the policy of its tries, from the settings. */
import { isIPv6 } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { clockMs } from "../clock.ts";
import { usageError } from "../errors.ts";
import { type PoolOptions, SessionPool } from "../ftp/session-pool.ts";
import { credentialsFor } from "../login/login.ts";
import { userOf } from "../login/sources.ts";
import { RateLimit } from "../net/rate-limit.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import type { RetryPolicy } from "../tries.ts";
import { loginSources } from "./login-sources.ts";

export function poolFor(
  settings: Settings,
  messages: Messages,
  signal: AbortSignal,
  choices: Pick<PoolOptions, "policy" | "tlsFor" | "proxyFor">,
): SessionPool {
  const sources = loginSources(settings, messages, signal);
  return new SessionPool({
    ...settings,
    observer: messages,
    dialogue: messages.showsDialogue ? messages : undefined,
    signal,
    rateLimit: rateLimitFor(settings, choices.policy),
    family: familyFor(settings),
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

function familyFor({ family, localAddress }: Settings): 4 | 6 | undefined {
  const bound = localAddress === undefined ? family : isIPv6(localAddress) ? 6 : 4;
  if (bound !== (family ?? bound))
    throw usageError(`-${family} and --bind-address "${localAddress}" contradict each other`);
  return bound;
}

function rateLimitFor({ limitRate }: Settings, { now, wait }: RetryPolicy): RateLimit | undefined {
  // After an interruption nothing is left to slow down.
  const pause = (milliseconds: number): Promise<void> => wait(milliseconds).catch(() => undefined);
  return limitRate ? new RateLimit(limitRate, { now, delay: pause }) : undefined;
}

/** The session pool of a run, and the policy of its tries, from the settings. */
import { isIPv6 } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { clockMs } from "../clock.ts";
import { hintFor, hintForSilence } from "../documents/hints.ts";
import { usageError } from "../errors.ts";
import { type PoolOptions, SessionPool } from "../ftp/session-pool.ts";
import { credentialsFor } from "../login/credential-order.ts";
import { firstUser } from "../login/credential-sources.ts";
import { RateLimit } from "../net/rate-limit.ts";
import { SpeedLimit } from "../net/speed-limit.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import { utf8Octets } from "../text/percent.ts";
import type { RetryPolicy } from "../tries.ts";
import { loginSources } from "./login-sources.ts";

export function poolFor(
  settings: Settings,
  messages: Messages,
  signal: AbortSignal,
  choices: Pick<PoolOptions, "policy" | "tlsFor" | "proxyFor">,
): SessionPool {
  const sources = loginSources(settings, messages, signal);
  const { speedLimit } = settings;
  return new SessionPool({
    timeoutMs: settings.timeoutMs,
    sendHost: !settings.noHost,
    site: settings.site.map(utf8Octets),
    pipelining: !settings.noPipelining,
    observer: messages,
    signal,
    rateLimit: rateLimitFor(settings, choices.policy),
    speedLimit: speedLimit ? new SpeedLimit(speedLimit, settings.speedTimeMs) : undefined,
    family: familyFor(settings),
    localAddress: settings.bindAddress,
    active: settings.active,
    hintFor: (error, url) => hintFor(error, { url }),
    hintForSilence,
    userOf: (url) => firstUser(url, sources),
    credentialsFor: (url) => credentialsFor(url, sources),
    ...choices,
  });
}

export function retryPolicy(settings: Settings, signal: AbortSignal): RetryPolicy {
  const { tries, waitRetryMs, waitMs, randomWait } = settings;
  const pauseMs = (): number => waitMs * (randomWait ? 0.5 + Math.random() : 1);
  return {
    tries,
    longestWaitMs: waitRetryMs,
    pauseMs: waitMs === 0 ? undefined : pauseMs,
    random: Math.random,
    now: clockMs,
    wait: (milliseconds) =>
      delay(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted()),
  };
}

function familyFor({ inet4Only, inet6Only, bindAddress }: Settings): 4 | 6 | undefined {
  const asked = inet4Only ? 4 : inet6Only ? 6 : undefined;
  const bound = bindAddress === undefined ? asked : isIPv6(bindAddress) ? 6 : 4;
  if (bound !== (asked ?? bound))
    throw usageError(`-${asked} and --bind-address "${bindAddress}" contradict each other`);
  return bound;
}

function rateLimitFor({ limitRate }: Settings, { now, wait }: RetryPolicy): RateLimit | undefined {
  // After an interruption nothing is left to slow down.
  const pause = (milliseconds: number): Promise<void> => wait(milliseconds).catch(() => undefined);
  return limitRate ? new RateLimit(limitRate, { now, delay: pause }) : undefined;
}

/**
 * Sessions that outlive a document: URLs for the same host, port and credentials share
 * one control connection (M1, M2).
 */
import type { Address } from "../session/connect.ts";
import type { Credentials } from "../session/credentials.ts";
import type { Habits } from "../session/habits.ts";
import { Session, type SessionOptions } from "../session/session.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import type { Plan } from "../url/plan.ts";

export type PoolOptions = Omit<SessionOptions, "habits"> & { readonly pipelining: boolean };

/** What is kept of one server and one login. */
interface Place {
  readonly habits: Habits;
  readonly idle: Session[];
}

export class SessionPool {
  readonly #options: PoolOptions;
  readonly #credentialsFor: (url: FtpUrl) => Promise<Credentials>;
  readonly #places = new Map<string, Place>();

  constructor(options: PoolOptions, credentialsFor: (url: FtpUrl) => Promise<Credentials>) {
    this.#options = options;
    this.#credentialsFor = credentialsFor;
  }

  /** What was learned of the server that `url` names. */
  habitsOf(url: FtpUrl): Habits {
    return this.#placeOf(url).habits;
  }

  /**
   * A session for `url` that nobody else uses until it is released. `plan` is what will be
   * asked of it first; without one nothing is sent before it is asked for.
   * @throws FtpullError from connecting and logging in; Interrupted
   */
  async acquire(url: FtpUrl, plan: Plan | undefined): Promise<Session> {
    const place = this.#placeOf(url);
    const idle = place.idle.pop();
    if (idle !== undefined && (await isReady(idle, plan))) return idle;
    const credentials = await this.#credentialsFor(url);
    return Session.open(
      addressOf(url),
      credentials,
      { ...this.#options, habits: place.habits },
      plan,
    );
  }

  /** Takes a session back; one that can't be used any more is closed. */
  async release(url: FtpUrl, session: Session): Promise<void> {
    if (session.usable) this.#placeOf(url).idle.push(session);
    else await session.quit();
  }

  /** Ends all sessions that nobody uses. */
  async close(): Promise<void> {
    const idle = [...this.#places.values()].flatMap((place) => place.idle.splice(0));
    await Promise.all(idle.map((session) => session.quit()));
  }

  #placeOf({ scheme, host, port, user, password }: FtpUrl): Place {
    const key = JSON.stringify([scheme, host, port, user ?? null, password ?? null]);
    let place = this.#places.get(key);
    if (place === undefined) {
      const habits = { pipelining: this.#options.pipelining, extendedPassive: true };
      place = { habits, idle: [] };
      this.#places.set(key, place);
    }
    return place;
  }
}

/** Whether a session that served another document can serve this one; one that can't is ended. */
async function isReady(session: Session, plan: Plan | undefined): Promise<boolean> {
  const reaches = plan === undefined || session.reaches(plan) || (await session.reinitialize());
  if (session.usable && reaches) {
    if (plan !== undefined) session.prepare(plan);
    return true;
  }
  await session.quit();
  return false;
}

function addressOf({ host, port }: FtpUrl): Address {
  return { host, port };
}

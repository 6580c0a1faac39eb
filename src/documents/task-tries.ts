/** The tries for one task, each over one session, and the figures over all of them. */
import { hasReason } from "../errors.ts";
import { isOfPipelining } from "../ftp/control/exchanges.ts";
import type { DocumentPlan } from "../ftp/document-steps.ts";
import type { ServerLogin } from "../ftp/server-sessions.ts";
import type { Session } from "../ftp/session.ts";
import type { RetryPolicy } from "../tries.ts";
import type { DocumentProgress, DocumentStart, Observer } from "./events.ts";
import type { Result } from "./result.ts";
import type { Repeatable } from "./retry.ts";
import { verifiedText } from "./verify/verification.ts";

export interface Work {
  readonly document: { readonly shownUrl: string };
  /** Runs a try. Undefined if the task is for no file, or its file is left out. */
  run(session: Session, tries: Tries): Promise<Result | undefined>;
  /** Runs a try by GET from a proxy that refuses CONNECT; undefined for what GET can't do. */
  readonly get?: ((tries: Tries) => Promise<Result>) | undefined;
  /** Prepares the next try, which follows at once, to begin at 0; false if that can't be done. */
  beginAgain?(): boolean;
}

export class Tries implements Repeatable<Result | undefined> {
  readonly login: ServerLogin;
  readonly observer: Observer;
  /**
   * The request that follows this task in its session, so that commands can be sent early; "listing" if others may
   * follow from this task.
   */
  readonly upcoming: (session: Session, behind?: "listing") => DocumentPlan | undefined;
  /** Most bytes of the file that a try has reached since the last beginning. */
  octets = 0;
  /** Answers about files of a listing: they are progress, but no data. */
  answers = 0;
  readonly #work: Work;
  readonly #plan: DocumentPlan | undefined;
  readonly #now: () => number;
  #progress: DocumentProgress | undefined;
  #begunMs: number | undefined;

  /** With `plan`, which no server has to be asked for, commands may go out with a login. */
  constructor(
    work: Work,
    plan: DocumentPlan | undefined,
    login: ServerLogin,
    { observer, policy }: { observer: Observer; policy: Pick<RetryPolicy, "now"> },
    upcoming: Tries["upcoming"],
  ) {
    this.#work = work;
    this.#plan = plan;
    this.login = login;
    this.observer = observer;
    this.#now = policy.now;
    this.upcoming = upcoming;
  }

  /** Makes one try: over a session, or by GET from a proxy that lets none through. */
  async run(): Promise<Result | undefined> {
    try {
      return await this.#runOverSession();
    } catch (error) {
      const { get, document } = this.#work;
      if (get === undefined || !hasReason(error, "refused by proxy")) throw error;
      const words = "the proxy refuses CONNECT: asking it for the file by GET";
      this.observer.detail(`${document.shownUrl}: ${words}`);
      return get(this).catch((failure: unknown) => {
        throw hasReason(failure, "refused by proxy") ? error : failure;
      });
    }
  }

  /** After a failure with a remedy, another try that doesn't count is made. */
  async #runOverSession(): Promise<Result | undefined> {
    const { server } = this.login;
    const repeated = new Set<Remedy>();
    for (;;) {
      const session = await server.acquire(this.login, this.#plan);
      try {
        return await this.#work.run(session, this).finally(() => server.release(session));
      } catch (error) {
        const remedy = remedyFor(error);
        if (remedy === undefined || repeated.has(remedy)) throw error;
        repeated.add(remedy);
      }
    }
  }

  /** Called in each try when data has come: figures begin with the first one. */
  begin(start: DocumentStart): void {
    this.#begunMs ??= this.#now();
    this.#progress ??= this.observer.begin(start);
    this.#progress.advance(start.offset);
  }

  advance(octets: number): void {
    this.octets = Math.max(this.octets, octets);
    this.#progress?.advance(octets);
  }

  /** Ends the progress, and completes the result, if any: both have the same figures, from the first data on. */
  conclude(result: Result | undefined): Result | undefined {
    const seconds = this.#begunMs === undefined ? undefined : (this.#now() - this.#begunMs) / 1000;
    const { status, file: target = "", resumed = 0, verified } = result ?? {};
    const words = verified && verifiedText(verified);
    const saved = { target, resumed, seconds: seconds ?? 0, verified: words };
    this.#progress?.end(status === "done" ? saved : undefined);
    return result && { seconds, ...result };
  }

  get reached(): number {
    return this.octets + this.answers;
  }

  beginAgain(because: string): boolean {
    if (this.#work.beginAgain?.() !== true) return false;
    this.octets = 0;
    this.say(`${because}; beginning again`);
    return true;
  }

  say(text: string): void {
    this.observer.info(`${this.#work.document.shownUrl}: ${text}`);
  }
}

type Remedy = "new session" | "single commands";

function remedyFor(error: unknown): Remedy | undefined {
  if (hasReason(error, "no way back")) return "new session";
  return isOfPipelining(error) ? "single commands" : undefined;
}

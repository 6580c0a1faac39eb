/**
 * A job that asks for size and time of many files at once, where a listing can't tell whether they
 * are unchanged. The files' own jobs follow from it.
 */
import type { FileFacts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Plan } from "../../url/plan.ts";
import type { AttemptState } from "../attempt-state.ts";
import type { Branch, Job, QueuedJob } from "../job.ts";

/** The facts of each name that the server could tell about. */
export type FactsByName = ReadonlyMap<string, FileFacts>;

export class AskedFacts implements Branch {
  readonly #plans: readonly Plan[];
  readonly #further: (facts: FactsByName) => Iterator<QueuedJob>;
  readonly #facts = new Map<string, FileFacts>();

  /** `further` makes the jobs of the files. */
  constructor(plans: readonly Plan[], further: (facts: FactsByName) => Iterator<QueuedJob>) {
    this.#plans = plans;
    this.#further = further;
  }

  /** A further try asks for what is missing. */
  async list(session: Session, _plan: Plan, _job: Job, state: AttemptState): Promise<void> {
    const missing = this.#plans.filter(({ name }) => !this.#facts.has(name));
    let answered = 0;
    for await (const { facts } of session.locateAll(missing)) {
      this.#facts.set(missing[answered++]!.name, facts);
      state.advance(this.#facts.size); // an answer is progress
    }
  }

  end(): Iterator<QueuedJob> {
    return this.#further(this.#facts);
  }
}

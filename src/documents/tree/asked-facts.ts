/**
 * A job that asks for the times of many files at once, where a listing can't tell whether they are
 * unchanged. The files' own jobs follow from it.
 */
import type { FileFacts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Plan } from "../../url/plan.ts";
import type { Branch, Job, ListingContext, QueuedJob } from "../job.ts";
import { type EntryRecord, factsFor } from "./record.ts";

/** How many files at most are asked about at once. */
export const mostAsked = 100;

/** A file that may be unchanged. */
export interface Doubtful {
  readonly plan: Plan;
  readonly entry: EntryRecord;
}

/** What is known of a file before its own job, which asks for the rest. */
export interface Told {
  readonly facts: FileFacts;
  readonly known: Plan["known"];
}

/** By name; undefined where the file's own job has to ask. */
export type ToldByName = ReadonlyMap<string, Told | undefined>;

export class AskedFacts implements Branch {
  readonly isQuestion = true;
  readonly #files: readonly Doubtful[];
  readonly #trustsSizes: boolean;
  readonly #further: (told: ToldByName) => Iterator<QueuedJob>;
  readonly #told = new Map<string, Told | undefined>();

  /** `trustsSizes`: whether the listing's sizes will do. `further` makes the jobs of the files. */
  constructor(
    files: readonly Doubtful[],
    trustsSizes: boolean,
    further: (told: ToldByName) => Iterator<QueuedJob>,
  ) {
    this.#files = files;
    this.#trustsSizes = trustsSizes;
    this.#further = further;
  }

  /** A further try asks for what is missing. */
  async list(session: Session, _plan: Plan, _job: Job, context: ListingContext): Promise<void> {
    const { state, coming } = context;
    // Where there is no MDTM, the size has to come from SIZE: it is all that tells.
    const known: Plan["known"] = this.#trustsSizes && session.has("MDTM") ? "size" : undefined;
    const missing = this.#files.filter(({ entry }) => !this.#told.has(entry.name));
    const plans = missing.map(({ plan }) => ({ ...plan, known }));
    let answered = 0;
    for await (const { facts } of session.locateAll(plans, coming())) {
      const file = missing[answered++]!;
      this.#told.set(file.entry.name, known === "size" ? timeOf(file, facts) : allOf(facts));
      state.advance(this.#told.size); // an answer is progress
    }
  }

  end(): Iterator<QueuedJob> {
    return this.#further(this.#told);
  }
}

/** Tells whether the file is unchanged; one that is fetched isn't fetched by the listing's size. */
function timeOf({ plan, entry: { size } }: Doubtful, { modified }: FileFacts): Told | undefined {
  const facts = factsFor(plan, { size, modified });
  return facts && { facts, known: undefined };
}

/** After a 4yz the file's own job asks again; a refusal is final. */
function allOf(facts: FileFacts): Told | undefined {
  return facts.failure === undefined ? { facts, known: "size and time" } : undefined;
}

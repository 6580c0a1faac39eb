/**
 * Asks for the times of many files at once, where a listing can't tell whether they are unchanged.
 * The files' own tasks follow.
 */
import type { DocumentPlan, FileFacts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Attempt } from "../attempt.ts";
import type { Task } from "../task.ts";
import { factsFor, type TreeEntry } from "./tree-listing.ts";

/** How many files at most are asked about at once. */
export const mostAsked = 100;

/** A file that may be unchanged. */
export interface Doubtful {
  readonly plan: DocumentPlan;
  readonly entry: TreeEntry;
}

/** What is known of a file before its own task, which asks for the rest. */
export interface Told {
  readonly facts: FileFacts;
  readonly known: DocumentPlan["known"];
}

/** By name; undefined where the file's own task has to ask. */
export type ToldByName = ReadonlyMap<string, Told | undefined>;

export class TimesTask implements Task {
  readonly url: FtpUrl;
  readonly shownUrl: string;
  readonly #files: readonly Doubtful[];
  readonly #trustsSizes: boolean;
  readonly #tasks: (told: ToldByName) => Iterator<Task>;
  readonly #told = new Map<string, Told | undefined>();

  /** `trustsSizes`: whether the listing's sizes will do. `tasks` makes those of the files. */
  constructor(
    url: FtpUrl,
    files: readonly Doubtful[],
    trustsSizes: boolean,
    tasks: (told: ToldByName) => Iterator<Task>,
  ) {
    this.url = url;
    this.shownUrl = formatFtpUrl(url);
    this.#files = files;
    this.#trustsSizes = trustsSizes;
    this.#tasks = tasks;
  }

  /** A further try asks for what is missing. */
  async run(session: Session, attempt: Attempt): Promise<undefined> {
    // Where there is no MDTM, the size has to come from SIZE: it is all that tells.
    const known = this.#trustsSizes && session.has("MDTM") ? "size" : undefined;
    const missing = this.#files.filter(({ entry }) => !this.#told.has(entry.name));
    const plans = missing.map(({ plan }) => ({ ...plan, known }) as const);
    let answered = 0;
    for await (const { facts } of session.locateAll(plans, attempt.nextListing())) {
      const file = missing[answered++]!;
      this.#told.set(file.entry.name, known === "size" ? timeOf(file, facts) : allOf(facts));
      attempt.advance(this.#told.size); // an answer is progress
    }
  }

  further(): Iterator<Task> {
    return this.#tasks(this.#told);
  }
}

/** Tells whether the file is unchanged; one that is fetched isn't fetched by the listing's size. */
function timeOf({ plan, entry: { size } }: Doubtful, { modified }: FileFacts): Told | undefined {
  const facts = factsFor(plan, size, modified);
  return facts && { facts, known: undefined };
}

/** After a 4yz the file's own task asks again; a refusal is final. */
function allOf(facts: FileFacts): Told | undefined {
  return facts.failure === undefined ? { facts, known: "size and time" } : undefined;
}

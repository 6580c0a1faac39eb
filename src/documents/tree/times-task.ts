/**
 * Asks for the times of many files at once, where a listing can't tell whether they are unchanged.
 * The files' own tasks follow.
 */
import type { DocumentPlan, FileFacts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Plan } from "../../url/plan.ts";
import type { Attempt } from "../attempt.ts";
import type { Task } from "../task.ts";
import type { DirectoryTask } from "./directory-task.ts";
import { exactTime, factsFor, type TreeEntry } from "./tree-listing.ts";

/** How many files at most are asked about at once. */
const mostAsked = 100;

/** What is known of a file before its own task, which asks for the rest. */
export interface Told {
  readonly facts: FileFacts | undefined;
  readonly known: DocumentPlan["known"];
}

/** By name; undefined where the file's own task has to ask. */
export type ToldByName = ReadonlyMap<string, Told | undefined>;

export class TimesTask implements Task {
  readonly url: FtpUrl;
  readonly shownUrl: string;
  readonly #directory: DirectoryTask;
  readonly #entries: readonly TreeEntry[];
  readonly #tasks: (told: ToldByName) => Iterator<Task>;
  readonly #told = new Map<string, Told | undefined>();

  /** For files that may be unchanged; `tasks` makes theirs. */
  constructor(
    directory: DirectoryTask,
    entries: readonly TreeEntry[],
    tasks: (told: ToldByName) => Iterator<Task>,
  ) {
    this.url = directory.place.url;
    this.shownUrl = formatFtpUrl(this.url);
    this.#directory = directory;
    this.#entries = entries;
    this.#tasks = tasks;
  }

  /** A further try asks for what is missing. */
  async run(session: Session, attempt: Attempt): Promise<undefined> {
    // Where there is no MDTM, the size has to come from SIZE: it is all that tells. A list of checksums
    // may be newer than the listing.
    const trustsSizes = !this.#directory.tree.options.checksums.areListed;
    const known = trustsSizes && session.features.has("MDTM") ? "size" : undefined;
    const missing = this.#entries.filter(({ name }) => !this.#told.has(name));
    const answers = factsOf(session, this.#directory, missing, known, attempt.nextListing());
    for await (const [entry, facts, plan] of answers) {
      this.#told.set(entry.name, known === "size" ? timeOf(plan, entry, facts) : allOf(facts));
      attempt.advance(this.#told.size); // an answer is progress
    }
  }

  further(): Iterator<Task> {
    return this.#tasks(this.#told);
  }
}

/** Those that are asked about at once. */
export function* groupsOf(files: readonly TreeEntry[]): Generator<readonly TreeEntry[]> {
  for (let at = 0; at < files.length; at += mostAsked) yield files.slice(at, at + mostAsked);
}

/** Asks for the facts of files, but for what is known. */
export async function* factsOf(
  session: Session,
  directory: DirectoryTask,
  entries: readonly TreeEntry[],
  known: DocumentPlan["known"],
  coming?: Plan,
): AsyncGenerator<[TreeEntry, FileFacts, Plan]> {
  const plans = entries.map(({ name }) => ({ ...directory.planOf(name, "retrieve"), known }));
  let answered = 0;
  for await (const { facts } of session.locateAll(plans, coming))
    yield [entries[answered]!, facts, plans[answered++]!];
}

/** Tells whether the file is unchanged; one that is fetched isn't fetched by the listing's size. */
function timeOf(plan: Plan, entry: TreeEntry, { modified }: FileFacts): Told | undefined {
  const facts = factsFor(plan, entry.size, modified);
  return facts && { facts, known: undefined };
}

/** After a 4yz the file's own task asks again; a refusal is final. */
function allOf(facts: FileFacts): Told | undefined {
  return facts.failure === undefined ? { facts, known: "size and time" } : undefined;
}

export function toldByListing(plan: Plan, entry: TreeEntry): Told {
  const facts = factsFor(plan, entry.size, exactTime(entry));
  return { facts, known: facts && "size and time" };
}

/**
 * Asks for the times of many files at once, where a listing can't tell whether they are unchanged.
 * The files' own tasks follow.
 */
import type { DocumentPlan, Facts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Plan } from "../../url/plan.ts";
import type { Attempt } from "../attempt.ts";
import type { Task } from "../task.ts";
import type { DirectoryTask } from "./directory-task.ts";
import { exactTime, type TreeEntry } from "./tree-listing.ts";

/** The most files that are asked about at once. */
const mostAsked = 100;

/** Facts by name of file. */
export type Answers = ReadonlyMap<string, Facts>;

export class TimesTask implements Task {
  readonly document: Task["document"];
  readonly #directory: DirectoryTask;
  readonly #entries: readonly TreeEntry[];
  readonly #tasks: (answers: Answers) => Iterator<Task>;
  readonly #answers = new Map<string, Facts>();

  /** For files that may be unchanged; `tasks` makes theirs. */
  constructor(
    directory: DirectoryTask,
    entries: readonly TreeEntry[],
    tasks: (answers: Answers) => Iterator<Task>,
  ) {
    const { document } = directory;
    this.document = { ...document, planFor: () => document.plan };
    this.#directory = directory;
    this.#entries = entries;
    this.#tasks = tasks;
  }

  /** A further try asks for what is missing. */
  async run(session: Session, attempt: Attempt): Promise<undefined> {
    // Where there is no MDTM, the size has to come from SIZE: it is all that tells. A list of checksums
    // may be newer than the listing.
    const trustsSizes = !this.#directory.tree.options.checksums.areListed;
    const asks = trustsSizes && session.features.has("MDTM") ? "time" : undefined;
    const missing = this.#entries.filter(({ name }) => !this.#answers.has(name));
    const answers = factsOf(session, this.#directory, missing, asks, attempt.nextListing());
    for await (const [{ name }, facts] of answers) {
      this.#answers.set(name, facts);
      attempt.advance(this.#answers.size); // an answer is progress
    }
  }

  further(): Iterator<Task> {
    return this.#tasks(this.#answers);
  }
}

/** Groups of files that are asked about at once. */
export function* groupsOf(files: readonly TreeEntry[]): Generator<readonly TreeEntry[]> {
  for (let at = 0; at < files.length; at += mostAsked) yield files.slice(at, at + mostAsked);
}

/** Asks for facts of files. */
export async function* factsOf(
  session: Session,
  directory: DirectoryTask,
  entries: readonly TreeEntry[],
  asks: DocumentPlan["asks"],
  coming?: Plan,
): AsyncGenerator<[TreeEntry, Facts]> {
  const plans = entries.map(({ name }) => ({ ...directory.planOf(name, "retrieve"), asks }));
  let answered = 0;
  for await (const { facts } of session.locateAll(plans, coming))
    yield [entries[answered++]!, facts];
}

/**
 * Facts about a file from the listing, and from the server's `answer`: with a time they show whether the
 * file is unchanged, but none is fetched by the listed size alone, as it may be of another moment.
 */
export function factsOfEntry({ type }: Plan, entry: TreeEntry, answer?: Facts): Facts {
  const { size, modified, failure } = answer ?? exactFacts(entry);
  // As many octets are transferred as the file has in image type only.
  const isImage = type === "I";
  // After a 4yz the file's own task asks again.
  const isExact = failure === undefined && (isImage ? size : modified) !== undefined;
  const source = isExact ? "server" : "listing";
  return { size: isImage ? (size ?? entry.size) : undefined, modified, source };
}

/** Facts of a listing that serve in place of SIZE and MDTM: all or none. */
function exactFacts(entry: TreeEntry): Facts {
  const modified = exactTime(entry);
  const isExact = modified !== undefined && entry.size !== undefined;
  return isExact ? { size: entry.size, modified, source: "server" } : { source: "listing" };
}

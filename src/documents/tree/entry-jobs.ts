/** The jobs of a directory's entries, and where each one goes. */
import { join } from "node:path";
import { FtpullError, toFtpullError } from "../../errors.ts";
import { cannotWrite } from "../../files/file-error.ts";
import { ignoresCase } from "../../files/folder.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { QueuedJob } from "../job.ts";
import { failed } from "../result.ts";
import { AskedFacts, mostAsked, type Told, type ToldByName } from "./asked-facts.ts";
import { CaseTwins, LocalNames } from "./local-names.ts";
import { type EntryRecord, factsFor } from "./record.ts";
import type { TreeSettings } from "./tree.ts";
import {
  isFetchable,
  isFile,
  type Listed,
  unfetchable,
  type Wanted,
  type WantedEntries,
} from "./wanted-entries.ts";

export class NoMatch extends FtpullError {}

export class EntryJobs {
  readonly #directory: Listed;
  readonly #settings: TreeSettings;
  readonly #entries: WantedEntries;
  #names: LocalNames;
  /** What the paths of its entries begin with. */
  readonly #inside: string;
  #hasMatch = false;
  /** Whether there are other entries than files. */
  #hasOthers = false;

  constructor(directory: Listed, entries: WantedEntries, settings: TreeSettings) {
    this.#directory = directory;
    this.#entries = entries;
    this.#settings = settings;
    this.#names = new LocalNames(settings.localName, false);
    this.#inside = join(directory.path, "x").slice(0, -1);
  }

  /** Called before the first job is taken. */
  noteAll(): void {
    const twins = new CaseTwins();
    for (const name of this.#fetchedNames()) {
      this.#names.note(name);
      twins.note(this.#settings.localName(name));
    }
    if (!twins.areThere || !ignoresCase(this.#directory.path)) return;
    this.#names = new LocalNames(this.#settings.localName, true);
    for (const name of this.#fetchedNames()) this.#names.note(name);
  }

  *#fetchedNames(): Generator<string> {
    const isFetched = this.#settings.inventory === undefined;
    for (const record of this.#directory.records()) {
      this.#hasOthers ||= !isFile(record);
      if (record.type === "unread" || !this.#entries.isMatched(record.name)) continue;
      this.#hasMatch = true;
      if (isFetched && isFetchable(record) && this.#entries.wanted(record) !== undefined)
        yield record.name;
    }
  }

  /** @throws NoMatch */
  checkMatch(): void {
    const { glob } = this.#directory;
    if (glob === undefined || this.#hasMatch) return;
    throw new NoMatch("refused", "no name matches the pattern");
  }

  /** Files come first, and what may be a directory afterwards. Failures are reported. */
  *all(): Generator<QueuedJob> {
    if (this.#settings.inventory === undefined) yield* this.#files();
    if (!this.#hasOthers) return;
    for (const entry of this.#directory.records()) if (!isFile(entry)) yield* this.#jobsOf([entry]);
  }

  *#files(): Generator<QueuedJob> {
    for (const entry of this.#directory.records())
      if (isFetchable(entry) && this.#entries.wanted(entry) !== undefined)
        this.#settings.count.found(entry);
    let group: EntryRecord[] = [];
    for (const entry of this.#directory.records())
      if (isFile(entry) && group.push(entry) === mostAsked) {
        yield* this.#jobsOf(group);
        group = [];
      }
    yield* this.#jobsOf(group);
  }

  /** Entries of which some may be unchanged follow from a job that asks for their facts. */
  *#jobsOf(entries: readonly EntryRecord[]): Generator<QueuedJob> {
    const doubtful = entries.filter((entry) => this.#mayBeUnchanged(entry));
    if (doubtful.length > 0) return yield this.#factsJobOf(doubtful, entries);
    for (const entry of entries) {
      const job = this.#jobOf(entry);
      if (job !== undefined) yield job;
    }
  }

  /** Whether a listing without exact times leaves open if the local file is the same. */
  #mayBeUnchanged(entry: EntryRecord): boolean {
    const { type, name, size, modified } = entry;
    if (type !== "file" || size === undefined || modified !== undefined) return false;
    if (!isFetchable(entry) || this.#entries.wanted(entry) === undefined) return false;
    return this.#settings.mayBeUnchanged(this.#localPath(name), size);
  }

  #factsJobOf(doubtful: readonly EntryRecord[], entries: readonly EntryRecord[]): QueuedJob {
    const { url, path, cwds } = this.#directory;
    const { planFor, jobFor } = this.#settings;
    const files = doubtful.map((entry) => ({
      entry,
      plan: planFor(cwds, entry.name, "retrieve"),
    }));
    const asked = new AskedFacts(files, !this.#settings.verifies, (told) =>
      this.#jobsKnowing(told, entries),
    );
    this.#directory.enter();
    // Without a file: the jobs of one directory needn't wait for each other.
    return { ...jobFor(url, planFor(cwds, "", "list"), path, asked), file: undefined };
  }

  *#jobsKnowing(told: ToldByName, entries: readonly EntryRecord[]): Generator<QueuedJob> {
    for (const entry of entries) {
      const job = this.#jobOf(entry, told.get(entry.name));
      if (job !== undefined) yield job;
    }
    this.#directory.leave();
  }

  #localPath(name: string): string {
    return this.#inside + this.#settings.localName(name);
  }

  #jobOf(entry: EntryRecord, told?: Told): QueuedJob | undefined {
    const wanted = this.#entries.wanted(entry);
    if (wanted === undefined) return undefined;
    const url = this.#entries.urlOf(entry.name, wanted);
    try {
      const path = this.#pathOf(entry, url);
      const job =
        entry.type === "file"
          ? this.#jobOfFile(entry, url, path, told)
          : this.#jobOfDirectory(entry, url, path, wanted);
      if (job === undefined) this.#settings.count.ended(entry);
      return job;
    } catch (error) {
      if (isFetchable(entry)) this.#settings.count.ended(entry);
      void this.#settings.report(failed(formatFtpUrl(url), toFtpullError(error)));
      return undefined;
    }
  }

  /** @throws FtpullError "protocol" for a name that can't be fetched, "file" for a second source */
  #pathOf(entry: EntryRecord, url: FtpUrl): string {
    const { type, name } = entry;
    const error = unfetchable(entry);
    if (error !== undefined) throw error;
    const path = this.#localPath(name);
    if (!this.#settings.hasOwnNames) return path;
    const owner = this.#names.ownerOf(name);
    if (owner !== name)
      throw sameName(path, formatFtpUrl(this.#entries.urlOf(owner, { isFile: true })));
    const other = type === "directory" ? undefined : this.#settings.ownerOf(path, url);
    if (other !== undefined) throw sameName(path, other);
    return path;
  }

  /** What a link or a bare name is shows when it is asked for; as a file, by its size. */
  #jobOfDirectory(
    entry: EntryRecord,
    url: FtpUrl,
    path: string,
    wanted: Wanted,
  ): QueuedJob | undefined {
    const { planFor, jobFor } = this.#settings;
    const action = entry.type === "directory" ? "list" : "retrieve-or-list";
    const plan = planFor(this.#directory.cwds, entry.name, action);
    const inside = wanted.isFile ? { ...url, segments: [...url.segments, ""] } : url;
    const directory = this.#directory.below(inside, path, entry, wanted);
    const asked = wanted.isFile ? plan : ({ ...plan, type: "I", conversion: "none" } as const);
    return directory && jobFor(url, action === "list" ? plan : asked, path, directory);
  }

  #jobOfFile(entry: EntryRecord, url: FtpUrl, path: string, told?: Told): QueuedJob {
    const { planFor, jobFor, count } = this.#settings;
    const directory = this.#directory;
    const plan = planFor(directory.cwds, entry.name, "retrieve");
    const facts = told === undefined ? factsFor(plan, entry) : told.facts;
    directory.enter();
    const end = (): undefined => {
      count.ended(entry);
      directory.leave();
    };
    const listedSize = plan.type === "I" ? entry.size : undefined;
    const known = told === undefined ? facts && "size and time" : told.known;
    return jobFor(url, { ...plan, known }, path, { facts, listedSize, end });
  }
}

/** Two sources give one local name: the second one fails. */
export function sameName(path: string, other: string): FtpullError {
  return cannotWrite(path, `${other} has the same local name`);
}

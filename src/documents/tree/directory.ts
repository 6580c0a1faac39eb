/** A directory of a tree, from its own job until the last job of its entries has ended. */
import { resolve } from "node:path";
import { FtpullError } from "../../errors.ts";
import { ignoresCase, makeFolderInside, setFolderTime } from "../../files/folder.ts";
import type { Session } from "../../ftp/session.ts";
import type { Glob } from "../../text/glob.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Plan } from "../../url/plan.ts";
import type { AttemptState } from "../attempt-state.ts";
import type { Branch, Job, QueuedJob } from "../job.ts";
import { printEntries } from "../spider/print-entries.ts";
import { type Entries, recordsOf } from "./entries.ts";
import { EntryJobs } from "./entry-jobs.ts";
import type { EntryRecord, Recorder } from "./record.ts";
import type { Tree } from "./tree.ts";
import { type Listed, type Wanted, WantedEntries } from "./wanted-entries.ts";

/** A link may lead in a circle that PWD doesn't show. */
const mostLevels = 100;

/** Two links that look like directories would go through these levels in 2^100 ways. */
const mostEqual = 4;

interface Place {
  readonly url: FtpUrl;
  /** Where its files go. */
  readonly path: string;
  /** Its path from the tree's top on, as text; "" is the top. */
  readonly label: string;
  /** From 1. */
  readonly level: number;
  /** Whether it is the tree's top or a link, which PWD may show to lead to a known directory. */
  readonly isAlias: boolean;
  /** What the listing above says of it; undefined for the tree's top. */
  readonly entry?: EntryRecord | undefined;
  /** What a link is wanted as; undefined for the tree's top. */
  readonly wanted?: Wanted;
  /** The pattern for the names of its entries. */
  readonly glob?: (Glob & { readonly text: string }) | undefined;
}

export class Directory implements Branch, Listed {
  readonly #tree: Tree;
  readonly #place: Place;
  readonly #parent: Directory | undefined;
  /** What came of its last listing. */
  #entries: Entries | undefined;
  #cwds: readonly string[] = [];
  /** What PWD calls it, if that is known. */
  #serverName: string | undefined;
  /** Equal for equal listings. */
  #digest: string | undefined;
  #jobs: EntryJobs | undefined;
  /** Its own job, and those of its entries that haven't ended. */
  #pending = 1;

  constructor(tree: Tree, place: Place, parent?: Directory) {
    this.#tree = tree;
    this.#place = place;
    this.#parent = parent;
  }

  get url(): FtpUrl {
    return this.#place.url;
  }

  get glob(): Place["glob"] {
    return this.#place.glob;
  }

  get path(): string {
    return this.#place.path;
  }

  get label(): string {
    return this.#place.label;
  }

  get isLink(): boolean {
    return this.#place.isAlias && this.#parent !== undefined;
  }

  get leavesFilesOut(): boolean {
    return this.isLink && this.#place.wanted?.isFile === false;
  }

  get cwds(): readonly string[] {
    return this.#cwds;
  }

  /** Lists it, unless it was listed before or is too deep. @throws as `fetchListing` does */
  async list(session: Session, plan: Plan, job: Job, state: AttemptState): Promise<void> {
    const tree = this.#tree;
    if (this.#parent === undefined) tree.begin();
    this.#close();
    this.#cwds = plan.name === "" ? plan.cwds : [...plan.cwds, plan.name];
    if (this.#place.wanted?.isDirectory === false) return;
    if (this.#place.level > mostLevels) throw tooDeep();
    if (this.#place.level > tree.settings.levels) return tree.cutOff(job.shownUrl);
    this.#serverName = await this.#askName(session);
    if (this.#isKnown(this.#serverName)) return;
    const own = { ...plan, cwds: this.#cwds, name: "", action: "list", type: undefined } as const;
    const entries = await tree.lister.list(session, own, job, state);
    this.#entries = entries;
    const { recorder, failure } = entries;
    if (recorder !== undefined && !(recorder.isEmpty && failure !== undefined)) {
      if (this.#isKnown(recorder.identity) || this.#isCircle(recorder)) return this.#close();
      this.#begin();
      // The lines of a try that is repeated would be printed twice.
      if (failure?.transient !== true) await this.#print();
    }
    // What came of a broken listing is fetched all the same.
    if (failure !== undefined) throw failure;
    this.#jobs?.checkMatch();
  }

  *records(): Generator<EntryRecord> {
    if (this.#entries !== undefined) yield* recordsOf(this.#entries);
  }

  /** Its own job has ended: the jobs of its entries follow. */
  end(): Iterator<QueuedJob> | undefined {
    const jobs = this.#jobs;
    this.#tree.settings.count.ended(this.#place.entry ?? { type: "directory", size: undefined });
    if (jobs === undefined) this.leave();
    return jobs && this.#all(jobs);
  }

  enter(): void {
    this.#pending++;
  }

  leave(): void {
    // The last job ends the directory, too.
    if (--this.#pending > 0) return;
    const isMade = this.#jobs !== undefined && this.#tree.settings.inventory === undefined;
    if (isMade) this.#setTime();
    if (this.#parent === undefined) this.#tree.end();
    else this.#parent.leave();
  }

  below(url: FtpUrl, path: string, entry: EntryRecord, wanted: Wanted): Directory | undefined {
    const isAlias = entry.type !== "directory";
    const level = this.#place.level + 1;
    // What a link leads to may be a file.
    if (!isAlias && level > this.#tree.settings.levels) {
      this.#tree.cutOff(formatFtpUrl(url));
      return undefined;
    }
    this.enter();
    const label = this.labelOf(entry.name);
    return new Directory(this.#tree, { url, path, label, level, isAlias, entry, wanted }, this);
  }

  labelOf(name: string): string {
    const { label } = this.#place;
    const text = this.#tree.settings.decode(name);
    return label === "" ? text : `${label}/${text}`;
  }

  *#all(jobs: EntryJobs): Generator<QueuedJob> {
    yield* jobs.all();
    this.#entries?.spool.close();
    this.leave();
  }

  #begin(): void {
    const { path } = this.#place;
    const { settings } = this.#tree;
    if (this.#parent === undefined) settings.listed();
    if (settings.inventory === undefined) makeFolderInside(path, settings.top);
    const entries = new WantedEntries(this, settings);
    this.#jobs = new EntryJobs(this, entries, settings, ignoresCase(path));
    this.#jobs.noteAll();
  }

  /** --spider's lines. */
  async #print(): Promise<void> {
    const { settings } = this.#tree;
    const { inventory } = settings;
    const entries = new WantedEntries(this, settings);
    await inventory?.queue.take(() => printEntries(this, entries, settings, inventory));
  }

  /** Drops what an earlier try has listed. */
  #close(): void {
    this.#entries?.spool.close();
    this.#jobs = undefined;
  }

  /** PWD is asked where links lead; below, the names follow. */
  async #askName(session: Session): Promise<string | undefined> {
    if (this.#place.isAlias) return session.enterByName(this.#cwds);
    const above = this.#parent === undefined ? undefined : this.#parent.#serverName;
    return above && `${above.replace(/\/$/, "")}/${this.#cwds.at(-1)}`;
  }

  /** Whether a link leads to a directory that was listed, or back to one above: a copy stays. */
  #isKnown(name: string | undefined): boolean {
    if (name === undefined) return false;
    const own = formatFtpUrl(this.url);
    const first = this.#tree.visit(name, own);
    if (first === own || !(this.#place.isAlias || this.#isAbove(name))) return false;
    return this.#leadsTo(first);
  }

  #leadsTo(first: string): true {
    const words = `it leads to ${first}, which is fetched already`;
    this.#tree.settings.observer.info(`${formatFtpUrl(this.url)}: ${words}`);
    return true;
  }

  #isAbove(name: string): boolean {
    for (const above of this.#above())
      if (name === above.#serverName || name === above.#entries?.recorder?.identity) return true;
    return false;
  }

  *#above(): Generator<Directory> {
    for (let above = this.#parent; above !== undefined; above = above.#parent) yield above;
  }

  /**
   * Whether the listing is that of a directory above, which PWD and types don't show for some links.
   * @throws FtpullError "protocol" where it might be another directory's
   */
  #isCircle({ digest, isUnique, entries }: Recorder): boolean {
    this.#digest = digest;
    let isThroughLink = this.#place.isAlias;
    let equal = 0;
    for (const above of this.#above()) {
      if (above.#digest === digest) {
        if (isUnique) return this.#leadsTo(formatFtpUrl(above.url));
        if (isThroughLink || (++equal === mostEqual && entries > 1)) throw inCircle(above.url);
      }
      isThroughLink ||= above.#place.isAlias;
    }
    return false;
  }

  /** Not of the directory that the user chose. */
  #setTime(): void {
    const { path, isAlias } = this.#place;
    const { keepsTime, top, observer } = this.#tree.settings;
    const modified =
      this.#entries?.recorder?.modified ?? (isAlias ? undefined : this.#place.entry?.modified);
    if (!keepsTime || modified === undefined || resolve(path) === resolve(top)) return;
    try {
      setFolderTime(path, modified);
    } catch (error) {
      observer.warning((error as FtpullError).message);
    }
  }
}

function inCircle(url: FtpUrl): FtpullError {
  const words = `a link leads in a circle: the listing is that of ${formatFtpUrl(url)}`;
  return new FtpullError("protocol", `cannot fetch the directory: ${words}`);
}

function tooDeep(): FtpullError {
  const words = `it is more than ${mostLevels} levels deep: a link may lead in a circle`;
  return new FtpullError("protocol", `cannot list the directory: ${words}`);
}

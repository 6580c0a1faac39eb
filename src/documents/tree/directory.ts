/** A directory of a tree, from its own job until the last job of its entries has ended. */
import { resolve } from "node:path";
import { FtpullError } from "../../errors.ts";
import { cannotWrite } from "../../files/file-error.ts";
import { makeFolderInside, setFolderTime } from "../../files/folder.ts";
import type { Session } from "../../ftp/session.ts";
import type { Glob } from "../../text/glob.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Plan } from "../../url/plan.ts";
import type { Branch, Job, ListingContext, QueuedJob } from "../job.ts";
import { askTimes, printEntries } from "../spider/print-entries.ts";
import { type Entries, recordsOf } from "./lister.ts";
import { EntryJobs } from "./entry-jobs.ts";
import { Identity } from "./identity.ts";
import type { EntryRecord } from "./record.ts";
import type { Tree } from "./tree.ts";
import { type Listed, type Wanted, WantedEntries } from "./wanted-entries.ts";

/** A link may lead in a circle that PWD doesn't show. */
const mostLevels = 100;

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
  readonly #identity: Identity;
  readonly #wanted: WantedEntries;
  #cwds: readonly string[] = [];
  #jobs: EntryJobs | undefined;
  /** Its own job, and those of its entries that haven't ended. */
  #pending = 1;

  constructor(tree: Tree, place: Place, parent?: Directory) {
    this.#tree = tree;
    this.#place = place;
    this.#parent = parent;
    this.#wanted = new WantedEntries(this, tree.settings);
    const above = parent === undefined ? undefined : parent.#identity;
    this.#identity = new Identity(tree, formatFtpUrl(place.url), place.isAlias, above);
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

  /** A bare name, as of NLST, is a file's as well: if it is refused, something is missing. */
  get isLink(): boolean {
    const { type, size, shownTime } = this.#place.entry ?? {};
    const isBare = type === "unknown" && size === undefined && shownTime === undefined;
    return this.#isBelow && !isBare;
  }

  get leavesFilesOut(): boolean {
    return this.#isBelow && this.#place.wanted?.isFile === false;
  }

  /** Whether it is an entry that may turn out to be a file. */
  get #isBelow(): boolean {
    return this.#place.isAlias && this.#parent !== undefined;
  }

  get cwds(): readonly string[] {
    return this.#cwds;
  }

  /** Lists it, unless it was listed before or is too deep. @throws as `fetchListing` does */
  async list(session: Session, plan: Plan, job: Job, { state }: ListingContext): Promise<void> {
    const tree = this.#tree;
    if (this.#parent === undefined) tree.begin();
    this.#close();
    this.#cwds = plan.name === "" ? plan.cwds : [...plan.cwds, plan.name];
    if (this.#place.wanted?.isDirectory === false) return;
    if (this.#place.level > mostLevels) throw tooDeep();
    if (this.#place.level > tree.settings.levels) return tree.cutOff(job.shownUrl);
    if (await this.#identity.hasKnownName(session, this.#cwds)) return;
    const own = { ...plan, cwds: this.#cwds, name: "", action: "list", type: undefined } as const;
    const entries = await tree.lister.list(session, own, job, state);
    this.#entries = entries;
    const { recorder, failure } = entries;
    if (recorder !== undefined && !(recorder.isEmpty && failure !== undefined)) {
      if (this.#identity.hasKnownListing(recorder)) return this.#close();
      this.#begin();
      // The lines of a try that is repeated would be printed twice.
      if (failure?.transient !== true) await this.#print(session);
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
    const { settings } = this.#tree;
    if (this.#parent === undefined) settings.listed();
    if (settings.inventory === undefined) this.#makeFolder();
    this.#jobs = new EntryJobs(this, this.#wanted, settings);
    this.#jobs.noteAll();
  }

  #makeFolder(): void {
    const { path } = this.#place;
    const { top, placeOf } = this.#tree.settings;
    makeFolderInside(path, top);
    const other = placeOf(path);
    if (other !== undefined)
      throw cannotWrite(path, `a symbolic link leads to "${other}", where another directory goes`);
  }

  /** --spider's lines. */
  async #print(session: Session): Promise<void> {
    const { settings } = this.#tree;
    const { inventory } = settings;
    const wanted = this.#wanted;
    if (inventory === undefined) return;
    const times = await askTimes(session, this, wanted, settings);
    await inventory.queue.take(() => printEntries(this, wanted, settings, inventory, times));
  }

  /** Drops what an earlier try has listed. */
  #close(): void {
    this.#entries?.spool.close();
    this.#jobs = undefined;
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

function tooDeep(): FtpullError {
  const words = `it is more than ${mostLevels} levels deep: a link may lead in a circle`;
  return new FtpullError("protocol", `cannot list the directory: ${words}`);
}

/** A directory of a tree, from its own job until the last job of its entries has ended. */
import { dirname } from "node:path";
import { FtpullError } from "../../errors.ts";
import { checkInside, ignoresCase, makeFolder, setFolderTime } from "../../files/folder.ts";
import { Spool } from "../../files/output/spool.ts";
import type { Session } from "../../ftp/session.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";
import type { Glob } from "../../text/glob.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Plan } from "../../url/plan.ts";
import type { AttemptState } from "../attempt-state.ts";
import type { Branch, Job, QueuedJob } from "../job.ts";
import { fetchListing } from "../list.ts";
import { SerialQueue } from "../queue/serial-queue.ts";
import { EntryJobs, type Listed } from "./entry-jobs.ts";
import { type EntryRecord, parseRecord, recorder } from "./record.ts";
import type { Tree } from "./tree.ts";

/** A link may lead in a circle that PWD doesn't show. */
const mostLevels = 100;

interface Place {
  readonly url: FtpUrl;
  /** Where its files go. */
  readonly path: string;
  /** From 1. */
  readonly level: number;
  /** Whether it is the tree's top or a link, which PWD may show to lead to a known directory. */
  readonly isAlias: boolean;
  readonly modified: Date | undefined;
  /** The pattern for the names of its entries. */
  readonly glob?: (Glob & { readonly text: string }) | undefined;
}

export class Directory implements Branch, Listed {
  readonly #tree: Tree;
  readonly #place: Place;
  readonly #parent: Directory | undefined;
  readonly #entries = new Spool();
  #cwds: readonly string[] = [];
  /** What PWD calls it, if that is known. */
  #serverName: string | undefined;
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

  get isLink(): boolean {
    return this.#place.isAlias && this.#parent !== undefined;
  }

  get cwds(): readonly string[] {
    return this.#cwds;
  }

  /** Lists it, unless it was listed before or is too deep. @throws as `fetchListing` does */
  async list(session: Session, plan: Plan, job: Job, state: AttemptState): Promise<void> {
    this.#cwds = plan.name === "" ? plan.cwds : [...plan.cwds, plan.name];
    if (this.#place.level > mostLevels) throw tooDeep();
    if (this.#place.level > this.#tree.settings.levels) return this.#tree.cutOff(job.shownUrl);
    if (!(await this.#visit(session)))
      return this.#tree.settings.observer.info(
        `${job.shownUrl}: it leads to ${this.#serverName}, which is fetched already`,
      );
    this.#makeFolder();
    const listing = {
      isRaw: false,
      destination: this.#entries,
      formatterFor: (_url: FtpUrl, _plan: Plan, command: ListingCommand) => recorder(command),
      queue: new SerialQueue(),
      lastShown: undefined,
    };
    const own = { ...plan, cwds: this.#cwds, name: "", action: "list", type: undefined } as const;
    await fetchListing(session, own, { ...job, listing }, state);
    this.#jobs = new EntryJobs(this, this.#tree.settings, ignoresCase(this.#place.path));
    this.#jobs.noteAll();
  }

  *records(): Generator<EntryRecord> {
    for (const line of this.#entries.lines()) yield parseRecord(line);
  }

  /** Its own job has ended: the jobs of its entries follow. */
  end(): Iterator<QueuedJob> | undefined {
    const jobs = this.#jobs;
    if (jobs === undefined) this.leave();
    return jobs && this.#all(jobs);
  }

  enter(): void {
    this.#pending++;
  }

  leave(): void {
    // The last job ends the directory, too.
    if (--this.#pending > 0) return;
    const { path, modified } = this.#place;
    const { keepsTime } = this.#tree.settings;
    if (this.#jobs !== undefined && keepsTime && modified !== undefined)
      setFolderTime(path, modified);
    if (this.#parent === undefined) this.#tree.end();
    else this.#parent.leave();
  }

  below(url: FtpUrl, path: string, { type, modified }: EntryRecord): Directory | undefined {
    const isAlias = type !== "directory";
    const level = this.#place.level + 1;
    // What a link leads to may be a file.
    if (!isAlias && level > this.#tree.settings.levels) {
      this.#tree.cutOff(formatFtpUrl(url));
      return undefined;
    }
    this.enter();
    return new Directory(this.#tree, { url, path, level, isAlias, modified }, this);
  }

  *#all(jobs: EntryJobs): Generator<QueuedJob> {
    yield* jobs.all();
    this.#entries.close();
    this.leave();
  }

  /** Whether it wasn't listed before. Only links are left out, so that a copy stays where it is. */
  async #visit(session: Session): Promise<boolean> {
    const above = this.#parent === undefined ? undefined : this.#parent.#serverName;
    if (this.#place.isAlias) this.#serverName = await session.enterByName(this.#cwds);
    else if (above !== undefined)
      this.#serverName = `${above.replace(/\/$/, "")}/${this.#cwds.at(-1)}`;
    const isNew = this.#serverName === undefined || this.#tree.visit(this.#serverName);
    return isNew || !this.#place.isAlias;
  }

  #makeFolder(): void {
    const { path } = this.#place;
    const { top } = this.#tree.settings;
    makeFolder(top);
    makeFolder(dirname(path));
    checkInside(path, top);
    makeFolder(path);
  }
}

function tooDeep(): FtpullError {
  const words = `it is more than ${mostLevels} levels deep: a link may lead in a circle`;
  return new FtpullError("protocol", `cannot list the directory: ${words}`);
}

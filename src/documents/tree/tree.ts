/**
 * What the directories of one tree have in common, and what is said of the whole at its end. The
 * walk is in directory.ts and entry-jobs.ts.
 */
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Action, Plan } from "../../url/plan.ts";
import type { Observer } from "../events.ts";
import type { Branch, QueuedJob } from "../job.ts";
import type { Report } from "../result.ts";
import type { Inventory } from "../spider/inventory.ts";
import type { TreeCounter } from "./counter.ts";
import { Lister } from "./lister.ts";
import type { Selection } from "./selection.ts";

export interface TreeSettings {
  /** How many levels of directories are listed, from 1; Infinity is no limit. */
  readonly levels: number;
  /** Why directories below the last level are left out, and what brings them. */
  readonly cutOffBy: string;
  readonly selection: Selection;
  /** The directory that the user chose: nothing is written outside of it. */
  readonly top: string;
  /** Whether directories get their times. */
  readonly keepsTime: boolean;
  readonly count: TreeCounter;
  /** What --spider prints in place of fetching. */
  readonly inventory: Inventory | undefined;
  /** Whether --newer-than or --older-than is given. */
  readonly choosesByTime: boolean;
  /** Whether they permit a file of this time. */
  readonly hasTime: (modified: Date | undefined) => boolean;
  readonly observer: Observer;
  /** Called when the top was listed. */
  readonly listed: () => void;
  readonly report: Report;
  /** Octets of a name to text. */
  readonly decode: (octets: string) => string;
  /** Whether a file with this path and size is here and would stay, if its time is the same. */
  readonly mayBeUnchanged: (path: string, size: number) => boolean;
  /** Whether files have to have checksums. */
  readonly verifies: boolean;
  readonly localName: (octets: string) => string;
  readonly planFor: (cwds: readonly string[], name: string, action: Action) => Plan;
  readonly jobFor: (url: FtpUrl, plan: Plan, path: string, branch: Branch) => QueuedJob;
  /** Whether each document has a local name of its own: neither a number is added, nor is there -O. */
  readonly hasOwnNames: boolean;
  /** Notes the URL that a file comes from; gives the one that had its path before. */
  readonly ownerOf: (path: string, url: FtpUrl) => string | undefined;
  /** Notes a directory that was made; gives the path of another one that is the same by local links. */
  readonly placeOf: (path: string) => string | undefined;
}

export class Tree {
  readonly settings: TreeSettings;
  readonly lister: Lister;
  /** The URLs of directories that are or were listed, by what PWD or MLSD calls them. */
  readonly #visited = new Map<string, string>();
  /** Whether PWD tells directories apart. */
  hasNames = false;
  #hasBegun = false;
  #cutOff = 0;
  #firstCutOff: string | undefined;

  constructor(settings: TreeSettings) {
    this.settings = settings;
    this.lister = new Lister((text) => settings.observer.warning(text));
  }

  /** Called for each try to list its top. */
  begin(): void {
    const { count, inventory, observer } = this.settings;
    if (!this.#hasBegun && inventory === undefined) observer.tree(count);
    this.#hasBegun = true;
  }

  /** Notes that a directory is listed; gives its first URL, which in a further try is the same. */
  visit(name: string, shownUrl: string): string {
    const first = this.#visited.get(name) ?? shownUrl;
    this.#visited.set(name, first);
    return first;
  }

  /** Notes a directory that is below the last level. */
  cutOff(shownUrl: string): void {
    this.#cutOff++;
    this.#firstCutOff ??= shownUrl;
  }

  /** Called when all its jobs have ended. */
  end(): void {
    const { count, cutOffBy, observer } = this.settings;
    count.hasEnded = true;
    if (this.#firstCutOff === undefined) return;
    const others = this.#cutOff - 1;
    const more = others === 0 ? "" : ` and ${others} more`;
    observer.warning(`${this.#firstCutOff}${more}: left out: ${cutOffBy}`);
  }
}

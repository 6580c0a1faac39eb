/** State that the tasks of a tree share, and messages about the whole tree at its end. */
import { FtpullError } from "../../errors.ts";
import { leadsSomewhere } from "../../files/tree-link.ts";
import { failed } from "../result.ts";
import type { Task } from "../task.ts";
import { Circles } from "./circles.ts";
import type { Directory, TreeOptions } from "./directory.ts";
import type { GoneFiles } from "./gone-files.ts";
import { Lister } from "./lister.ts";
import { hintAtTrees } from "./selection.ts";
import type { TreeCount } from "./tree-count.ts";

export type Links = "keep" | "follow" | "skip";

export class Tree {
  readonly options: TreeOptions;
  readonly lister = new Lister();
  readonly circles = new Circles();
  readonly count: TreeCount;
  /** "follow" once the file system has no links. */
  links: Links;
  /**
   * True if the last of several patterns has matched a name, or may match one that isn't listed; `hasFileMatch`
   * is for a name that isn't a directory's.
   */
  hasMatch = false;
  hasFileMatch = false;
  readonly gone: GoneFiles | undefined;
  /** Local links by URL whose targets had yet to be fetched when the links were made. */
  readonly early = new Map<string, string>();
  #hasBegun = false;
  #cutOff = 0;
  #firstCutOff: string | undefined;

  constructor(options: TreeOptions, count: TreeCount, links: Links, gone: GoneFiles | undefined) {
    this.options = options;
    this.links = links;
    this.gone = gone;
    this.count = count;
  }

  begin(): void {
    const { inventory, observer } = this.options;
    if (!this.#hasBegun && inventory === undefined) observer.tree(this.count);
    this.#hasBegun = true;
  }

  cutOff(directory: Directory, shownUrl: string): void {
    directory.cut = this.options.selection.cutOffBy;
    this.options.cutOff.directories++;
    this.#cutOff++;
    this.#firstCutOff ??= shownUrl;
  }

  end(): void {
    this.count.hasEnded = true;
    const { observer } = this.options;
    for (const [url, path] of this.early)
      if (!leadsSomewhere(path)) observer.warning(`${url}: what the link leads to was not fetched`);
    if (this.#firstCutOff === undefined) return;
    const others = this.#cutOff - 1;
    const more = others === 0 ? "" : ` and ${others} more`;
    this.#sayCutOff(`${this.#firstCutOff}${more}`);
  }

  #sayCutOff(directories: string): void {
    const { selection, observer, inventory, report } = this.options;
    const words = `${directories}: left out: ${selection.cutOffBy}`;
    const yieldsNothing = !selection.fetchesDirectories && !this.hasFileMatch;
    if (yieldsNothing && inventory === undefined)
      void report(failed(this.count.url, onlyDirectories(directories)));
    else if (selection.hasDefaultLevels) observer.warnAlways(words);
    else observer.warning(words);
  }
}

function onlyDirectories(shown: string): FtpullError {
  const words = `the pattern matches only directories: ${shown}`;
  return new FtpullError("refused", words, { hint: hintAtTrees });
}

/** A directory for which a name may stand that may also be a file's, and the task that lists the directory. */
export interface Below {
  readonly tree: Tree;
  readonly directory: Directory;
  readonly task: Task;
}

/** State that the tasks of a tree share, and messages about the whole tree at its end. */
import { FtpullError } from "../../errors.ts";
import { leadsSomewhere } from "../../files/tree-link.ts";
import type { Decode } from "../../text/encoding.ts";
import type { Observer } from "../events.ts";
import type { FileRules } from "../file/download.ts";
import { failed, type Report } from "../result.ts";
import type { Inventory } from "../spider/inventory.ts";
import type { Checksums } from "../verify/checksums.ts";
import type { FileSources } from "./file-sources.ts";
import { Lister } from "./lister.ts";
import { hintAtTrees, type Selection } from "./selection.ts";
import type { TreeCount } from "./tree-count.ts";

/** Options of a tree. `pathname` is that of the top on the server, as --exclude-directories names it. */
export interface TreeOptions {
  readonly selection: Selection;
  readonly rules: FileRules;
  readonly sources: FileSources;
  readonly checksums: Checksums;
  readonly observer: Observer;
  readonly report: Report;
  readonly inventory: Inventory | undefined;
  readonly decode: Decode;
  readonly pathname: string;
}

export type Links = "keep" | "follow" | "skip";

export class Tree {
  readonly options: TreeOptions;
  readonly count: TreeCount;
  readonly lister = new Lister();
  /** True once directories were so deep that a link may lead in a circle. */
  isSuspicious = false;
  /** "follow" once the file system has no links. */
  links: Links;
  /** True if the last of several patterns has matched a name, or may match one that isn't listed. */
  hasMatch = false;
  hasFileMatch = false;
  /** Local links, by the URLs of the server's. */
  readonly localLinks = new Map<string, string>();
  #hasBegun = false;
  #cutOff = 0;
  #firstCutOff: string | undefined;

  constructor(options: TreeOptions, count: TreeCount, links: Links) {
    this.options = options;
    this.count = count;
    this.links = links;
  }

  begin(): void {
    const { inventory, observer } = this.options;
    if (!this.#hasBegun && inventory === undefined) observer.tree(this.count);
    this.#hasBegun = true;
  }

  leftOutAsCircle(shownUrl: string): void {
    this.options.observer.info(`${shownUrl}: left out: it leads back to a directory above it`);
  }

  cutOff(shownUrl: string): void {
    this.#cutOff++;
    this.#firstCutOff ??= shownUrl;
  }

  end(): void {
    this.count.hasEnded = true;
    for (const [url, path] of this.localLinks)
      if (!leadsSomewhere(path))
        this.options.observer.warning(`${url}: nothing is here where the link leads to`);
    if (this.#firstCutOff !== undefined) this.#sayCutOff(this.#firstCutOff);
  }

  #sayCutOff(first: string): void {
    const { selection, observer, inventory, report } = this.options;
    const shown = this.#cutOff === 1 ? first : `${first} and ${this.#cutOff - 1} more`;
    const yieldsNothing = !selection.fetchesDirectories && !this.hasFileMatch;
    if (yieldsNothing && inventory === undefined) {
      const words = `the pattern matches only directories: ${shown}`;
      const error = new FtpullError("refused", words, { hint: hintAtTrees });
      return void report(failed(this.count.url, error));
    }
    const words = `${shown}: left out: ${selection.cutOffBy}`;
    if (selection.hasDefaultLevels) observer.warnAlways(words);
    else observer.warning(words);
  }
}

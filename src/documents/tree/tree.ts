/** State that the tasks of a tree share, and messages about the whole tree at its end. */
import { existsSync } from "node:fs";
import type { Decode } from "../../text/encoding.ts";
import type { Observer } from "../events.ts";
import type { FileRules } from "../file/download.ts";
import type { Report } from "../result.ts";
import type { Inventory } from "../spider/inventory.ts";
import type { Checksums } from "../verify/checksums.ts";
import { Lister } from "./lister.ts";
import type { Selection } from "./selection.ts";
import type { TreeCount } from "./tree-count.ts";

/** Options of a tree. `pathname` is that of the top on the server, as --exclude-directories names it. */
export interface TreeOptions {
  readonly selection: Selection;
  readonly rules: FileRules;
  readonly checksums: Checksums;
  readonly observer: Observer;
  readonly report: Report;
  readonly inventory: Inventory | undefined;
  readonly decode: Decode;
  readonly pathname: string;
}

/** "copy" is for trees of another shape than the server's, in which local links would lead nowhere. */
export type LinkRule = "keep" | "copy" | "follow" | "skip";

export class Tree {
  readonly options: TreeOptions;
  readonly count: TreeCount;
  readonly lister = new Lister();
  readonly links: LinkRule;
  /** True if the last of several patterns has matched a name, or may match one that isn't listed. */
  hasMatch = false;
  /** Local links, by the URLs of the server's. */
  readonly localLinks = new Map<string, string>();
  #hasBegun = false;
  #hasCutOff = false;

  constructor(options: TreeOptions, count: TreeCount, links: LinkRule) {
    this.options = options;
    this.count = count;
    this.links = links;
  }

  begin(): void {
    const { inventory, observer } = this.options;
    if (inventory === undefined && !this.#hasBegun) observer.tree(this.count);
    this.#hasBegun = true;
  }

  leftOut(shownUrl: string, why: string): undefined {
    this.options.observer.info(`${shownUrl}: left out: ${why}`);
  }

  /** Called for a directory below the last level: a pattern without -r says so once. */
  cutOff(shownUrl: string): void {
    const { selection, observer } = this.options;
    if (!selection.fetchesDirectories && !this.#hasCutOff)
      observer.warning(`${shownUrl}: left out: only -r fetches directories`);
    this.#hasCutOff = true;
  }

  end(): void {
    this.count.hasEnded = true;
    for (const [url, path] of this.localLinks)
      if (!existsSync(path))
        this.options.observer.warning(`${url}: nothing is here where the link leads to`);
  }
}

/** The entries of a listed directory become tasks in one loop: each name is claimed, then its fate decides. */
import { basename } from "node:path";
import { FtpullError, toFtpullError } from "../../errors.ts";
import { numbersAll } from "../../files/existing.ts";
import { sameName } from "../../files/own-files.ts";
import { formatFtpUrl } from "../../url/format.ts";
import { FileTask } from "../file/file-task.ts";
import { failed } from "../result.ts";
import type { Document, Task } from "../task.ts";
import { listedFacts } from "./listed-facts.ts";
import { makeLocalLink } from "./local-places.ts";
import { NameTask } from "./name-task.ts";
import { Directory, type ListedDirectory, type ListTask, planOfEntry } from "./tree.ts";
import { comesFirst, knownFate, type TreeEntry, type Wanted } from "./tree-listing.ts";

/** An entry with its places on the server and here. */
interface Item {
  readonly entry: TreeEntry;
  readonly path: string;
  readonly at: Pick<Document, "url" | "shownUrl">;
}

export class Entries {
  readonly #listed: ListedDirectory;
  readonly #listTask: ListTask;
  /** Entries that are done or have a task, by their local names. */
  readonly #claimed = new Map<string, TreeEntry>();

  constructor(listed: ListedDirectory, listTask: ListTask) {
    this.#listed = listed;
    this.#listTask = listTask;
  }

  /** Files come first, so memory grows with the depth. */
  *tasks(): Generator<Task> {
    const { entries } = this.#listed.listing;
    const { count } = this.#listed.directory.options;
    for (const entry of entries) count.found(entry);
    for (const isFirstTurn of [true, false])
      for (const entry of entries) {
        if (comesFirst(entry) !== isFirstTurn) continue;
        const task = this.#taskFor(entry);
        if (task === undefined) count.ended(entry);
        else yield task;
      }
  }

  /** Undefined for an entry whose work is done. */
  #taskFor(entry: TreeEntry): Task | undefined {
    const { directory } = this.#listed;
    const { inventory, report } = directory.options;
    const fate = knownFate(entry);
    const isPrinted = inventory !== undefined && ["file", "local link"].includes(fate.kind);
    if (isPrinted || fate.kind === "unwanted") return undefined;
    const isDirectory =
      entry.type === "directory" || (fate.kind === "asked" && fate.wanted === "directory");
    const url = directory.urlOf(entry.name, isDirectory);
    const shownUrl = formatFtpUrl(url);
    try {
      const path = directory.localPathOf(entry.name);
      return this.#taskOf({ entry, path, at: { url, shownUrl } });
    } catch (error) {
      void report(failed(shownUrl, toFtpullError(error)));
      return undefined;
    }
  }

  /** @throws FtpullError "protocol" for what can't be fetched; "file" */
  #taskOf(item: Item): Task | undefined {
    const { directory } = this.#listed;
    const { tree, options } = directory;
    const { path, at, entry } = item;
    const fate = knownFate(entry);
    if (fate.kind === "unfetchable") throw new FtpullError("protocol", fate.why);
    if (!this.#claim(item)) return undefined;
    switch (fate.kind) {
      case "file":
        return this.#fileTask(item);
      case "directory": {
        const document = { plan: planOfEntry(this.#listed, entry.name, "list"), ...at };
        return this.#listTask(new Directory(tree, document, this.#listed, entry));
      }
      case "asked":
        return this.#nameTask(item, fate.wanted);
      case "local link":
        return void options.report(makeLocalLink(tree, path, at.shownUrl, fate.target));
      case "skipped link":
        return void options.report({ url: at.shownUrl, status: "skipped", exit: 0, inTree: true });
    }
  }

  /** One local name has one source; false for an entry that is listed twice. @throws FtpullError "file" */
  #claim({ entry, path, at }: Item): boolean {
    const { directory } = this.#listed;
    const localName = basename(path);
    const other = this.#claimed.get(localName);
    if (other?.name === entry.name && other.type === entry.type) return false;
    // Where both are equal, the name takes no more memory, and the path isn't kept for a part of it (V8).
    if (other === undefined)
      this.#claimed.set(localName === entry.name ? entry.name : localName, entry);
    if (this.#maySharePath(entry)) return true;
    if (other !== undefined) throw sameName(path, formatFtpUrl(directory.urlOf(other.name)));
    if (entry.type !== "directory") directory.options.rules.own.claimName(path, at.shownUrl);
    return true;
  }

  /** True if nothing is replaced when another entry has the same local path. */
  #maySharePath({ type }: TreeEntry): boolean {
    const { names, parent, options } = this.#listed.directory;
    const { rules, inventory, cutDirs } = options;
    if (inventory !== undefined || rules.sharedPath !== undefined) return true;
    // With -nd and --cut-dirs, what is below both goes to the directory above them.
    if (type === "directory" && names.length < cutDirs) return true;
    // The files of a pattern get numbers, but those of several directories.
    return numbersAll(rules.existing) && parent === undefined;
  }

  #fileTask(item: Item): Task {
    const { entry } = item;
    const { count } = this.#listed.directory.options;
    const plan = planOfEntry(this.#listed, entry.name, "retrieve");
    const listed = listedFacts(plan, entry);
    const asks = listed.source === "server" ? ("nothing" as const) : undefined;
    const ended = (): void => count.ended(entry);
    const document = { plan: { asks, ...plan }, ...item.at };
    return new FileTask({ document, listed, ended, isInTree: true, ...this.#targetOf(item) });
  }

  #nameTask(item: Item, wanted: Wanted): Task {
    const { entry, at } = item;
    const { tree } = this.#listed.directory;
    const document = { plan: planOfEntry(this.#listed, entry.name, "retrieve-or-list"), ...at };
    const directory = new Directory(tree, document, this.#listed, entry);
    const file = { document, ...this.#targetOf(item) };
    return new NameTask(file, directory, this.#listTask, wanted);
  }

  #targetOf({ entry, path }: Item) {
    const { directory, sums, isNewHere } = this.#listed;
    const { rules, verifiers } = directory.options;
    const verifier = verifiers.inTree(directory.pathOf(entry.name), sums);
    return { path: rules.sharedPath ?? path, rules, verifier, isNewHere };
  }
}

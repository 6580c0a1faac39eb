/**
 * The entries of a listed directory become tasks in one loop: each name is claimed, then it is a file, a directory, a
 * link, or a name that the server has to be asked about.
 */
import { basename } from "node:path";
import { FtpullError, toFtpullError } from "../../errors.ts";
import { numbersAll } from "../../files/existing.ts";
import { sameName } from "../../files/own-files.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { Download } from "../file/download.ts";
import { FileTask } from "../file/file-task.ts";
import { failed } from "../result.ts";
import type { Document, Task } from "../task.ts";
import { inTurn, type Wanted, wantedAs, whyUnfetchable } from "./entry-filter.ts";
import { listedFacts } from "./listed-facts.ts";
import { fateOf, makeLocalLink } from "./local-links.ts";
import { NameTask } from "./name-task.ts";
import { asDirectory, type Directory } from "./tree.ts";
import { isFile, type TreeEntry } from "./tree-listing.ts";

/** A wanted entry, with its places on the server and here. */
interface Item {
  readonly entry: TreeEntry;
  readonly wanted: Wanted;
  readonly path: string;
  readonly at: Pick<Document, "url" | "shownUrl">;
}

export class Entries {
  readonly #directory: Directory;
  readonly #listed: readonly TreeEntry[];
  /** Entries that are done or have a task, by their local names. */
  readonly #claimed = new Map<string, TreeEntry>();

  constructor(directory: Directory, listed: readonly TreeEntry[]) {
    this.#directory = directory;
    this.#listed = listed;
  }

  /** Files come first, so memory grows with the depth. With --spider they are printed by now. */
  *tasks(): Generator<Task> {
    const { count, inventory } = this.#directory.options;
    const isFetching = inventory === undefined;
    const entries = inTurn(this.#directory, this.#listed);
    if (isFetching) for (const entry of entries) if (!whyUnfetchable(entry)) count.found(entry);
    for (const entry of entries)
      if (isFile(entry) && (isFetching || whyUnfetchable(entry))) yield* this.#taskFor(entry);
    for (const entry of entries) if (!isFile(entry)) yield* this.#taskFor(entry);
  }

  *#taskFor(entry: TreeEntry): Generator<Task> {
    const directory = this.#directory;
    const wanted = wantedAs(directory, entry);
    if (wanted === undefined) return;
    const asFile = directory.urlOf(entry.name);
    const url = wanted.isFile ? asFile : asDirectory(asFile);
    const path = directory.localPathOf(entry.name);
    const shownUrl = formatFtpUrl(url);
    let task: Task | undefined;
    try {
      const problem = whyUnfetchable(entry);
      if (problem !== undefined) throw new FtpullError("protocol", problem);
      const item = { entry, wanted, path, at: { url, shownUrl } };
      if (this.#claim(item)) task = this.#taskOf(item);
    } catch (error) {
      void directory.options.report(failed(shownUrl, toFtpullError(error)));
    }
    if (task === undefined) directory.options.count.ended(entry);
    else yield task;
  }

  /** One local name has one source; false for an entry that is listed twice. @throws FtpullError "file" */
  #claim({ entry, path, at }: Item): boolean {
    const { place, parent, options } = this.#directory;
    const { rules, inventory } = options;
    const localName = basename(path);
    const other = this.#claimed.get(localName);
    if (other?.name === entry.name && other.type === entry.type) return false;
    if (other === undefined)
      this.#claimed.set(localName === entry.name ? entry.name : localName, entry);
    const hasNoFolder = entry.type === "directory" && place.cutDirs > 0;
    // The files of a pattern get numbers, but those of several directories.
    const mayHaveNumber = numbersAll(rules.existing) && parent === undefined;
    if (hasNoFolder || mayHaveNumber || rules.sharedPath !== undefined || inventory) return true;
    if (other !== undefined) throw sameName(path, formatFtpUrl(this.#directory.urlOf(other.name)));
    if (entry.type !== "directory") rules.own.claimName(path, at.shownUrl);
    return true;
  }

  /** Undefined for an entry whose work is done. @throws FtpullError "file" */
  #taskOf(item: Item): Task | undefined {
    const { type, name } = item.entry;
    if (type === "link") return this.#linkTask(item);
    if (type === "file") return this.#fileTask(item);
    if (type !== "directory") return this.#nameTask(item);
    const document = { ...item.at, plan: this.#directory.planOf(name, "list") };
    return this.#directory.below(item.entry, document).listTask();
  }

  #fileTask(item: Item): Task {
    const { entry } = item;
    const { count } = this.#directory.options;
    const plan = this.#directory.planOf(entry.name, "retrieve");
    const listed = listedFacts(plan, entry);
    const asks = listed.source === "server" ? ("nothing" as const) : undefined;
    const ended = (): void => count.ended(entry);
    const document = { ...item.at, plan: { ...plan, asks } };
    return new FileTask({ ...this.#targetOf(item), document, listed, ended, isInTree: true });
  }

  #linkTask(item: Item): Task | undefined {
    const { entry, path } = item;
    const { shownUrl } = item.at;
    const { tree, options } = this.#directory;
    const fate = fateOf(this.#directory, entry);
    if (fate === "followed") return this.#nameTask(item);
    if (fate === "skipped") {
      const skipped = { status: "skipped", exit: 0, inTree: true } as const;
      return void options.report({ url: shownUrl, ...skipped });
    }
    if (!item.wanted.isFile) return undefined;
    if (fate === "file")
      return this.#nameTask({ ...item, wanted: { isFile: true, isDirectory: false } });
    if (options.inventory !== undefined) return undefined; // It is printed.
    return void options.report(makeLocalLink(tree, path, shownUrl, fate.target));
  }

  #nameTask(item: Item): Task {
    const { entry, wanted } = item;
    const plan = this.#directory.planOf(entry.name, "retrieve-or-list");
    // SIZE in image type tells a file from a directory.
    const inImage = { ...plan, type: "I", conversion: "none" } as const;
    const document = { ...item.at, plan: wanted.isFile ? plan : inImage };
    const file = { ...this.#targetOf(item), document };
    return new NameTask(file, this.#directory.below(entry, document), wanted);
  }

  #targetOf({ entry, path }: Item): Pick<Download, "path" | "rules" | "verifier"> {
    const directory = this.#directory;
    const { checksums, pathname, rules } = directory.options;
    const pathInTree = directory.pathOf(entry.name);
    if (entry.type === "file") checksums.noteFile(pathInTree, pathname);
    return { path, rules, verifier: checksums.inTree(pathInTree, directory.checksums) };
  }
}

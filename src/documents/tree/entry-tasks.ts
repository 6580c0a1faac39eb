/** Makes the tasks of a directory's entries, with their local paths. */
import { FtpullError, toFtpullError } from "../../errors.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Target } from "../file/download.ts";
import { FileTask } from "../file/file-task.ts";
import { failed } from "../result.ts";
import { ListedTask } from "../spider/listed-task.ts";
import { LookTask } from "../spider/look-task.ts";
import type { Document, Task } from "../task.ts";
import type { Directory, Wanted } from "./directory.ts";
import { inTurn, wantedAs, whyUnfetchable } from "./entry-filter.ts";
import { keptLink, type KeptLink } from "./kept-links.ts";
import { LinkTask } from "./link-task.ts";
import { factsOfEntry } from "./listed-facts.ts";
import { sameName } from "./file-sources.ts";
import { isFile, type TreeEntry } from "./tree-listing.ts";
import type { Tree } from "./tree.ts";

const leftOut = { status: "skipped", reason: "link", exit: 0, inTree: true } as const;

export type DirectoryTaskFor = (document: Document, directory: Directory) => Task;

export class EntryTasks {
  readonly #directory: Directory;
  readonly #tree: Tree;
  readonly #taskForDirectory: DirectoryTaskFor;
  /** Local names that differ from the server's, with the entry that gets each: it may be another one's, too. */
  readonly #owners = new Map<string, string>();

  constructor(directory: Directory, tree: Tree, taskForDirectory: DirectoryTaskFor) {
    this.#directory = directory;
    this.#tree = tree;
    this.#taskForDirectory = taskForDirectory;
  }

  /** Tasks of files first, or under --spider the lines of all entries; then of directories, and what may be one. */
  *all(listed: readonly TreeEntry[]): Generator<Task> {
    const { inventory } = this.#tree.options;
    const entries = inTurn(this.#directory, listed);
    if (inventory === undefined) this.#noteAll(entries);
    else inventory.hasTree = true;
    const isShown = inventory !== undefined && !this.#directory.isOnTheWay;
    for (const entry of entries) {
      if (isFile(entry)) yield* this.#taskFor(entry);
      else if (isShown && entry.type === "directory" && !whyUnfetchable(entry))
        yield new ListedTask(this.#directory, entry, inventory);
    }
    for (const entry of entries) if (!isFile(entry)) yield* this.#taskFor(entry);
  }

  #noteAll(entries: readonly TreeEntry[]): void {
    for (const entry of entries) {
      if (whyUnfetchable(entry) !== undefined) continue;
      this.#tree.count.found(entry);
      const own = this.#directory.localNameOf(entry.name);
      if (own !== entry.name && !this.#owners.has(own)) this.#owners.set(own, entry.name);
    }
  }

  *#taskFor(entry: TreeEntry): Generator<Task> {
    const wanted = wantedAs(this.#directory, entry);
    if (wanted === undefined) return;
    const problem = whyUnfetchable(entry);
    let task: Task | undefined;
    try {
      if (problem !== undefined) throw new FtpullError("protocol", problem);
      task = this.#fetchableTask(entry, wanted);
    } catch (thrown) {
      const url = formatFtpUrl(this.#directory.urlOf(entry.name, wanted.isFile));
      this.#directory.cut ??= problem;
      void this.#tree.options.report(failed(url, toFtpullError(thrown)));
    }
    if (task !== undefined) yield task;
    else if (problem === undefined) this.#tree.count.ended(entry);
  }

  #fetchableTask(entry: TreeEntry, wanted: Wanted): Task | undefined {
    const { inventory, report } = this.#tree.options;
    if (inventory !== undefined && entry.type === "file")
      return new ListedTask(this.#directory, entry, inventory);
    const url = this.#directory.urlOf(entry.name, wanted.isFile);
    if (this.#tree.links === "skip" && entry.type === "link")
      return void report({ ...leftOut, url: formatFtpUrl(url) });
    if (inventory === undefined) this.#claim(entry, url);
    return entry.type === "file" ? this.#fileTask(entry, url) : this.#otherTask(entry, url, wanted);
  }

  #claim({ type, name }: TreeEntry, url: FtpUrl): void {
    const { rules, sources } = this.#tree.options;
    const hasNoFolder = type === "directory" && this.#directory.place.cutDirs > 0;
    // The files of directories that match a pattern go to one folder.
    const mayHaveNumber = !rules.hasOwnNames && this.#directory.parent === undefined;
    if (mayHaveNumber || hasNoFolder || rules.sharedPath !== undefined) return;
    const path = this.#directory.localPathOf(name);
    const owner = this.#owners.get(this.#directory.localNameOf(name)) ?? name;
    if (owner !== name) throw sameName(path, formatFtpUrl(this.#directory.urlOf(owner, true)));
    if (type !== "directory") sources.claim(path, formatFtpUrl(url));
  }

  #fileTask(entry: TreeEntry, url: FtpUrl): Task {
    const plan = this.#directory.planOf(entry.name, "retrieve");
    const facts = factsOfEntry(plan, entry);
    const asks = facts.source === "server" ? ("nothing" as const) : undefined;
    const document = documentOf(url, { ...plan, asks });
    const ended = (): void => this.#tree.count.ended(entry);
    const { isUnreadable } = entry;
    const options = { facts, isUnreadable, ended, isInTree: true };
    return new FileTask(document, this.#targetOf(entry), this.#tree.options.rules, options);
  }

  /** The task of a directory, or of a link or bare name: SIZE or RETR shows if that is a file. */
  #otherTask(entry: TreeEntry, url: FtpUrl, wanted: Wanted): Task | undefined {
    const { inventory, selection, rules } = this.#tree.options;
    const { type, name } = entry;
    const isDirectory = type === "directory";
    // Levels count for directories only: a link may lead to a file.
    if (isDirectory && this.#directory.level >= selection.levels) {
      this.#tree.cutOff(this.#directory, formatFtpUrl(url));
      return undefined;
    }
    const plan = this.#directory.planOf(name, isDirectory ? "list" : "retrieve-or-list");
    // SIZE in image type tells a file from a directory.
    const asked =
      isDirectory || wanted.isFile ? plan : { ...plan, type: "I", conversion: "none" as const };
    const document = documentOf(url, asked);
    const directory = this.#directory.below(entry, wanted);
    const task = this.#taskForDirectory(document, directory);
    if (isDirectory) return task;
    const below = { tree: this.#tree, directory, task };
    const kept = this.#tree.links === "keep" ? keptLink(this.#directory, entry) : undefined;
    if (inventory !== undefined) {
      const isMade = kept !== undefined && isSureToBeMade(kept, wanted);
      const listed = isMade ? new ListedTask(this.#directory, entry, inventory) : undefined;
      // The time that chooses a link is that of the file to which it leads.
      const isAsked = kept?.type === "file" && selection.hasTimes;
      return listed && !isAsked ? listed : new LookTask(document, inventory, below, listed);
    }
    // A link that may be kept is asked about in its turn: nothing is sent before.
    const own = kept === undefined ? document : { ...document, planFor: () => asked };
    return new LinkTask(own, this.#targetOf(entry), rules, below, kept);
  }

  #targetOf({ type, name }: TreeEntry): Target {
    const directory = this.#directory;
    const { checksums, pathname } = this.#tree.options;
    const file = { name, path: directory.pathOf(name), label: directory.labelOf(name) };
    if (type === "file") checksums.expected?.hasFile(file, pathname);
    const verification = checksums.inTree(file, pathname, directory.checksums);
    return { path: directory.localPathOf(name), verification };
  }
}

/** True if the listing shows what the link leads to: else the server has to be asked. */
function isSureToBeMade({ type, isInRun }: KeptLink, wanted: Wanted): boolean {
  if (type !== "file" && type !== "directory") return false;
  return isInRun[type] && wanted.isFile && (type === "file" || wanted.isDirectory);
}

function documentOf(url: FtpUrl, plan: DocumentPlan): Document {
  return { url, shownUrl: formatFtpUrl(url), plan };
}

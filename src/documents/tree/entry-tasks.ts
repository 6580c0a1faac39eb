/** Makes the tasks of a directory's entries, with their local paths. */
import { FtpullError, toFtpullError } from "../../errors.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Target } from "../file/download.ts";
import { FileTask } from "../file/file-task.ts";
import { failed } from "../result.ts";
import type { Inventory } from "../spider/inventory.ts";
import { ListedTask } from "../spider/listed-task.ts";
import { LookTask } from "../spider/look-task.ts";
import type { Document, Task } from "../task.ts";
import type { Directory, Wanted } from "./directory.ts";
import { inTurn, wantedAs, whyUnfetchable } from "./entry-filter.ts";
import { isLinkWanted, keptLink, type KeptLink } from "./kept-links.ts";
import { LinkTask } from "./link-task.ts";
import { factsOfEntry } from "./listed-facts.ts";
import { sameName } from "./file-sources.ts";
import { isFile, type TreeEntry } from "./tree-listing.ts";
import type { Below, Tree } from "./tree.ts";

const leftOut = { status: "skipped", reason: "link", exit: 0, inTree: true } as const;

type DirectoryTaskFor = (document: Document, directory: Directory) => Task;

export class EntryTasks {
  readonly #directory: Directory;
  readonly #tree: Tree;
  readonly #taskForDirectory: DirectoryTaskFor;
  /** The first of the server's names for each local name that differs from it. */
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
      const localName = this.#directory.localNameOf(entry.name);
      if (localName !== entry.name && !this.#owners.has(localName))
        this.#owners.set(localName, entry.name);
    }
  }

  *#taskFor(entry: TreeEntry): Generator<Task> {
    const wanted = wantedAs(this.#directory, entry);
    if (wanted === undefined) return;
    const url = this.#directory.urlOf(entry.name, { mayBeFile: wanted.isFile });
    const problem = whyUnfetchable(entry);
    if (problem !== undefined) return this.#fail(url, new FtpullError("protocol", problem));
    let task: Task | undefined;
    try {
      task = this.#fetchableTask(entry, url, wanted);
    } catch (error) {
      this.#fail(url, toFtpullError(error));
    }
    if (task === undefined) this.#tree.count.ended(entry);
    else yield task;
  }

  #fail(url: FtpUrl, error: FtpullError): void {
    void this.#tree.options.report(failed(formatFtpUrl(url), error));
  }

  #fetchableTask(entry: TreeEntry, url: FtpUrl, wanted: Wanted): Task | undefined {
    const { type } = entry;
    const { links, options } = this.#tree;
    const { inventory } = options;
    if (inventory !== undefined && type === "file")
      return new ListedTask(this.#directory, entry, inventory);
    if (links === "skip" && type === "link") {
      void options.report({ ...leftOut, url: formatFtpUrl(url) });
      return undefined;
    }
    if (inventory === undefined) this.#claim(entry, url);
    if (type === "file") return this.#fileTask(entry, url);
    if (type === "directory") return this.#directoryTask(entry, url, wanted);
    const kept = links === "keep" ? keptLink(this.#directory, entry) : undefined;
    return inventory === undefined
      ? this.#linkTask(entry, url, wanted, kept)
      : this.#lookTask(entry, url, wanted, inventory, kept);
  }

  #claim({ type, name }: TreeEntry, url: FtpUrl): void {
    const { rules, sources } = this.#tree.options;
    const hasNoFolder = type === "directory" && this.#directory.place.cutDirs > 0;
    // The files of directories that match a pattern go to one folder.
    const mayHaveNumber = !rules.hasOwnNames && this.#directory.parent === undefined;
    if (mayHaveNumber || hasNoFolder || rules.sharedPath !== undefined) return;
    const path = this.#directory.localPathOf(name);
    const owner = this.#owners.get(this.#directory.localNameOf(name)) ?? name;
    if (owner !== name) {
      const ownersUrl = this.#directory.urlOf(owner, { mayBeFile: true });
      throw sameName(path, formatFtpUrl(ownersUrl));
    }
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

  /** Undefined below the last level, which counts for directories only: a link may lead to a file. */
  #directoryTask(entry: TreeEntry, url: FtpUrl, wanted: Wanted): Task | undefined {
    if (this.#directory.level >= this.#tree.options.selection.levels) {
      this.#tree.cutOff(this.#directory, formatFtpUrl(url));
      return undefined;
    }
    const document = documentOf(url, this.#directory.planOf(entry.name, "list"));
    return this.#below(entry, document, wanted).task;
  }

  #linkTask(entry: TreeEntry, url: FtpUrl, wanted: Wanted, kept?: KeptLink): Task {
    const document = this.#linkDocument(entry, url, wanted);
    const below = this.#below(entry, document, wanted);
    // A link that may be kept is asked about in its turn: nothing is sent before.
    const own = kept === undefined ? document : { ...document, planFor: () => document.plan };
    return new LinkTask(own, this.#targetOf(entry), this.#tree.options.rules, below, kept);
  }

  #lookTask(
    entry: TreeEntry,
    url: FtpUrl,
    wanted: Wanted,
    inventory: Inventory,
    kept?: KeptLink,
  ): Task {
    const isMade = kept !== undefined && isSureToBeMade(kept, wanted);
    const listed = isMade ? new ListedTask(this.#directory, entry, inventory) : undefined;
    // The time that chooses a link is that of the file to which it leads.
    const isAsked = kept?.kind === "file" && this.#tree.options.selection.hasTimes;
    if (listed !== undefined && !isAsked) return listed;
    const document = this.#linkDocument(entry, url, wanted);
    return new LookTask(document, inventory, this.#below(entry, document, wanted), listed);
  }

  #linkDocument({ name }: TreeEntry, url: FtpUrl, wanted: Wanted): Document {
    const plan = this.#directory.planOf(name, "retrieve-or-list");
    // SIZE in image type tells a file from a directory.
    return documentOf(url, wanted.isFile ? plan : { ...plan, type: "I", conversion: "none" });
  }

  #below(entry: TreeEntry, document: Document, wanted: Wanted): Below {
    const directory = this.#directory.below(entry, wanted);
    return { tree: this.#tree, directory, task: this.#taskForDirectory(document, directory) };
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

function isSureToBeMade({ kind, isInRun }: KeptLink, wanted: Wanted): boolean {
  if (kind === undefined) return false;
  return isInRun[kind] && isLinkWanted(wanted, kind);
}

function documentOf(url: FtpUrl, plan: DocumentPlan): Document {
  return { url, shownUrl: formatFtpUrl(url), plan };
}

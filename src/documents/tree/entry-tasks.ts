/** The tasks of a directory's entries, and where each one goes. */
import { join } from "node:path";
import { FtpullError, toFtpullError } from "../../errors.ts";
import { existingFile } from "../../files/regular-file.ts";
import { localName } from "../../files/names.ts";
import type { DocumentPlan, Facts } from "../../ftp/document-steps.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import { FileTask } from "../file/file-task.ts";
import type { Target } from "../file/download.ts";
import { failed } from "../result.ts";
import { LookTask } from "../spider/look-task.ts";
import type { Document, Task } from "../task.ts";
import type { DirectoryTask } from "./directory-task.ts";
import { type Wanted, wantedAs, whyUnfetchable } from "./entry-filter.ts";
import { LinkTask } from "./link-task.ts";
import { type ListOrder, listOrder, ListTask } from "./list-task.ts";
import { ownersAmong } from "./local-names.ts";
import { sameName } from "./places.ts";
import { type Answers, groupsOf, TimesTask, factsOfEntry } from "./times-task.ts";
import { isFile, type TreeEntry } from "./tree-listing.ts";
import type { TreeOptions } from "./tree.ts";

export class EntryTasks {
  readonly #directory: DirectoryTask;
  readonly #options: TreeOptions;
  /** The entry of a local name that several could have. */
  #ownerOf = (name: string): string => name;
  #own: ListOrder["own"] = new Map();
  /** Beginning of the entries' paths. */
  readonly #inside: string;
  readonly #localName = (octets: string): string => localName(octets, this.#options.decode);

  constructor(directory: DirectoryTask) {
    this.#directory = directory;
    this.#options = directory.tree.options;
    this.#inside = join(directory.place.path, "x").slice(0, -1);
  }

  /** Files come first, and what may be a directory afterwards. Failures are reported. */
  *all(entries: readonly TreeEntry[]): Generator<Task> {
    if (this.#options.inventory !== undefined) return yield* this.#others(entries);
    this.#noteAll(entries);
    const { lists, own, others } = listOrder(entries, this.#directory.checksums);
    this.#own = own;
    yield* this.#inTurn(lists, () => this.#documents(others));
  }

  /** Entries of which some may be unchanged follow from a task that asks for their facts. */
  *#documents(entries: readonly TreeEntry[]): Generator<Task> {
    for (const files of groupsOf(entries.filter(isFile))) {
      const doubtful = files.filter((entry) => this.#mayBeUnchanged(entry));
      const tasks = (answers?: Answers) => this.#tasksFor(files, answers);
      if (doubtful.length === 0) yield* tasks();
      else yield new TimesTask(this.#directory, doubtful, tasks);
    }
    yield* this.#others(entries);
  }

  *#others(entries: readonly TreeEntry[]): Generator<Task> {
    for (const entry of entries) if (!isFile(entry)) yield* this.#taskFor(entry);
  }

  /** Tasks that follow from those of lists of checksums, each from the one before. */
  *#inTurn([first, ...lists]: readonly TreeEntry[], then: () => Iterable<Task>): Generator<Task> {
    if (first === undefined) return yield* then();
    const following = () => this.#inTurn(lists, then);
    const [task] = this.#taskFor(first, undefined, following);
    if (task === undefined) yield* following();
    else yield task;
  }

  #noteAll(entries: readonly TreeEntry[]): void {
    const fetchable = entries.filter((entry) => whyUnfetchable(entry) === undefined);
    for (const entry of fetchable) this.#directory.tree.count.found(entry);
    const names = fetchable.map(({ name }) => name);
    this.#ownerOf = ownersAmong(names, this.#localName);
  }

  *#tasksFor(entries: readonly TreeEntry[], answers?: Answers): Generator<Task> {
    for (const entry of entries) {
      const own = this.#own.get(entry.name);
      const task = () => this.#taskFor(entry, answers?.get(entry.name));
      yield* this.#inTurn(own === undefined ? [] : [own], task);
    }
  }

  /** Whether a listing without exact times leaves open if the local file is the same. */
  #mayBeUnchanged(entry: TreeEntry): boolean {
    const { type, name, size, precision } = entry;
    const { isToFetch, keepsExisting } = this.#options.rules;
    if (isToFetch === undefined || keepsExisting || type !== "file") return false;
    if (size === undefined || precision === "exact" || whyUnfetchable(entry)) return false;
    try {
      return existingFile(this.#localPath(name))?.size === size;
    } catch {
      return false; // the file's own task will fail
    }
  }

  /** A file is a list of checksums for the tasks that are `following`. */
  *#taskFor(entry: TreeEntry, answer?: Facts, following?: () => Iterator<Task>): Generator<Task> {
    const wanted = wantedAs(this.#directory, entry);
    if (wanted === undefined) return;
    const url = this.#directory.urlOf(entry.name, wanted.isFile);
    const problem = whyUnfetchable(entry);
    let task: Task | undefined;
    try {
      if (problem !== undefined) throw new FtpullError("protocol", problem);
      const path = this.#claimedPath(entry, url);
      if (entry.type === "file") task = this.#fileTask(entry, url, path, answer, following);
      else task = this.#otherTask(entry, url, path, wanted);
    } catch (thrown) {
      void this.#options.report(failed(formatFtpUrl(url), toFtpullError(thrown)));
    }
    if (task !== undefined) yield task;
    else if (problem === undefined) this.#directory.tree.count.ended(entry);
  }

  /** @throws FtpullError "file" for a second source of one name */
  #claimedPath({ type, name }: TreeEntry, url: FtpUrl): string {
    const { rules, places, inventory } = this.#options;
    const path = this.#localPath(name);
    const hasNoFolder = type === "directory" && this.#directory.place.cut > 0;
    if (!rules.hasOwnNames || inventory !== undefined || hasNoFolder) return path;
    const owner = this.#ownerOf(name);
    if (owner !== name) throw sameName(path, formatFtpUrl(this.#directory.urlOf(owner, true)));
    if (type !== "directory") places.claim(path, formatFtpUrl(url));
    return path;
  }

  #fileTask(
    entry: TreeEntry,
    url: FtpUrl,
    path: string,
    answer?: Facts,
    following?: () => Iterator<Task>,
  ): Task {
    const plan = this.#directory.planOf(entry.name, "retrieve");
    const facts = factsOfEntry(plan, entry, answer);
    const asks = facts.source === "server" ? ("nothing" as const) : undefined;
    const document = documentOf(url, { ...plan, asks });
    const target = this.#targetOf(entry, url, path);
    const ended = (): void => this.#directory.tree.count.ended(entry);
    const { isUnreadable } = entry;
    const options = { facts, isUnreadable, ended, isInTree: true };
    const file = [document, target, this.#options.rules, options] as const;
    const list = following && this.#directory.checksums?.listAt(entry.name);
    if (following === undefined || list === undefined) return new FileTask(...file);
    return new ListTask(list, following, ...file);
  }

  /** SIZE or RETR tells whether what a link or a bare name stands for is a file. */
  #otherTask(entry: TreeEntry, url: FtpUrl, path: string, wanted: Wanted): Task | undefined {
    const { rules, inventory } = this.#options;
    const { type, name } = entry;
    const isDirectory = type === "directory";
    const plan = this.#directory.planOf(name, isDirectory ? "list" : "retrieve-or-list");
    // As a file it is told by its size.
    const asked =
      isDirectory || wanted.isFile ? plan : { ...plan, type: "I", conversion: "none" as const };
    const document = documentOf(url, asked);
    const directory = this.#directory.below(document, path, entry, wanted);
    if (directory === undefined || isDirectory) return directory;
    if (inventory !== undefined) return new LookTask(document, inventory, directory);
    return new LinkTask(document, this.#targetOf(entry, url, path), rules, directory);
  }

  #targetOf({ type, name }: TreeEntry, url: FtpUrl, path: string): Target {
    const [octets, label] = [this.#directory.pathOf(name), this.#directory.labelOf(name)];
    const file = { url, name, path: octets, label, mayBeDirectory: type !== "file" };
    return { path, verification: this.#options.checksums.inTree(file, this.#directory.checksums) };
  }

  #localPath(name: string): string {
    return this.#inside + this.#localName(name);
  }
}

function documentOf(url: FtpUrl, plan: DocumentPlan): Document {
  return { url, shownUrl: formatFtpUrl(url), plan };
}

/** Makes the tasks of a directory's entries, with their local paths; under --spider, prints the entries. */
import { FtpullError, systemText, toFtpullError } from "../../errors.ts";
import { isTaken } from "../../files/regular-file.ts";
import { makeLink, NoLinks } from "../../files/tree-link.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Target } from "../file/download.ts";
import { FileTask } from "../file/file-task.ts";
import { failed, type Result } from "../result.ts";
import { LookTask } from "../spider/look-task.ts";
import type { Document, Task } from "../task.ts";
import type { Directory, Wanted } from "./directory.ts";
import { inTurn, wantedAs, whyUnfetchable } from "./entry-filter.ts";
import { sameName } from "./file-sources.ts";
import { FollowTask } from "./follow-task.ts";
import { factsOfEntry } from "./listed-facts.ts";
import { fateOf } from "./local-links.ts";
import { exactTime, isFile, type TreeEntry } from "./tree-listing.ts";

type DirectoryTaskFor = (document: Document, directory: Directory) => Task;

export class EntryTasks {
  readonly #directory: Directory;
  readonly #taskForDirectory: DirectoryTaskFor;
  /** The first of the server's names for each local name that differs from it. */
  readonly #owners = new Map<string, string>();

  constructor(directory: Directory, taskForDirectory: DirectoryTaskFor) {
    this.#directory = directory;
    this.#taskForDirectory = taskForDirectory;
  }

  /** Tasks of files first, or under --spider the lines of all entries; then of directories, and what may be one. */
  *all(listed: readonly TreeEntry[]): Generator<Task> {
    const { inventory } = this.#directory.options;
    const entries = inTurn(this.#directory, listed);
    if (inventory !== undefined) inventory.hasTree = true;
    for (const entry of entries) if (!whyUnfetchable(entry)) this.#noteEntry(entry);
    for (const entry of entries) if (isFile(entry)) yield* this.#tasksFor(entry);
    for (const entry of entries) if (!isFile(entry)) yield* this.#tasksFor(entry);
  }

  #noteEntry(entry: TreeEntry): void {
    const { tree, options, isOnTheWay } = this.#directory;
    if (options.inventory !== undefined) {
      const isListed = entry.type === "file" || entry.type === "directory";
      if (isListed && !isOnTheWay) this.#print(entry);
      return;
    }
    tree.count.found(entry);
    const localName = this.#directory.localNameOf(entry.name);
    if (localName !== entry.name && !this.#owners.has(localName))
      this.#owners.set(localName, entry.name);
  }

  *#tasksFor(entry: TreeEntry): Generator<Task> {
    const { tree, options } = this.#directory;
    const wanted = wantedAs(this.#directory, entry);
    if (wanted === undefined) return;
    const url = this.#directory.urlOf(entry.name, { mayBeFile: wanted.isFile });
    let task: Task | undefined;
    try {
      const problem = whyUnfetchable(entry);
      if (problem !== undefined) throw new FtpullError("protocol", problem);
      task = this.#taskFor(entry, url, wanted);
    } catch (error) {
      void options.report(failed(formatFtpUrl(url), toFtpullError(error)));
    }
    if (task === undefined) tree.count.ended(entry);
    else yield task;
  }

  /** Undefined for an entry whose work is done. @throws FtpullError "file" */
  #taskFor(entry: TreeEntry, url: FtpUrl, wanted: Wanted): Task | undefined {
    const { options } = this.#directory;
    if (options.inventory === undefined) this.#claim(entry, url);
    else if (entry.type === "file") return undefined;
    if (entry.type === "file") return this.#fileTask(entry, url);
    if (entry.type === "directory") {
      const document = documentOf(url, this.#directory.planOf(entry.name, "list"));
      return this.#taskBelow(document, this.#directory.below(entry, wanted));
    }
    return entry.type === "link" && this.#endsLink(entry, url, wanted)
      ? undefined
      : this.#followTask(entry, url, wanted);
  }

  #claim({ type, name }: TreeEntry, url: FtpUrl): void {
    const { rules, sources } = this.#directory.options;
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
    const { tree, options } = this.#directory;
    const plan = this.#directory.planOf(entry.name, "retrieve");
    const facts = factsOfEntry(plan, entry);
    const asks = facts.source === "server" ? ("nothing" as const) : undefined;
    const ended = (): void => tree.count.ended(entry);
    return new FileTask(documentOf(url, { ...plan, asks }), this.#targetOf(entry), options.rules, {
      facts,
      ended,
      isInTree: true,
    });
  }

  /** Undefined below the last level, which is noted. */
  #taskBelow(document: Document, directory: Directory): Task | undefined {
    const { tree, level, options } = directory;
    if (level <= options.selection.levels) return this.#taskForDirectory(document, directory);
    // A name of NLST that was refused as a file may be one all the same: z/OS lets any name be entered.
    if (directory.refusal === undefined) tree.cutOff(document.shownUrl);
    else void options.report(failed(document.shownUrl, toFtpullError(directory.refusal)));
    return undefined;
  }

  /** Makes or prints the local link, or leaves the link out; false for a link that is followed. */
  #endsLink(entry: TreeEntry, url: FtpUrl, wanted: Wanted): boolean {
    const { tree, options } = this.#directory;
    const fate = fateOf(this.#directory, entry, wanted.isFile);
    const shownUrl = formatFtpUrl(url);
    if (fate === "followed") return false;
    if (fate === "leads back") tree.leftOutAsCircle(shownUrl);
    if (fate === "left out" && tree.links === "skip")
      void options.report({ ...inTree, url: shownUrl, status: "skipped", reason: "link" });
    if (typeof fate === "string") return true;
    if (options.inventory !== undefined) return this.#print(entry) === undefined;
    const result = this.#makeLink(this.#directory.localPathOf(entry.name), shownUrl, fate.target);
    if (result !== undefined) void options.report(result);
    return result !== undefined;
  }

  /** Undefined where the file system has no links. @throws FtpullError "file" */
  #makeLink(file: string, url: string, link: string): Result | undefined {
    const { tree, options } = this.#directory;
    const { rules, observer } = options;
    const made = { ...inTree, url, octets: 0, file, link };
    const kept = { ...made, status: "skipped" } as const;
    if (rules.keepsExisting && isTaken(file))
      return { ...kept, reason: "exists", explanation: `"${file}" is there already` };
    try {
      const isForced = rules.isToFetch === undefined;
      const { top, own } = rules;
      const isNew = makeLink({ path: file, target: link, url, top, own, isForced });
      tree.localLinks.set(url, file);
      if (isNew) return { ...made, status: "done" };
      return { ...kept, reason: "unchanged", explanation: `"${file}" is unchanged` };
    } catch (error) {
      if (!(error instanceof NoLinks)) throw error;
      const words = `${error.message}: ${systemText(error.cause)}: its content is fetched`;
      if (tree.links === "keep") observer.info(words);
      tree.links = "follow";
      return undefined;
    }
  }

  #followTask(entry: TreeEntry, url: FtpUrl, wanted: Wanted): Task {
    const { inventory, rules } = this.#directory.options;
    const plan = this.#directory.planOf(entry.name, "retrieve-or-list");
    // SIZE in image type tells a file from a directory.
    const inImage = { ...plan, type: "I", conversion: "none" } as const;
    const document = documentOf(url, wanted.isFile ? plan : inImage);
    const directory = this.#directory.below(entry, wanted);
    const list = () => this.#taskBelow(document, directory);
    return inventory === undefined
      ? new FollowTask(document, this.#targetOf(entry), rules, { directory, list })
      : new LookTask(document, inventory, { directory, list });
  }

  #targetOf({ type, name }: TreeEntry): Target {
    const directory = this.#directory;
    const { checksums, pathname } = directory.options;
    const path = directory.pathOf(name);
    if (type === "file") checksums.expected?.hasFile(path, pathname);
    const verifier = checksums.inTree(path, directory.checksums);
    return { path: directory.localPathOf(name), verifier };
  }

  #print(entry: TreeEntry): undefined {
    const { inventory, selection, decode, report } = this.#directory.options;
    const { type, name, target = "" } = entry;
    if (type === "file" && !selection.hasTime(exactTime(entry))) return;
    const shownTarget = type === "link" ? ` -> ${decode(target)}` : "";
    const result = inventory?.printEntry(entry, this.#directory.labelOf(name) + shownTarget);
    const url = this.#directory.urlOf(name, { mayBeFile: type !== "directory" });
    if (result !== undefined) void report({ ...result, url: formatFtpUrl(url) });
  }
}

const inTree = { exit: 0, inTree: true } as const;

function documentOf(url: FtpUrl, plan: DocumentPlan): Document {
  return { url, shownUrl: formatFtpUrl(url), plan };
}

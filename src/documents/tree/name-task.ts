/**
 * Fetches, lists or, with --spider, prints a name that may be a file's or a directory's: a link, a name of NLST, or the
 * top of -r.
 *
 * | the name | is asked by | it is a directory | a file | nothing |
 * | --- | --- | --- | --- | --- |
 * | any but a link | RETR, then CWD | listed | fetched | its refusal fails |
 * | the same, with --spider, a local directory of the name, or only a directory wanted | SIZE, CWD, MDTM | listed | printed or fetched | its refusal fails |
 * | a link, wanted as a file | SIZE | left out, with a note | printed or fetched | left out, with a note |
 * | a link, wanted as a directory | SIZE, CWD | listed | left out | a warning, unless a pattern matches the link |
 * | a link, wanted as either | SIZE, CWD, MDTM | listed | printed or fetched | the same warning |
 */
import type { FtpullError } from "../../errors.ts";
import { found as foundHere } from "../../files/regular-file.ts";
import { saysNothingThere } from "../../ftp/control/reply.ts";
import type { Session } from "../../ftp/session.ts";
import type { Download } from "../file/download.ts";
import { FileTask } from "../file/file-task.ts";
import { kindOf } from "../file/kind-of.ts";
import type { Result } from "../result.ts";
import { type Document, planOver, type Skip, type Task } from "../task.ts";
import type { Tries } from "../task-tries.ts";
import type { Directory, ListTask } from "./tree.ts";
import type { Wanted } from "./tree-listing.ts";

export class NameTask implements Task {
  readonly document: Document;
  readonly #path: string;
  /** The directory that the name may be. */
  readonly #directory: Directory;
  readonly #listTask: ListTask;
  readonly #wanted: Wanted;
  readonly #file: FileTask;
  /** Set once the name is known to be a directory's, with the refusal of a file of this name. */
  #foundDirectory: { readonly refusal: Error | undefined } | undefined;

  constructor(
    file: Omit<Download, "isInTree">,
    directory: Directory,
    listTask: ListTask,
    wanted: Wanted = "either",
  ) {
    const list: Download["list"] = (_session, _plan, refusal) => this.#noteDirectory(refusal);
    this.document = file.document;
    this.#path = file.path;
    this.#directory = directory;
    this.#listTask = listTask;
    this.#wanted = wanted;
    this.#file = new FileTask({ ...file, list, isInTree: directory.parent !== undefined });
  }

  skip(): Skip | undefined {
    return this.#makesNoFile ? undefined : this.#file.skip();
  }

  /** The kind of a link is asked for; any other name is tried as a file first: z/OS lets any name be entered. */
  async run(session: Session, tries: Tries): Promise<Result | undefined> {
    const isAsked = this.#directory.isLink || this.#wanted === "directory" || this.#makesNoFile;
    if (!isAsked) return this.#file.run(session, tries);
    const plan = planOver(session, this.document);
    const kind = await kindOf(session, this.#isForFile ? { ...plan, action: "retrieve" } : plan);
    if (kind.kind === "directory") return this.#noteDirectory();
    if (kind.kind === "nothing") return this.#noteNothing(kind.refusal);
    if (this.#wanted === "directory") return undefined;
    const { inventory, selection } = this.#directory.options;
    if (inventory === undefined) return this.#file.run(session, tries);
    const isInTime = selection.hasTime(kind.facts.modified);
    return isInTime ? inventory.printFile(kind.facts, this.document.shownUrl) : undefined;
  }

  beginAgain() {
    return this.#file.beginAgain();
  }

  leftover() {
    return this.#file.leftover();
  }

  further(): Iterator<Task> | undefined {
    const { tree, entry, parent, options } = this.#directory;
    const found = this.#foundDirectory;
    const isListed = found !== undefined && this.#wanted !== "file";
    const task = isListed ? this.#listTask(this.#directory, found.refusal) : undefined;
    if (task !== undefined) return [task].values();
    if (entry !== undefined) options.count.ended(entry);
    if (found === undefined && parent?.directory.wantsFiles) tree.hasMatch = true;
    return undefined;
  }

  /** True with --spider, and where the name is a local directory's. */
  get #makesNoFile(): boolean {
    const { inventory } = this.#directory.options;
    return inventory !== undefined || foundHere(this.#path)?.isDirectory() === true;
  }

  /** True for a link that is fetched if SIZE shows a file, and left out else. */
  get #isForFile(): boolean {
    return this.#directory.isLink && this.#wanted === "file";
  }

  /** A tree's top has no line of --spider, nor has a link that only a pattern for names inside matches. */
  async #noteDirectory(refusal?: Error): Promise<undefined> {
    const { tree, options, isLink, parent } = this.#directory;
    const { shownUrl } = this.document;
    if (this.#isForFile) return tree.leftOut(shownUrl, linkToNoFile);
    // Listing a link or the URL's own name tells what it is.
    const isName = parent !== undefined && !isLink;
    this.#foundDirectory = { refusal: isName ? refusal : undefined };
    const isShown = this.#wanted !== "file" && parent?.directory.isOnTheWay === false;
    if (isShown) await options.inventory?.print({ kind: "directory" }, shownUrl);
  }

  /** A link may lead nowhere, or only match a pattern. @throws the refusal of any other name */
  #noteNothing(refusal: FtpullError): undefined {
    const { isLink, pattern, tree, options } = this.#directory;
    const { shownUrl } = this.document;
    if (this.#isForFile) return tree.leftOut(shownUrl, linkToNoFile);
    if (isLink && pattern !== undefined) return undefined;
    if (!isLink || !saysNothingThere(refusal)) throw refusal;
    options.observer.warning(`${shownUrl}: the link leads nowhere`);
  }
}

const linkToNoFile =
  "the link leads to no file that SIZE shows (--links follow enters directories)";

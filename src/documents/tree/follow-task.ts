/** Fetches or lists a name that may be a file's or a directory's: a link, a name of NLST, or the top of -r. */
import { found } from "../../files/regular-file.ts";
import { saysNothingThere } from "../../ftp/control/reply.ts";
import type { Session } from "../../ftp/session.ts";
import type { Download } from "../file/download.ts";
import { FileTask } from "../file/file-task.ts";
import { kindOf } from "../file/kind-of.ts";
import type { Result } from "../result.ts";
import { type Document, planOver, type Skip, type Task } from "../task.ts";
import type { Tries } from "../task-tries.ts";
import type { Below, Directory } from "./directory.ts";

export class FollowTask implements Task {
  readonly document: Document;
  readonly #path: string;
  readonly #below: Below;
  readonly #file: FileTask;
  #isDirectory = false;

  constructor(file: Omit<Download, "isInTree">, below: Below) {
    const list: Download["list"] = async (_session, _plan, refusal) => this.#noteDirectory(refusal);
    this.document = file.document;
    this.#path = file.path;
    this.#below = below;
    const isInTree = below.directory.parent !== undefined;
    this.#file = new FileTask({ ...file, list, isInTree });
  }

  skip(): Skip | undefined {
    return this.#isDirectoryHere ? undefined : this.#file.skip();
  }

  /** The kind of a link is asked for; any other name is tried as a file first: z/OS lets any name be entered. */
  async run(session: Session, tries: Tries): Promise<Result | undefined> {
    const { isLink, place } = this.#below.directory;
    const { isFile, isDirectory } = place.wanted;
    const plan = planOver(session, this.document);
    if (isLink && !isDirectory) {
      const { facts } = await session.locate({ ...plan, type: "I" });
      if (facts.failure !== undefined) throw facts.failure;
      if (facts.size === undefined) return this.#noteDirectory();
    } else if (isLink || !isFile || this.#isDirectoryHere) {
      const found = await kindOf(session, plan, { asksNlst: false });
      if (found.kind === "directory") return this.#noteDirectory();
      if (found.kind === "nothing")
        return leadsNowhere(this.#below.directory, this.document, found.refusal);
    }
    return isFile ? this.#file.run(session, tries) : undefined;
  }

  beginAgain() {
    return this.#file.beginAgain();
  }

  leftover() {
    return this.#file.leftover();
  }

  further(): Iterator<Task> | undefined {
    const { directory, list } = this.#below;
    const { tree, place, parent } = directory;
    const task = this.#isDirectory && place.wanted.isDirectory ? list() : undefined;
    if (task !== undefined) return [task].values();
    if (place.entry !== undefined) tree.count.ended(place.entry);
    tree.hasMatch ||= !this.#isDirectory && parent?.wantsFiles === true;
    return undefined;
  }

  get #isDirectoryHere(): boolean {
    return found(this.#path)?.isDirectory() === true;
  }

  #noteDirectory(refusal?: Error): undefined {
    const { directory } = this.#below;
    if (directory.isLink && !directory.place.wanted.isDirectory)
      return directory.tree.leftOut(this.document.shownUrl, linkToNoFile);
    if (directory.parent !== undefined && !directory.isLink) directory.refusal = refusal;
    this.#isDirectory = true;
  }
}

export const linkToNoFile =
  "the link leads to no file that SIZE shows (--links follow enters directories)";

/** Warns of a link that leads nowhere, unless it only matches a pattern. @throws any other refusal */
export function leadsNowhere(link: Directory, { shownUrl }: Document, refusal: Error): undefined {
  if (link.isLink && link.patterns.length > 0) return;
  if (!link.isLink || !saysNothingThere(refusal)) throw refusal;
  link.options.observer.warning(`${shownUrl}: the link leads nowhere`);
}

/** Fetches or lists a name that may be a file's or a directory's: a link, a name of NLST, or the top of -r. */
import { found } from "../../files/regular-file.ts";
import { quoteName, ReplyError, saysNothingThere } from "../../ftp/control/reply.ts";
import type { Session } from "../../ftp/session.ts";
import type { Download } from "../file/download.ts";
import { FileTask } from "../file/file-task.ts";
import { type Kind, kindOf } from "../file/kind-of.ts";
import type { Result } from "../result.ts";
import { type Document, planOver, type Skip, type Task } from "../task.ts";
import type { Tries } from "../task-tries.ts";
import type { Below } from "./directory.ts";

export class NameTask implements Task {
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
    const { isFile } = place.wanted;
    if (isLink || !isFile || this.#isDirectoryHere) {
      const kind = await kindOfName(session, this.document, this.#below);
      if (kind?.kind === "directory") return this.#noteDirectory();
      if (kind === undefined || !isFile) return undefined;
    }
    return this.#file.run(session, tries);
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

const linkToNoFile =
  "the link leads to no file that SIZE shows (--links follow enters directories)";

/** Asks for a name's kind; undefined for a link that is left out, with a note. @throws what `kindOf` does; a refusal */
export async function kindOfName(
  session: Session,
  document: Document,
  below?: Below,
): Promise<Exclude<Kind, { kind: "nothing" }> | undefined> {
  const plan = planOver(session, document);
  const { isLink = false, place, patterns = [], tree } = below?.directory ?? {};
  const isForFile = isLink && place?.wanted.isDirectory === false;
  const kind = await kindOf(session, isForFile ? { ...plan, action: "retrieve" } : plan);
  if (kind.kind !== "nothing") return kind;
  if (isForFile) return tree?.leftOut(document.shownUrl, linkToNoFile);
  const leadsNowhere = isLink && saysNothingThere(kind.refusal);
  if (isLink && patterns.length > 0) return undefined; // It only matches a pattern.
  if (below === undefined && kind.refusal instanceof ReplyError)
    throw new ReplyError(`cannot find ${quoteName(plan.name)}`, kind.refusal.reply);
  if (!leadsNowhere) throw kind.refusal;
  tree?.options.observer.warning(`${document.shownUrl}: the link leads nowhere`);
  return undefined;
}

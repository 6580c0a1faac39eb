/** Fetches or lists an entry of a tree, or its top, that may be a file or a directory: the server shows which. */
import { found } from "../../files/regular-file.ts";
import { saysNothingThere } from "../../ftp/control/reply.ts";
import type { Session } from "../../ftp/session.ts";
import type { FileRules, Target } from "../file/download.ts";
import { FileTask } from "../file/file-task.ts";
import { kindOf } from "../file/kind-of.ts";
import type { Result } from "../result.ts";
import { type Document, type Leftover, planOver, type Skip, type Task } from "../task.ts";
import type { Tries } from "../task-tries.ts";
import type { Below } from "./directory.ts";

export class FollowTask implements Task {
  readonly document: Document;
  readonly #path: string;
  readonly #below: Below;
  readonly #file: FileTask;
  #isDirectory = false;

  constructor(document: Document, target: Target, rules: FileRules, below: Below) {
    const list = async (_session: Session, _plan: unknown, refusal?: Error): Promise<undefined> =>
      this.#noteDirectory(refusal);
    this.document = document;
    this.#path = target.path;
    this.#below = below;
    this.#file = new FileTask(document, target, rules, { directory: { list }, isInTree: true });
  }

  get isTop(): boolean {
    return this.#below.directory.parent === undefined;
  }

  skip(): Skip | undefined {
    return found(this.#path)?.isDirectory() ? undefined : this.#file.skip();
  }

  /** The kind of a link is asked for; any other name is tried as a file first: z/OS lets any name be entered. */
  async run(session: Session, tries: Tries): Promise<Result | undefined> {
    const { isLink, place } = this.#below.directory;
    if (!isLink && place.wanted.isFile) return this.#file.run(session, tries);
    const plan = planOver(session, this.document);
    const kind = await kindOf(session, plan, { asksNlst: false });
    if (kind.kind === "directory") return this.#noteDirectory();
    if (kind.kind === "nothing") return this.#leaveOut(kind.refusal);
    return place.wanted.isFile ? this.#file.run(session, tries) : undefined;
  }

  beginAgain(): boolean {
    return this.#file.beginAgain();
  }

  leftover(): Promise<Leftover> {
    return this.#file.leftover();
  }

  further(): Iterator<Task> | undefined {
    const { directory, list } = this.#below;
    const { tree, place, parent } = directory;
    const task = this.#isDirectory && place.wanted.isDirectory ? list() : undefined;
    if (task !== undefined) return [task].values();
    if (place.entry !== undefined) tree.count.ended(place.entry);
    tree.hasFileMatch ||= !this.#isDirectory && parent?.wantsFiles === true;
    return undefined;
  }

  /** Warns of a link that leads nowhere, unless it only matches a pattern. @throws any other refusal */
  #leaveOut(refusal: Error): undefined {
    const { isLink, patterns, options } = this.#below.directory;
    if (isLink && patterns.length > 0) return;
    if (!isLink || !saysNothingThere(refusal)) throw refusal;
    options.observer.warning(`${this.document.shownUrl}: the link leads nowhere`);
  }

  #noteDirectory(refusal?: Error): undefined {
    const { directory } = this.#below;
    if (directory.parent !== undefined && !directory.isLink) directory.refusal = refusal;
    this.#isDirectory = true;
  }
}

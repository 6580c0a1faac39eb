/** Fetches or lists an entry of a tree, or its top, that may be a file or a directory: the server shows which. */
import { found } from "../../files/regular-file.ts";
import { saysNothingThere } from "../../ftp/control/reply.ts";
import type { Session } from "../../ftp/session.ts";
import type { FileRules, Listable, Target } from "../file/download.ts";
import { FileTask } from "../file/file-task.ts";
import type { Result } from "../result.ts";
import { type Document, planOver, type Task } from "../task.ts";
import type { Tries } from "../task-tries.ts";
import type { Below } from "./directory.ts";

export class FollowTask extends FileTask {
  readonly #below: Below;
  #isDirectory = false;

  constructor(document: Document, target: Target, rules: FileRules, below: Below) {
    const list: Listable["list"] = async (_session, _plan, refusal) => this.#noteDirectory(refusal);
    super(document, target, rules, { directory: { list }, isInTree: true });
    this.#below = below;
  }

  get isTop(): boolean {
    return this.#below.directory.parent === undefined;
  }

  override async run(session: Session, tries: Tries): Promise<Result | undefined> {
    if (this.#below.directory.place.wanted.isFile) return super.run(session, tries);
    const plan = planOver(session, this.document);
    const { facts } = await this.locate(session, plan);
    return facts.size === undefined ? this.listInstead(session, plan) : undefined;
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

  override get isThere(): boolean {
    return super.isThere && found(this.path)?.isDirectory() !== true;
  }

  /** Warns of a link that leads nowhere. @throws the server's refusal of any other name */
  protected override async notFound(ofDirectory: Error, ofFile?: Error): Promise<undefined> {
    const { isLink, patterns, options } = this.#below.directory;
    const mayBeFile =
      this.facts?.size !== undefined || (ofFile !== undefined && !saysNothingThere(ofFile));
    // A link to a file may match a pattern for directories: it is left out without a warning.
    const isLeftOut = isLink && patterns.length > 0;
    if (!isLeftOut && (mayBeFile || !isLink)) throw ofFile ?? ofDirectory;
    if (!isLeftOut && !saysNothingThere(ofDirectory)) throw ofDirectory;
    if (!isLeftOut) options.observer.warning(`${this.document.shownUrl}: the link leads nowhere`);
    await this.destination.keep(); // gives back the name that -c has reserved
  }

  #noteDirectory(refusal: Error | undefined): undefined {
    const { directory } = this.#below;
    if (directory.parent !== undefined && !directory.isLink) directory.refusal = refusal;
    this.#isDirectory = true;
  }
}

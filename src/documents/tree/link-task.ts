/** Fetches or lists an entry of a tree, or its top, that may be a file or a directory: the server shows which. */
import { saysNothingThere } from "../../ftp/control/reply.ts";
import type { Session } from "../../ftp/session.ts";
import { found } from "../../files/regular-file.ts";
import type { Tries } from "../task-tries.ts";
import type { FileRules, Listable, Target } from "../file/download.ts";
import { FileTask } from "../file/file-task.ts";
import type { Result } from "../result.ts";
import { type Document, planOver, type Task } from "../task.ts";
import type { Below } from "./tree.ts";

export class LinkTask extends FileTask {
  readonly #below: Below;
  #isDirectory = false;

  constructor(document: Document, target: Target, rules: FileRules, below: Below) {
    const list: Listable["list"] = async (_session, _plan, refusal) => {
      const { directory } = below;
      if (directory.parent !== undefined && !directory.isLink) directory.refusal = refusal;
      this.#isDirectory = true;
      return undefined;
    };
    super(document, target, rules, { directory: { list }, isInTree: true });
    this.#below = below;
  }

  get isTop(): boolean {
    return this.#below.directory.parent === undefined;
  }

  further(): Iterator<Task> | undefined {
    const { tree, directory, task } = this.#below;
    const { entry } = directory.place;
    if (this.#isDirectory) return [task].values();
    if (entry !== undefined) tree.count.ended(entry);
    return undefined;
  }

  override async run(session: Session, tries: Tries): Promise<Result | undefined> {
    if (this.#below.directory.place.wanted.isFile) return super.run(session, tries);
    const plan = planOver(session, this.document);
    const { facts } = await this.locate(session, plan);
    return facts.size === undefined ? this.listInstead(session, plan) : undefined;
  }

  protected override get isThere(): boolean {
    return super.isThere && found(this.path)?.isDirectory() !== true;
  }

  protected override async notFound(error: Error, refusal?: Error): Promise<Result | undefined> {
    const { tree, directory } = this.#below;
    tree.circles.refused(directory);
    const isNothing = this.facts?.size === undefined && (!refusal || saysNothingThere(refusal));
    // A link to a file may match a pattern for directories: it is left out without a warning.
    const isPassed = directory.isLink && directory.patterns.length > 0;
    if (!isPassed) {
      if (!directory.isLink || !isNothing) throw refusal ?? error;
      if (!saysNothingThere(error)) throw error;
      tree.options.observer.warning(`${this.document.shownUrl}: the link leads nowhere`);
    }
    await this.destination.keep(); // gives back the name that -c has reserved
    return this.#below.nowhere?.();
  }
}

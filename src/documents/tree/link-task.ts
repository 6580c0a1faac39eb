/** An entry of a tree, or its top, that may be a file or a directory: the server shows which. */
import { saysNothingThere } from "../../ftp/control/reply.ts";
import type { Session } from "../../ftp/session.ts";
import { found } from "../../files/regular-file.ts";
import type { Tries } from "../task-tries.ts";
import type { FileRules, Target } from "../file/download.ts";
import { FileTask } from "../file/file-task.ts";
import type { Result } from "../result.ts";
import { type Document, planOver, type Task, type Upcoming } from "../task.ts";
import type { DirectoryTask } from "./directory-task.ts";

export class LinkTask extends FileTask {
  /** Task of the directory that the link may lead to, in place of a file. */
  readonly #directory: DirectoryTask;

  constructor(document: Document, target: Target, rules: FileRules, directory: DirectoryTask) {
    super(document, target, rules, { directory, isInTree: true });
    this.#directory = directory;
  }

  further(): Iterator<Task> | undefined {
    return this.#directory.further();
  }

  override end(): void {
    this.#directory.end();
  }

  override async run(session: Session, tries: Tries, ahead: Upcoming): Promise<Result | undefined> {
    if (this.#directory.place.wanted.isFile) return super.run(session, tries, ahead);
    const plan = planOver(session, this.document);
    const { facts } = await this.locate(session, plan);
    return facts.size === undefined ? this.listInstead(session, plan, tries) : undefined;
  }

  protected override get isThere(): boolean {
    return super.isThere && found(this.path)?.isDirectory() !== true;
  }

  protected override async notFound(
    tries: Tries,
    error: Error,
    refusal?: Error,
  ): Promise<undefined> {
    const { tree, isLink } = this.#directory;
    tree.circles.refused(this.#directory);
    const isNothing = this.facts?.size === undefined && (!refusal || saysNothingThere(refusal));
    if (!isLink || !isNothing) throw refusal ?? error;
    if (!saysNothingThere(error)) throw error;
    tries.observer.warning(`${this.document.shownUrl}: the link leads nowhere`);
    await this.destination.keep(); // releases the name that -c has reserved
  }
}

/** An entry of a tree, or its top, that may be a file or a directory: the server shows which. */
import { saysNothingThere } from "../../ftp/control/reply.ts";
import type { Session } from "../../ftp/session.ts";
import { found } from "../../files/regular-file.ts";
import type { Attempt } from "../attempt.ts";
import type { FileRules, Target } from "../file/download.ts";
import { FileTask } from "../file/file-task.ts";
import type { Result } from "../result.ts";
import { type Document, planOver, type Task } from "../task.ts";
import type { Directory } from "./directory.ts";
import type { Tree } from "./tree.ts";

/** The directory that a link may lead to, and the task that lists it. */
export interface Below {
  readonly tree: Tree;
  readonly directory: Directory;
  readonly task: Task;
}

export class LinkTask extends FileTask {
  readonly #tree: Tree;
  readonly #directory: Directory;
  /** The directory's task, once the server has shown that it is one. */
  readonly #following: () => Task | undefined;

  constructor(document: Document, target: Target, rules: FileRules, below: Below) {
    let following: Task | undefined;
    const list = async (): Promise<undefined> => void (following = below.task);
    super(document, target, rules, { directory: { list }, isInTree: true });
    this.#tree = below.tree;
    this.#directory = below.directory;
    this.#following = () => following;
  }

  further(): Iterator<Task> | undefined {
    const { entry } = this.#directory.place;
    const following = this.#following();
    if (following === undefined && entry !== undefined) this.#tree.count.ended(entry);
    return following && [following].values();
  }

  override async run(session: Session, attempt: Attempt): Promise<Result | undefined> {
    if (this.#directory.place.wanted.isFile) return super.run(session, attempt);
    const plan = planOver(session, this.document);
    const { facts } = await this.locate(session, plan);
    return facts.size === undefined ? this.listInstead(session, plan, attempt) : undefined;
  }

  protected override get isThere(): boolean {
    return super.isThere && found(this.path)?.isDirectory() !== true;
  }

  protected override async notFound(
    attempt: Attempt,
    error: Error,
    refusal?: Error,
  ): Promise<undefined> {
    this.#tree.circles.refused(this.#directory);
    const isNothing = this.facts?.size === undefined && (!refusal || saysNothingThere(refusal));
    if (!this.#directory.isLink || !isNothing) throw refusal ?? error;
    if (!saysNothingThere(error)) throw error;
    attempt.observer.warning(`${this.document.shownUrl}: the link leads nowhere`);
    await this.destination.keep(); // releases the name that -c has reserved
  }
}

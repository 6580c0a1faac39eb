/** An entry of a tree, or its top, that may be a file or a directory: the server shows which. */
import { saysNothingThere } from "../../ftp/control/reply.ts";
import type { Session } from "../../ftp/session.ts";
import { found } from "../../files/regular-file.ts";
import type { Attempt } from "../attempt.ts";
import type { FileRules, Target } from "../file/download.ts";
import { FileTask } from "../file/file-task.ts";
import type { Result } from "../result.ts";
import { type Document, planOver, type Task } from "../task.ts";
import type { DirectoryTask } from "./directory-task.ts";
import type { Wanted } from "./entry-filter.ts";

/** What an entry may stand for beside a file. */
export interface Either {
  readonly directory: DirectoryTask;
  /** As what it is wanted. */
  readonly wanted: Wanted;
  /** Whether it may lead nowhere. */
  readonly isLink: boolean;
}

export class LinkTask extends FileTask {
  readonly #either: Either;

  constructor(document: Document, target: Target, rules: FileRules, either: Either) {
    const list = async (session: Session, plan: Parameters<DirectoryTask["list"]>[1]) =>
      either.wanted.isDirectory ? either.directory.list(session, plan) : undefined;
    super(document, target, rules, { directory: { list }, isInTree: true });
    this.#either = either;
  }

  further(): Iterator<Task> | undefined {
    return this.#either.directory.further();
  }

  override end(): void {
    this.#either.directory.end();
  }

  override async run(session: Session, attempt: Attempt): Promise<Result | undefined> {
    if (this.#either.wanted.isFile) return super.run(session, attempt);
    const plan = planOver(session, this);
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
    const { directory, isLink } = this.#either;
    directory.tree.directories.refused(directory);
    const isNothing = this.hasNoSize && (!refusal || saysNothingThere(refusal));
    if (!isLink || !isNothing) throw refusal ?? error;
    if (!saysNothingThere(error)) throw error;
    attempt.observer.warning(`${this.shownUrl}: the link leads nowhere`);
    await this.destination.keep(); // releases the name that -c has reserved
  }
}

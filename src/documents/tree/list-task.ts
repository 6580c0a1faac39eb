/** A list of checksums that is a file of its tree: saved as one, and then read for the files that follow. */
import type { Session } from "../../ftp/session.ts";
import type { Attempt } from "../attempt.ts";
import { FileTask } from "../file/file-task.ts";
import type { Result } from "../result.ts";
import { planOver, type Task } from "../task.ts";
import type { KnownLists } from "../verify/known-lists.ts";

export class ListTask extends FileTask {
  readonly #name: string;
  readonly #lists: KnownLists;
  readonly #following: () => Iterator<Task>;

  /** `name` is that of the list; `following` makes the tasks of the files. */
  constructor(
    name: string,
    lists: KnownLists,
    following: () => Iterator<Task>,
    ...file: ConstructorParameters<typeof FileTask>
  ) {
    super(...file);
    this.#name = name;
    this.#lists = lists;
    this.#following = following;
  }

  /** What counts is the server's list, also where the one that is here is skipped. */
  override skip(): undefined {}

  override async run(session: Session, attempt: Attempt): Promise<Result | undefined> {
    const result = super.skip() ?? (await super.run(session, attempt));
    const ended = result === "left out" ? undefined : result;
    if (ended?.status === "done" && this.rules.sharedPath === undefined)
      await this.#lists.readStored(this.#name, ended.file ?? "");
    else await this.#lists.read(session, planOver(session, this));
    return ended;
  }

  further(): Iterator<Task> {
    this.#lists.giveUp(this.#name);
    return this.#following();
  }
}

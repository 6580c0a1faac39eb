/** Lists of checksums that are files of their tree: each is fetched once, before the files that it is for. */
import { checksumFile } from "../../checksums/candidates.ts";
import type { Session } from "../../ftp/session.ts";
import type { Tries } from "../task-tries.ts";
import { FileTask } from "../file/file-task.ts";
import type { Result } from "../result.ts";
import type { Task, Upcoming } from "../task.ts";
import type { ChecksumDirectory, PublishedList } from "../verify/checksum-directory.ts";
import type { TreeEntry } from "./tree-listing.ts";

/** Saves a list as a file, and then reads it for the files that follow. */
export class ListTask extends FileTask {
  readonly #list: PublishedList;
  readonly #following: () => Iterator<Task>;

  /** `following` makes the tasks of the files that the list is for. */
  constructor(
    list: PublishedList,
    following: () => Iterator<Task>,
    ...file: ConstructorParameters<typeof FileTask>
  ) {
    super(...file);
    this.#list = list;
    this.#following = following;
  }

  /** Never skips before the try: the server's list counts, also where the local one stays. */
  override skip(): undefined {}

  override async run(session: Session, tries: Tries, ahead: Upcoming): Promise<Result | undefined> {
    const result = super.skip() ?? (await super.run(session, tries, ahead));
    const ended = result === "left out" ? undefined : result;
    if (ended?.status === "done" && this.rules.sharedPath === undefined)
      await this.#list.readStored(ended.file ?? "");
    else await this.#list.read(session);
    return ended;
  }

  further(): Iterator<Task> {
    this.#list.giveUp();
    return this.#following();
  }
}

/** Which files of a directory are lists for others. */
export interface ListOrder {
  /** For all files of the directory, the best first. */
  readonly lists: readonly TreeEntry[];
  /** For one file alone, by its name. */
  readonly own: ReadonlyMap<string, TreeEntry>;
  readonly others: readonly TreeEntry[];
}

export function listOrder(
  entries: readonly TreeEntry[],
  checksums: ChecksumDirectory | undefined,
): ListOrder {
  if (checksums === undefined) return { lists: [], own: new Map(), others: entries };
  const files = entries.filter(({ type }) => type === "file");
  const listed = new Map(
    files.flatMap((entry) => (checksumFile(entry.name) ? [[entry.name, entry]] : [])),
  );
  const lists = checksums.listsFor().flatMap(({ file }) => listed.get(file.name) ?? []);
  const own = new Map<string, TreeEntry>();
  for (const { name } of files) {
    if (listed.has(name)) continue;
    const [best] = checksums.listsFor(name);
    const list = listed.get(best?.file.name ?? "");
    if (list !== undefined) own.set(name, list);
  }
  const first = new Set([...lists, ...own.values()]);
  return { lists, own, others: entries.filter((entry) => !first.has(entry)) };
}

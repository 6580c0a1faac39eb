/** --spider: prints an entry of a directory's listing without asking the server. */
import { formatFtpUrl } from "../../url/format.ts";
import type { Result } from "../result.ts";
import type { Skip, Task } from "../task.ts";
import type { Directory } from "../tree/directory.ts";
import { exactTime, shownTime, type TreeEntry } from "../tree/tree-listing.ts";
import { type Inventory, timeOf } from "./inventory.ts";

export class ListedTask implements Task {
  readonly #directory: Directory;
  readonly #entry: TreeEntry;
  readonly #inventory: Inventory;

  constructor(directory: Directory, entry: TreeEntry, inventory: Inventory) {
    this.#directory = directory;
    this.#entry = entry;
    this.#inventory = inventory;
  }

  /** Made on demand: a directory may have a million entries. With `planFor`, no command is sent early. */
  get document(): Task["document"] {
    const { name, type } = this.#entry;
    const url = this.#directory.urlOf(name, type !== "directory");
    const plan = this.#directory.planOf(name, "retrieve");
    return { url, shownUrl: formatFtpUrl(url), plan, planFor: () => plan };
  }

  /** Undefined if the reader of the lines has to catch up first. */
  skip(): Skip | undefined {
    return this.#inventory.isBehind ? undefined : (this.#print() ?? "left out");
  }

  async run(): Promise<Result | undefined> {
    await this.#inventory.caughtUp();
    return this.#print();
  }

  #print(): Result | undefined {
    const { type, name, size, precision } = this.#entry;
    const isDirectory = type === "directory";
    const { selection } = this.#directory.options;
    if (!isDirectory && !selection.hasTime(exactTime(this.#entry))) return undefined;
    const found = { isDirectory, size, modified: shownTime(this.#entry), precision };
    this.#inventory.print(found, this.#directory.labelOf(name));
    if (this.#inventory.hasLines || isDirectory) return undefined;
    const { shownUrl: url } = this.document;
    return { url, status: "done", exit: 0, size, modified: timeOf(found) };
  }
}

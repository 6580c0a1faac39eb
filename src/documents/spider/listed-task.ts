/** --spider: prints an entry of a directory's listing without asking the server. */
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Result } from "../result.ts";
import type { Document, Skip, Task } from "../task.ts";
import type { Directory } from "../tree/directory.ts";
import { exactTime, shownTime, type TreeEntry } from "../tree/tree-listing.ts";
import { type Inventory, timeOf } from "./inventory.ts";

/** `ListedTask` is a class: a literal with functions of its own would take twice the memory for a million (V8). */
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
  get document(): Document {
    const plan = this.#directory.planOf(this.#entry.name, "retrieve");
    return { url: this.#url, shownUrl: formatFtpUrl(this.#url), plan, planFor: () => plan };
  }

  skip(): Skip | undefined {
    return this.#inventory.isBehind ? undefined : (this.#print() ?? "left out");
  }

  async run(): Promise<Result | undefined> {
    await this.#inventory.caughtUp();
    return this.#print();
  }

  get #url(): FtpUrl {
    return this.#directory.urlOf(this.#entry.name, { mayBeFile: this.#entry.type !== "directory" });
  }

  #print(): Result | undefined {
    const { type, name, precision, target = "" } = this.#entry;
    const { selection, decode } = this.#directory.options;
    const [isDirectory, isLink] = [type === "directory", type === "link"];
    const isFile = !isDirectory && !isLink;
    if (isFile && !selection.hasTime(exactTime(this.#entry))) return undefined;
    const size = isFile ? this.#entry.size : undefined;
    const found = { isDirectory, isLink, size, modified: shownTime(this.#entry), precision };
    const shownTarget = isLink ? ` -> ${decode(target)}` : "";
    this.#inventory.print(found, this.#directory.labelOf(name) + shownTarget);
    if (this.#inventory.hasLines || isDirectory) return undefined;
    const url = formatFtpUrl(this.#url);
    return { url, status: "done", exit: 0, size, modified: timeOf(found) };
  }
}

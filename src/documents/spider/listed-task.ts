/** --spider: prints an entry of a directory's listing without asking the server. */
import { formatFtpUrl } from "../../url/format.ts";
import type { Result } from "../result.ts";
import type { Task } from "../task.ts";
import type { Directory } from "../tree/directory.ts";
import { exactTime, shownTime, type TreeEntry } from "../tree/tree-listing.ts";
import { type Inventory, timeOf } from "./inventory.ts";

export function listedTask(directory: Directory, entry: TreeEntry, inventory: Inventory): Task {
  const { name, type } = entry;
  const isDirectory = type === "directory";
  const url = () => directory.urlOf(name, !isDirectory);
  const print = (): Result | undefined => {
    const isLink = type === "link";
    const isChosen = isDirectory || isLink;
    if (!isChosen && !directory.options.selection.hasTime(exactTime(entry))) return undefined;
    const size = isChosen ? undefined : entry.size;
    const { precision } = entry;
    const found = { isDirectory, isLink, size, modified: shownTime(entry), precision };
    const target = isLink ? ` -> ${directory.options.decode(entry.target ?? "")}` : "";
    inventory.print(found, directory.labelOf(name) + target);
    if (inventory.hasLines || isDirectory) return undefined;
    return { url: formatFtpUrl(url()), status: "done", exit: 0, size, modified: timeOf(found) };
  };
  return {
    // Made on demand: a directory may have a million entries. With `planFor`, no command is sent early.
    get document() {
      const plan = directory.planOf(name, "retrieve");
      return { url: url(), shownUrl: formatFtpUrl(url()), plan, planFor: () => plan };
    },
    skip: () => (inventory.isBehind ? undefined : (print() ?? "left out")),
    run: async () => {
      await inventory.caughtUp();
      return print();
    },
  };
}

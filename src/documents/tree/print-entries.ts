/** --spider: prints the entries of a tree's directory as its listing shows them. */
import { formatFtpUrl } from "../../url/format.ts";
import { type Found, type Inventory, shortTime } from "../spider/inventory.ts";
import type { Directory, ListedDirectory } from "./tree.ts";
import { knownFate, shownTime, type TreeEntry } from "./tree-listing.ts";

/** With --json, files and links are reported as results. @throws FtpullError "file" */
export async function printEntries({ directory, listing }: ListedDirectory, inventory: Inventory) {
  for (const entry of listing.entries) {
    const kind = kindShown(directory, entry);
    if (kind === undefined) continue;
    const url = formatFtpUrl(directory.urlOf(entry.name));
    const { precision } = entry;
    const size = kind === "file" ? entry.size : undefined;
    const modified = shownTime(entry);
    if (inventory.add({ kind, size, modified, precision }, url)) await inventory.flush();
    if (inventory.hasLines || kind === "directory") continue;
    const facts = { size, modified: shortTime(modified, precision) };
    await directory.options.report({ url, status: "done", exit: 0, ...facts });
  }
  await inventory.flush();
}

/** Undefined for an entry that the server is asked about, that can't be fetched, or that isn't wanted. */
function kindShown({ isOnTheWay }: Directory, entry: TreeEntry): Found["kind"] | undefined {
  const { kind } = knownFate(entry);
  if (kind === "local link") return "link";
  const isShown = kind === "file" || (kind === "directory" && !isOnTheWay);
  return isShown ? kind : undefined;
}

/** --spider: prints the entries of a tree's directory as its listing shows them. */
import { formatFtpUrl } from "../../url/format.ts";
import type { Directory } from "../tree/tree.ts";
import { inTurn, wantedAs, whyUnfetchable } from "../tree/entry-filter.ts";
import { fateOf } from "../tree/local-links.ts";
import { exactTime, shownTime, type TreeEntry } from "../tree/tree-listing.ts";
import { type Found, type Inventory, shortTime } from "./inventory.ts";

/** With --json, files and links are reported as results. @throws FtpullError "file" */
export async function printEntries(
  directory: Directory,
  entries: readonly TreeEntry[],
  inventory: Inventory,
): Promise<void> {
  for (const entry of inTurn(directory, entries)) {
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
function kindShown(directory: Directory, entry: TreeEntry): Found["kind"] | undefined {
  const { isOnTheWay, options } = directory;
  if (whyUnfetchable(entry) !== undefined) return undefined;
  if (entry.type === "file" || entry.type === "directory") {
    const isInTime = entry.type === "directory" || options.selection.hasTime(exactTime(entry));
    return isInTime && !isOnTheWay ? entry.type : undefined;
  }
  const isWanted = entry.type === "link" && wantedAs(directory, entry)?.isFile;
  return isWanted && typeof fateOf(directory, entry) === "object" ? entry.type : undefined;
}

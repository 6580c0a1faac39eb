/** --spider in a tree: a directory's entries are printed in place of being fetched. */
import { formatFtpUrl } from "../../url/format.ts";
import { failed } from "../result.ts";
import type { EntryRecord } from "../tree/record.ts";
import type { TreeSettings } from "../tree/tree.ts";
import { isFile, type Listed, unfetchable, type WantedEntries } from "../tree/wanted-entries.ts";
import type { Inventory } from "./inventory.ts";

/** Characters that are printed at once. */
const pieceSize = 16 * 1024;

/** Prints what is wanted; links are looked at by jobs of their own. */
export async function printEntries(
  directory: Listed,
  entries: WantedEntries,
  settings: TreeSettings,
  inventory: Inventory,
): Promise<void> {
  let text = "";
  inventory.hasTree = true;
  for (const entry of directory.records()) {
    text += lineOf(entry, directory, entries, settings, inventory);
    if (text.length < pieceSize) continue;
    await inventory.write(text);
    text = "";
  }
  if (text !== "") await inventory.write(text);
}

function lineOf(
  entry: EntryRecord,
  directory: Listed,
  entries: WantedEntries,
  { hasTime, report }: TreeSettings,
  inventory: Inventory,
): string {
  const { type, name, size, modified, shownTime } = entry;
  const isDirectory = type === "directory";
  const wanted = isDirectory || isFile(entry) ? entries.wanted(entry) : undefined;
  if (wanted === undefined || !(isDirectory || hasTime(shownTime))) return "";
  const error = unfetchable(entry);
  if (error !== undefined) {
    // A directory's own job reports it.
    if (!isDirectory) void report(failed(formatFtpUrl(entries.urlOf(name, wanted)), error));
    return "";
  }
  const found = { isDirectory, size, modified: shownTime, modifiedExact: modified !== undefined };
  return inventory.lineOf(found, directory.labelOf(name));
}

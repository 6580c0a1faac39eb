/** --spider in a tree: a directory's entries are printed in place of being fetched. */
import { formatFtpUrl } from "../../url/format.ts";
import { failed } from "../result.ts";
import type { EntryRecord } from "../tree/record.ts";
import type { TreeSettings } from "../tree/tree.ts";
import { isFile, type Listed, unfetchable, type WantedEntries } from "../tree/wanted-entries.ts";
import type { Found, Inventory } from "./inventory.ts";

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
  let reported = Promise.resolve();
  inventory.hasTree = true;
  for (const entry of directory.records()) {
    const found = foundIn(entry, entries, settings);
    if (found === undefined) continue;
    if (!inventory.hasLines && !found.isDirectory) reported = reportFile(entry, entries, settings);
    text += inventory.lineOf(found, directory.labelOf(entry.name));
    if (text.length < pieceSize) continue;
    await inventory.write(text);
    await reported;
    text = "";
  }
  if (text !== "") await inventory.write(text);
}

/** Undefined for what is left out, can't be fetched, or has a job of its own. */
function foundIn(
  entry: EntryRecord,
  entries: WantedEntries,
  { hasTime, report }: TreeSettings,
): Found | undefined {
  const { type, name, size, modified, shownTime } = entry;
  const isDirectory = type === "directory";
  const wanted = isDirectory || isFile(entry) ? entries.wanted(entry) : undefined;
  if (wanted === undefined || !(isDirectory || hasTime(shownTime))) return undefined;
  const error = unfetchable(entry);
  // A directory's own job reports it.
  if (error !== undefined && !isDirectory)
    void report(failed(formatFtpUrl(entries.urlOf(name, wanted)), error));
  if (error !== undefined) return undefined;
  return { isDirectory, size, modified: shownTime, modifiedExact: modified !== undefined };
}

function reportFile(
  { name, size, modified }: EntryRecord,
  entries: WantedEntries,
  { report }: TreeSettings,
): Promise<void> {
  const url = formatFtpUrl(entries.urlOf(name, { isFile: true }));
  return report({ url, status: "done", exit: 0, size, modified });
}

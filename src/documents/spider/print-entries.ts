/** --spider in a tree: a directory's entries are printed in place of being fetched. */
import { FtpullError } from "../../errors.ts";
import type { Session } from "../../ftp/session.ts";
import { formatFtpUrl } from "../../url/format.ts";
import { failed } from "../result.ts";
import type { DirectoryTask } from "../tree/directory-task.ts";
import { whyUnfetchable } from "../tree/entry-filter.ts";
import { factsOf, groupsOf } from "../tree/times-task.ts";
import { exactTime, isFile, shownTime, type TreeEntry } from "../tree/tree-listing.ts";
import { type Inventory, timeOf } from "./inventory.ts";

/** Characters that are printed at once. */
const pieceSize = 16 * 1024;

/** Prints what is wanted; links are looked at by tasks of their own. */
export async function printEntries(
  session: Session,
  directory: DirectoryTask,
  entries: readonly TreeEntry[],
  inventory: Inventory,
): Promise<void> {
  if (directory.tree.options.selection.hasTimes) await askTimes(session, directory, entries);
  await inventory.turns.take(() => printLines(directory, entries, inventory));
}

/** Asks for the times by which a run would choose files, where the listing has no exact ones. */
async function askTimes(
  session: Session,
  directory: DirectoryTask,
  entries: readonly TreeEntry[],
): Promise<void> {
  const asked = entries.filter(
    (entry) => entry.type === "file" && entry.precision !== "exact" && !whyUnfetchable(entry),
  );
  for (const group of groupsOf(asked))
    for await (const [entry, { modified }] of factsOf(session, directory, group, "time")) {
      if (modified === undefined) continue;
      entry.seconds = modified.getTime() / 1000;
      entry.precision = "exact";
    }
}

async function printLines(
  directory: DirectoryTask,
  entries: readonly TreeEntry[],
  inventory: Inventory,
): Promise<void> {
  const { report, selection } = directory.tree.options;
  let text = "";
  let reported = Promise.resolve();
  inventory.hasTree = true;
  for (const entry of entries) {
    const { type, name, size, precision } = entry;
    const isDirectory = type === "directory";
    if (!isDirectory && !(isFile(entry) && selection.hasTime(exactTime(entry)))) continue;
    const problem = whyUnfetchable(entry);
    const url = (): string => formatFtpUrl(directory.urlOf(name, !isDirectory));
    // A directory's own task reports it.
    if (problem !== undefined && !isDirectory)
      void report(failed(url(), new FtpullError("protocol", problem)));
    if (problem !== undefined) continue;
    const found = { isDirectory, size, modified: shownTime(entry), precision };
    if (!inventory.hasLines && !isDirectory)
      reported = report({ url: url(), status: "done", exit: 0, size, modified: timeOf(found) });
    text += inventory.lineOf(found, directory.labelOf(name));
    if (text.length < pieceSize) continue;
    await inventory.write(text);
    await reported;
    text = "";
  }
  if (text !== "") await inventory.write(text);
}

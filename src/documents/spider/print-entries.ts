/** --spider in a tree: a directory's entries are printed in place of being fetched. */
import type { Session } from "../../ftp/session.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Plan } from "../../url/plan.ts";
import { failed } from "../result.ts";
import { unfetchable } from "../tree/entry-filter.ts";
import { mostAsked } from "../tree/times-task.ts";
import { exactTime, isFile, shownTime, type TreeEntry } from "../tree/tree-listing.ts";
import type { TreeOptions } from "../tree/tree.ts";
import { type Inventory, timeOf } from "./inventory.ts";

/** Characters that are printed at once. */
const pieceSize = 16 * 1024;

/** What the lines of a directory's entries are made from. */
interface Printed {
  labelOf(name: string): string;
  urlOf(name: string, mayBeFile: boolean): FtpUrl;
}

/** Asks for the times by which a run would choose files, where the listing has no exact ones. */
export async function askTimes(
  session: Session,
  entries: TreeEntry[],
  planOf: (name: string) => Plan,
): Promise<void> {
  const isAsked = (entry: TreeEntry): boolean =>
    entry.type === "file" && !entry.isExact && unfetchable(entry) === undefined;
  const asked = [...entries.keys()].filter((index) => isAsked(entries[index]!));
  while (asked.length > 0) {
    const group = asked.splice(0, mostAsked);
    const plans = group.map(
      (index) => ({ ...planOf(entries[index]!.name), known: "size" }) as const,
    );
    for await (const { facts } of session.locateAll(plans)) {
      const index = group.shift()!;
      const seconds = facts.modified && facts.modified.getTime() / 1000;
      if (seconds !== undefined) entries[index] = { ...entries[index]!, seconds, isExact: true };
    }
  }
}

/** Prints what is wanted; links are looked at by tasks of their own. */
export async function printEntries(
  directory: Printed,
  entries: readonly TreeEntry[],
  inventory: Inventory,
  { report, selection }: TreeOptions,
): Promise<void> {
  let text = "";
  let reported = Promise.resolve();
  inventory.hasTree = true;
  for (const entry of entries) {
    const { type, name, size } = entry;
    const isDirectory = type === "directory";
    if (!isDirectory && !(isFile(entry) && selection.hasTime(exactTime(entry)))) continue;
    const error = unfetchable(entry);
    const url = (): string => formatFtpUrl(directory.urlOf(name, !isDirectory));
    // A directory's own task reports it.
    if (error !== undefined && !isDirectory) void report(failed(url(), error));
    if (error !== undefined) continue;
    const found = { isDirectory, size, modified: shownTime(entry), modifiedExact: entry.isExact };
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

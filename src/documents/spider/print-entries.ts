/** --spider in a tree: a directory's entries are printed in place of being fetched. */
import type { Session } from "../../ftp/session.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { Plan } from "../../url/plan.ts";
import { failed } from "../result.ts";
import { mostAsked } from "../tree/asked-facts.ts";
import type { EntryRecord } from "../tree/record.ts";
import type { TreeSettings } from "../tree/tree.ts";
import {
  isFetchable,
  isFile,
  type Listed,
  unfetchable,
  type WantedEntries,
} from "../tree/wanted-entries.ts";
import { type Found, type Inventory, timeOf } from "./inventory.ts";

/** Characters that are printed at once. */
const pieceSize = 16 * 1024;

/** What MDTM says of files, by name. */
type Times = ReadonlyMap<string, Date | undefined>;

/** Asks for the times by which a run would choose files, where the listing has no exact ones. */
export async function askTimes(
  session: Session,
  directory: Listed,
  entries: WantedEntries,
  { choosesByTime, planFor }: TreeSettings,
): Promise<Times> {
  const times = new Map<string, Date | undefined>();
  let plans: Plan[] = [];
  const ask = async (): Promise<void> => {
    const names = plans.map(({ name }) => name).values();
    for await (const { facts } of session.locateAll(plans))
      times.set(names.next().value!, facts.modified);
    plans = [];
  };
  if (!choosesByTime) return times;
  for (const entry of directory.records()) {
    const isAsked = entry.type === "file" && entry.modified === undefined && isFetchable(entry);
    if (!isAsked || entries.wanted(entry) === undefined) continue;
    plans.push({ ...planFor(directory.cwds, entry.name, "retrieve"), known: "size" });
    if (plans.length === mostAsked) await ask();
  }
  await ask();
  return times;
}

/** Prints what is wanted; links are looked at by jobs of their own. */
export async function printEntries(
  directory: Listed,
  entries: WantedEntries,
  settings: TreeSettings,
  inventory: Inventory,
  times: Times,
): Promise<void> {
  let text = "";
  let reported = Promise.resolve();
  inventory.hasTree = true;
  for (const entry of directory.records()) {
    const found = foundIn(entry, entries, settings, times);
    if (found === undefined) continue;
    if (!inventory.hasLines && !found.isDirectory)
      reported = reportFile(entry.name, found, entries, settings);
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
  times: Times,
): Found | undefined {
  const { type, name, size, shownTime } = entry;
  const exact = entry.modified ?? times.get(name);
  const time = times.has(name) ? exact : shownTime;
  const isDirectory = type === "directory";
  const wanted = isDirectory || isFile(entry) ? entries.wanted(entry) : undefined;
  if (wanted === undefined || !(isDirectory || hasTime(time))) return undefined;
  const error = unfetchable(entry);
  // A directory's own job reports it.
  if (error !== undefined && !isDirectory)
    void report(failed(formatFtpUrl(entries.urlOf(name, wanted)), error));
  if (error !== undefined) return undefined;
  return { isDirectory, size, modified: exact ?? shownTime, modifiedExact: exact !== undefined };
}

function reportFile(
  name: string,
  found: Found,
  entries: WantedEntries,
  { report }: TreeSettings,
): Promise<void> {
  const url = formatFtpUrl(entries.urlOf(name, { isFile: true }));
  return report({ url, status: "done", exit: 0, size: found.size, modified: timeOf(found) });
}

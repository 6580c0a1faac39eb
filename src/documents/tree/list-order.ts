/** Which files of a directory have the checksums of others: they come first, so that each is fetched once. */
import { checksumFile } from "../../checksums/candidates.ts";
import type { ChecksumDirectory } from "../verify/checksum-directory.ts";
import type { TreeEntry } from "./tree-listing.ts";

export interface ListOrder {
  /** For all files of the directory, the best first. */
  readonly lists: readonly TreeEntry[];
  /** For one file alone, by its name. */
  readonly own: ReadonlyMap<string, TreeEntry>;
  readonly others: readonly TreeEntry[];
}

export function listOrder(
  entries: readonly TreeEntry[],
  checksums: ChecksumDirectory | undefined,
): ListOrder {
  if (checksums === undefined) return { lists: [], own: new Map(), others: entries };
  const files = entries.filter(({ type }) => type === "file");
  const listed = new Map(
    files.flatMap((entry) => (checksumFile(entry.name) ? [[entry.name, entry]] : [])),
  );
  const lists = checksums.listNames.flatMap((name) => listed.get(name) ?? []);
  const own = new Map<string, TreeEntry>();
  for (const { name } of files) {
    const list = listed.has(name) ? undefined : listed.get(checksums.ownOf(name) ?? "");
    if (list !== undefined) own.set(name, list);
  }
  const first = new Set([...lists, ...own.values()]);
  return { lists, own, others: entries.filter((entry) => !first.has(entry)) };
}

/**
 * -N: whether a file has to be fetched, told by what the server says of it and what is here.
 */
import { type ExistingFile, existingFile } from "../local/regular-file.ts";
import type { FileFacts } from "../session/session.ts";
import type { Observer } from "./events.ts";

/**
 * Whether the server's file is newer than the one here, or of another size. What the server
 * doesn't say isn't compared; where it says nothing at all, its file counts as newer. Seconds
 * are whole: most file systems and most servers drop what is behind them.
 */
export function isNewer({ size, modified }: FileFacts, local: ExistingFile | undefined): boolean {
  if (local === undefined || (size === undefined && modified === undefined)) return true;
  if (size !== undefined && size !== local.octets) return true;
  return modified !== undefined && wholeSeconds(modified) > wholeSeconds(local.modified);
}

function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** Asks, for a file with these facts, for the reason why the one at `path` is good enough. */
export function reasonToKeep(
  path: string,
  observer: Observer,
): (facts: FileFacts) => string | undefined {
  return (facts) => {
    if (isNewer(facts, existingFile(path))) return undefined;
    if (facts.modified !== undefined) return `"${path}" is as new as the server's`;
    observer.warning(`the server doesn't say how old its file is: "${path}" may be older`);
    return `"${path}" is as large as the server's`;
  };
}

/** The note that a directory is listed, where options show that its files were meant. */
import type { Observer } from "../../documents/events.ts";
import { hintAtTrees } from "../../documents/tree/selection.ts";
import type { Settings } from "../../options/command-line.ts";

export function sayListed(shownUrl: string, settings: Settings, observer: Observer): void {
  if (!isForFiles(settings)) return;
  const words = `${shownUrl} is a directory: it is listed, and no file is fetched`;
  observer.infoAlways(words, hintAtTrees);
}

export function isForFiles(settings: Settings): boolean {
  const { recursive, spider, outputDocument } = settings;
  if (recursive || spider || outputDocument !== undefined) return false;
  const { directoryPrefix, forceDirectories } = settings;
  const { continue: isResuming, timestamping, noClobber } = settings;
  const hasPlace = directoryPrefix !== "." || forceDirectories;
  return hasPlace || isResuming || timestamping || noClobber;
}

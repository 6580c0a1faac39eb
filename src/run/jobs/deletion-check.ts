/** --delete: refuses URLs whose local files can't be told from others. */
import { join, relative, resolve, sep } from "node:path";
import type { Document } from "../../documents/task.ts";
import { markOf, markPath, readMark } from "../../documents/tree/mirror-mark.ts";
import { FtpullError } from "../../errors.ts";
import { linkBelow } from "../../files/folder.ts";
import { localEntries } from "../../files/gone.ts";
import type { Settings } from "../../options/command-line.ts";
import { quoteForShell } from "../../text/escape.ts";
import { treeFolder } from "./local-paths.ts";
import { hasPattern } from "./requested.ts";

/** @throws FtpullError "usage" unless each document is a whole tree whose folder is its own, and is empty or has its mark */
export function checkDeletion(documents: readonly Document[], settings: Settings): void {
  const { directoryPrefix, noHostDirectories, spider } = settings;
  const folders: string[] = [];
  for (const document of documents) {
    const { plan, shownUrl, url } = document;
    if (hasPattern(document) || plan.action === "retrieve")
      throw refused(`it is for whole directories, and ${shownUrl} is none`);
    const { path, cutDirs: levelsLeftToCut } = treeFolder(url, plan, settings);
    if (levelsLeftToCut > 0)
      throw refused(`by --cut-dirs, directories of ${shownUrl} share "${path}"`);
    const root = { ...plan, cwds: [], name: "" };
    const isHostFolder = path === treeFolder(url, root, settings).path;
    if (settings.cutDirs > 0 && isHostFolder && !noHostDirectories) {
      const hint = "add -nH, with a directory for this tree alone as -P";
      throw refused(`by --cut-dirs, trees of one host share "${path}"`, hint);
    }
    const folder = join(resolve(path), sep);
    const other = folders.find((one) => one.startsWith(folder) || folder.startsWith(one));
    if (other !== undefined) throw refused(`the files of two URLs would be in "${folder}"`);
    folders.push(folder);
    const link = linkBelow(directoryPrefix, path);
    if (link !== undefined) throw refused(`"${relative("", link)}" is a symbolic link`);
    // A preview deletes nothing.
    if (!spider) checkMark(path, markOf(url, plan, settings));
  }
}

function checkMark(path: string, url: string): void {
  const marked = readMark(path);
  if (marked === url) return;
  const foreign = localEntries(path)[0]?.name;
  if (foreign === undefined) return;
  const [text, mark] = [url, markPath(path)].map(quoteForShell);
  const look = "--spider shows what would go";
  if (marked === undefined || marked === "none") {
    const hint = `${look}; if all of it may: echo ${text} > ${mark}`;
    const words =
      marked === undefined
        ? `"${path}" has "${foreign}", and no mark of ${url}, which only an empty directory gets`
        : `"${path}" has files of two trees: that of ${url}, and another one`;
    throw refused(words, hint);
  }
  const hint = `${look}; if the server has moved, remove or rewrite ${mark}`;
  throw refused(`"${path}" is marked as the mirror of ${marked}, not of ${url}`, hint);
}

function refused(words: string, hint?: string): FtpullError {
  return new FtpullError("usage", `--delete: ${words}`, { hint });
}

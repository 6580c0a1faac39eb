/** --delete: refuses URLs whose local files can't be told from others. */
import { join, resolve, sep } from "node:path";
import type { Document } from "../../documents/task.ts";
import { FtpullError } from "../../errors.ts";
import { firstForeign, markPath } from "../../files/mirror-mark.ts";
import { foundItself } from "../../files/regular-file.ts";
import type { Settings } from "../../options/command-line.ts";
import { quoteForShell } from "../../text/escape.ts";
import { formatFtpUrl } from "../../url/format.ts";
import { treeFolder } from "./local-paths.ts";
import { hasPattern } from "./requested.ts";
import { asDirectory } from "./task-maker.ts";

/** @throws FtpullError "usage" unless each document is a whole tree with a folder of its own */
export function checkDeletion(documents: readonly Document[], settings: Settings): void {
  const folders: string[] = [];
  for (const document of documents) {
    const { plan, shownUrl, url } = document;
    if (hasPattern(document) || plan.action === "retrieve")
      throw refused(`it is for whole directories, and ${shownUrl} is none`);
    const directory = asDirectory(url);
    const { path, cutDirs, pathname } = treeFolder(directory, plan, settings);
    if (cutDirs > 0) throw refused(`by --cut-dirs, directories of ${shownUrl} share "${path}"`);
    const hostFolder = treeFolder(url, { ...plan, cwds: [], name: "" }, settings).path;
    const isCutToHost = settings.cutDirs > 0 && pathname !== "" && path === hostFolder;
    if (isCutToHost && !isDirectoryPrefix(path, settings)) {
      const hint = "add -nH, with a directory for this tree alone as -P";
      throw refused(`by --cut-dirs, trees of one host share "${path}"`, hint);
    }
    const folder = join(resolve(path), sep);
    const other = folders.find((one) => one.startsWith(folder) || folder.startsWith(one));
    if (other !== undefined) throw refused(`the files of two URLs would be in "${folder}"`);
    folders.push(folder);
    checkOwn(path, formatFtpUrl(directory), settings);
  }
}

/** Refuses a directory with files that may be another's: one that a link leads to, or that the user chose as -P. */
function checkOwn(path: string, url: string, settings: Settings): void {
  if (!isDirectoryPrefix(path, settings)) {
    if (foundItself(path)?.isSymbolicLink()) throw refused(`"${path}" is a symbolic link`);
    return;
  }
  // A preview deletes nothing.
  const foreign = settings.spider ? undefined : firstForeign(path, url);
  if (foreign === undefined) return;
  const [text, mark] = [url, markPath(path)].map(quoteForShell);
  const hint = `--spider shows what would go; if all of it may: echo ${text} > ${mark}`;
  throw refused(`"${path}" has "${foreign}", and no mark of an earlier run of ${url}`, hint);
}

function isDirectoryPrefix(path: string, { directoryPrefix }: Settings): boolean {
  return resolve(path) === resolve(directoryPrefix);
}

function refused(words: string, hint?: string): FtpullError {
  return new FtpullError("usage", `--delete: ${words}`, { hint });
}

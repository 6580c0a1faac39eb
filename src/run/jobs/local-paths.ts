/** Local paths of documents and trees, by -P, -x, -nH, --cut-dirs, -nd and the names in URLs. */
import { join, relative, sep } from "node:path";
import type { Document } from "../../documents/task.ts";
import { FtpullError } from "../../errors.ts";
import { withWriteErrors } from "../../files/file-error.ts";
import { followLinks } from "../../files/links.ts";
import { localName, whyReserved } from "../../files/names.ts";
import { namesIn } from "../../ftp/path-steps.ts";
import type { Settings } from "../../options/command-line.ts";
import { decoderFor } from "../../text/encoding.ts";
import { formatHost } from "../../url/format.ts";
import { defaultPorts, type FtpUrl } from "../../url/ftp-url.ts";
import type { Plan } from "../../url/plan.ts";

/** @throws FtpullError "file" if -x leads through a link that another user has planted in the top directory */
export function filePath(url: FtpUrl, plan: Plan, settings: Settings): string {
  const folder = folderOf(url, plan.cwds, settings).path;
  if (settings.forceDirectories) checkNotPlanted(folder, settings.directoryPrefix);
  return join(folder, nameOf(plan.name, settings));
}

/** What is below the first directory isn't in one that all may write to. */
function checkNotPlanted(folder: string, top: string): void {
  const [first] = withWriteErrors(folder, () => relative(top, folder)).split(sep);
  if (first) followLinks(join(top, first));
}

/**
 * A local folder. `cutDirs` is the number of levels below the directory whose files go to the same folder;
 * `pathname` is the one on the server, as --exclude-directories names it.
 */
interface Folder {
  readonly path: string;
  readonly cutDirs: number;
  readonly pathname: string;
}

/** The folder of the directory `cwds`. Unless paths are kept, it also has the files of `levels` levels below. */
function folderOf(url: FtpUrl, cwds: readonly string[], settings: Settings, levels = 0): Folder {
  const { directoryPrefix, noHostDirectories, noDirectories, remoteEncoding } = settings;
  const pathname = segmentsOf(cwds).map(decoderFor(remoteEncoding)).join("/");
  if (!keepsPaths(settings)) return { path: directoryPrefix, cutDirs: levels, pathname };
  const host = noHostDirectories || noDirectories ? [] : [hostName(url)];
  const cut = noDirectories ? Infinity : settings.cutDirs;
  const names = namesOf(cwds, settings);
  const path = join(directoryPrefix, ...host, ...names.slice(cut));
  return { path, cutDirs: Math.max(0, cut - names.length), pathname };
}

/** The folder of a tree, or of the files of a pattern. */
export function topFolder({ url, plan, patterns = [] }: Document, settings: Settings): Folder {
  const { cwds, name } = plan;
  if (patterns.length > 0) return folderOf(url, cwds, settings, patterns.length - 1);
  const all = name === "" ? cwds : [...cwds, name];
  const folder = folderOf(url, all, settings);
  if (keepsPaths(settings)) return folder;
  return { ...folder, path: join(folder.path, namesOf(all, settings).at(-1) ?? hostName(url)) };
}

/** @throws FtpullError "protocol" for a name that this program's own folders could have */
export function checkNames(path: string, settings: Settings): void {
  const { directoryPrefix, outputDocument, spider } = settings;
  if (outputDocument !== undefined || spider) return;
  // `relative` throws if the working directory is gone.
  const below = withWriteErrors(path, () => relative(directoryPrefix, path));
  for (const name of below.split(sep)) {
    const reserved = whyReserved(name);
    if (reserved !== undefined)
      throw new FtpullError("protocol", `cannot save "${name}": ${reserved}`);
  }
}

/** True if paths on the server shape local ones. Without -r or -x, -nH and --cut-dirs change nothing, as in wget. */
function keepsPaths(settings: Settings): boolean {
  const { forceDirectories, recursive, noHostDirectories, noDirectories, cutDirs } = settings;
  return forceDirectories || (recursive && (noHostDirectories || noDirectories || cutDirs > 0));
}

function namesOf(cwds: readonly string[], settings: Settings): string[] {
  return segmentsOf(cwds).map((name) => (name === ".." ? "%2E%2E" : nameOf(name, settings)));
}

/** An argument of CWD may be a whole path, such as "/etc/init.d". */
function segmentsOf(cwds: readonly string[]): string[] {
  return cwds.flatMap(namesIn);
}

function nameOf(octets: string, { remoteEncoding }: Settings): string {
  return localName(octets, decoderFor(remoteEncoding));
}

function hostName({ host, port, scheme }: FtpUrl): string {
  const name = formatHost(host);
  const text = port === defaultPorts[scheme] ? name : `${name}:${port}`;
  return localName(text, (octets) => octets);
}

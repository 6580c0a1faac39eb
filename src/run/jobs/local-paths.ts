/** Where documents and trees are saved: -P, -x, -nH, --cut-dirs and the names in URLs. */
import { join, relative, sep } from "node:path";
import { FtpullError } from "../../errors.ts";
import { isFolderName, localName } from "../../files/names.ts";
import type { Settings } from "../../options/command-line.ts";
import { decoderFor } from "../../text/encoding.ts";
import { formatHost } from "../../url/format.ts";
import { defaultPorts, type FtpUrl } from "../../url/ftp-url.ts";
import type { Plan } from "../../url/plan.ts";

type PathSettings = Pick<
  Settings,
  "directoryPrefix" | "forceDirectories" | "noHostDirectories" | "cutDirs" | "remoteEncoding"
>;

/** The file for a document, in a directory of its own with -x, -nH and --cut-dirs. */
export function filePath(url: FtpUrl, plan: Plan, settings: PathSettings): string {
  return join(folderOf(url, plan.cwds, settings), nameOf(settings)(plan.name));
}

/** The directory for what matches a pattern in `cwds`. */
export function folderOf(url: FtpUrl, cwds: readonly string[], settings: PathSettings): string {
  const { directoryPrefix, noHostDirectories, cutDirs } = settings;
  if (!isShaped(settings)) return directoryPrefix;
  const host = noHostDirectories ? [] : [hostName(url)];
  return join(directoryPrefix, ...host, ...namesOf(cwds, settings).slice(cutDirs));
}

/** The directory for a tree: that of its last directory's name, or of the host. */
export function treePath(url: FtpUrl, { cwds, name }: Plan, settings: PathSettings): string {
  const all = name === "" ? cwds : [...cwds, name];
  if (isShaped(settings)) return folderOf(url, all, settings);
  return join(settings.directoryPrefix, namesOf(all, settings).at(-1) ?? hostName(url));
}

/** @throws FtpullError "protocol" where a URL's name is one that this program's folders have */
export function checkNames(path: string, { directoryPrefix }: PathSettings): void {
  const name = relative(directoryPrefix, path).split(sep).find(isFolderName);
  if (name === undefined) return;
  const words = `cannot save "${name}": names that end in .ftpull are for documents that aren't whole`;
  throw new FtpullError("protocol", words, { hint: "-O gives a document another name" });
}

/** -nH and --cut-dirs imply -x. */
function isShaped({ forceDirectories, noHostDirectories, cutDirs }: PathSettings): boolean {
  return forceDirectories || noHostDirectories || cutDirs > 0;
}

/** An argument of CWD may be a whole path, such as "/etc/init.d". */
function namesOf(cwds: readonly string[], settings: PathSettings): string[] {
  const names = cwds.flatMap((cwd) => cwd.split("/")).filter((name) => name !== "" && name !== ".");
  return names.map((name) => (name === ".." ? "%2E%2E" : nameOf(settings)(name)));
}

function nameOf({ remoteEncoding }: PathSettings): (octets: string) => string {
  const decode = decoderFor(remoteEncoding);
  return (octets) => localName(octets, decode);
}

function hostName({ host, port, scheme }: FtpUrl): string {
  const name = formatHost(host);
  const text = port === defaultPorts[scheme] ? name : `${name}:${port}`;
  return localName(text, (octets) => octets);
}

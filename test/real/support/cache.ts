/**
 * The folder that keeps what is slow to make (unpacked servers, the tree of test files)
 * from one run to the next. Everything in it is made whole or not at all.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { chmod, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/**
 * The cache folder of this project on this release of this system, made when missing.
 * Servers read it as the user nobody; where a parent folder (/root, say) keeps them out,
 * it is in /var/cache instead.
 */
export function cacheFolder(): string {
  const inProject = resolve(import.meta.dirname, "../../../.cache/servers");
  const base = isOpenToOthers(inProject) ? inProject : "/var/cache/ftpull-test-servers";
  const folder = join(base, systemName());
  makeOpenFolder(folder);
  return folder;
}

/**
 * Gives the folder `name` of the cache, and makes it by `build` when it isn't there. The
 * builder works in a folder that is renamed afterwards: several processes may do so at once,
 * and the first one wins.
 */
export async function buildOnce(
  name: string,
  build: (folder: string) => Promise<void> | void,
): Promise<string> {
  const finished = join(cacheFolder(), name);
  if (existsSync(finished)) return finished;
  const unfinished = await mkdtemp(`${finished}.unfinished-`);
  try {
    await build(unfinished);
    await chmod(unfinished, 0o755);
    await rename(unfinished, finished);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(finished)) throw error;
  }
  return finished;
}

function isOpenToOthers(folder: string): boolean {
  const closed = existsSync(folder) && (statSync(folder).mode & 0o001) === 0;
  return !closed && (folder === dirname(folder) || isOpenToOthers(dirname(folder)));
}

/** Makes a folder and its missing parents; by chmod, since the umask may close them to others. */
function makeOpenFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeOpenFolder(dirname(folder));
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
}

/** "debian-12-x64": packages of one release don't run on another. */
function systemName(): string {
  if (!existsSync("/etc/os-release")) return `${process.platform}-${process.arch}`;
  const text = readFileSync("/etc/os-release", "utf8");
  const field = (key: string) => new RegExp(`^${key}="?([^"\n]*)`, "m").exec(text)?.[1] ?? "";
  return `${field("ID")}-${field("VERSION_ID")}-${process.arch}`;
}

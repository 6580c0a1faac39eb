/**
 * Gets Debian packages without installing them: downloads and unpacks them into the cache,
 * together with the shared libraries that this machine lacks. The FTP servers' packages
 * exclude one another, and a test has no business in the system's directories.
 */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildOnce, cacheFolder } from "./cache.ts";

const run = promisify(execFile);

export interface Bundle {
  readonly name: string;
  readonly packages: readonly string[];
  /** Programs and modules, relative to the folder, whose shared libraries have to be there. */
  readonly objects: readonly string[];
}

/** Unpacks a bundle once, and gives its folder. Needs root's apt only when it isn't in the cache. */
export async function unpack(bundle: Bundle): Promise<string> {
  return buildOnce(bundle.name, async (folder) => {
    await downloadInto(folder, bundle.packages);
    await addMissingLibraries(folder, bundle.objects);
  });
}

/** Value of LD_LIBRARY_PATH for programs of an unpacked folder. */
export function libraryPath(folder: string): string {
  return libraryFolders(folder).join(":");
}

/** The path of a shared library in an unpacked folder, whatever the machine's architecture. */
export function libraryFile(folder: string, name: string): string {
  const holder = libraryFolders(folder).find((library) => readdirSync(library).includes(name));
  if (holder === undefined) throw new Error(`${name} is not in ${folder}`);
  return join(holder, name);
}

function libraryFolders(folder: string): string[] {
  return ["lib", "usr/lib"].flatMap((parent) =>
    readdirOrNothing(join(folder, parent))
      .filter((name) => name.includes("-linux-gnu"))
      .map((name) => join(folder, parent, name)),
  );
}

function readdirOrNothing(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Most packages have only one of lib and usr/lib.
  }
}

/** Downloads packages and unpacks them; the lists are updated only when that fails. */
async function downloadInto(folder: string, packages: readonly string[]): Promise<void> {
  const downloads = await mkdtemp(join(cacheFolder(), "download-"));
  const download = 'apt-get download "$@" || { apt-get update && apt-get download "$@"; }';
  const script = `set -e; { ${download}; } >&2; for deb in *.deb; do dpkg -x "$deb" "$0"; done`;
  const lock = join(cacheFolder(), "apt.lock");
  try {
    await run("flock", [lock, "sh", "-c", script, folder, ...packages], {
      cwd: downloads,
      timeout: 600_000, // with the wait for others that download
      env: { ...process.env, LC_ALL: "C" },
    });
  } finally {
    await rm(downloads, { recursive: true, force: true });
  }
}

/** Libraries need libraries: goes round until the linker finds them all. */
async function addMissingLibraries(folder: string, objects: readonly string[]): Promise<void> {
  for (let round = 0; round < 5; round++) {
    const missing = await missingLibraries(folder, objects);
    if (missing.size === 0) return;
    await downloadInto(folder, [...missing].map(debianPackage));
  }
  throw new Error(`shared libraries are missing still: ${objects.join(", ")}`);
}

async function missingLibraries(folder: string, objects: readonly string[]): Promise<Set<string>> {
  const missing = new Set<string>();
  const env = { ...process.env, LC_ALL: "C", LD_LIBRARY_PATH: libraryPath(folder) };
  for (const object of objects) {
    const { stdout } = await run("ldd", [join(folder, object)], { env });
    for (const [, name] of stdout.matchAll(/(\S+) => not found/g)) if (name) missing.add(name);
  }
  return missing;
}

/** Debian's policy names a library's package after its soname: libwrap.so.0 is in libwrap0. */
function debianPackage(soname: string): string {
  const [stem = "", version = ""] = soname.replaceAll("_", "-").split(".so.");
  return /\d$/.test(stem) ? `${stem}-${version}` : stem + version;
}

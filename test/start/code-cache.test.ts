/** The cache of compiled code: what makes it, what is never believed, and that it is never in the way. */
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { execFile as executeFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { node, run } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const execFile = (command: string, words: readonly string[], env: Record<string, string>) =>
  promisify(executeFile)(command, words, { env: { PATH: process.env["PATH"], ...env } });

const isRoot = process.geteuid?.() === 0;

/** A home of its own, a download in it, and where the cache is then. */
async function prepare() {
  const server = await startServer({ files: { x: "text\n" } });
  const home = await temporaryDirectory();
  const folder = join(home, ".cache/ftpull");
  const runAtHome = (words: readonly string[], env: Record<string, string> = {}) =>
    run(words, { env: { HOME: home, XDG_CACHE_HOME: "", ...env } });
  const download = async (env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = await runAtHome(["-q", "-O", "-", server.url("/x")], env);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "text\n", stderr: "" });
  };
  const cache = () => join(folder, readdirSync(folder).join());
  return { server, home, folder, run: runAtHome, download, cache };
}

/** A cache that V8 took stays the same file; one that was ignored or refused is replaced. */
function identity(path: string): number {
  return lstatSync(path).ino;
}

/** A home with the cache that a first download leaves, which is made once. */
async function prepareCached() {
  const prepared = await prepare();
  if (readdirSync(made).length === 0) {
    await prepared.download();
    cpSync(prepared.folder, made, { recursive: true });
  } else cpSync(made, prepared.folder, { recursive: true });
  chmodSync(prepared.folder, 0o700);
  return prepared;
}

const made = mkdtempSync(join(tmpdir(), "ftpull-cache-"));
afterAll(() => rmSync(made, { recursive: true }));

test("the first download leaves a private cache, which the next one uses as it is", async () => {
  const { folder, download, cache } = await prepare();
  await download();
  expect(cache()).toMatch(/\/node\d+\.cache$/);
  expect([lstatSync(folder).mode & 0o777, lstatSync(cache()).mode & 0o777]).toEqual([0o700, 0o600]);
  const made = identity(cache());
  await download();
  expect(identity(cache())).toBe(made);
});

const damages: Readonly<Record<string, (path: string) => void>> = {
  "is cut": (path) => truncateSync(path, lstatSync(path).size >> 1),
  "has a wrong octet": (path) => change(path, (file) => flip(file, 100_000)),
  "has a wrong octet in its copy": (path) => change(path, (file) => flip(file, file.length - 9999)),
  "can be read by others": (path) => chmodSync(path, 0o644),
  "is a symbolic link": (path) => {
    renameSync(path, join(path, "../../other"));
    symlinkSync("../other", path);
  },
  ...(isRoot ? { "belongs to another user": (path: string) => chownSync(path, 1, 1) } : {}),
};

function change(path: string, edit: (file: Buffer) => void): void {
  const file = readFileSync(path);
  edit(file);
  writeFileSync(path, file);
}

function flip(file: Buffer, position: number): void {
  file.writeUInt8(file.readUInt8(position) ^ 0x55, position);
}

test.each(Object.keys(damages))(
  "a cache that %s is replaced, and changes nothing",
  async (title) => {
    const { download, cache } = await prepareCached();
    const path = cache();
    damages[title]?.(path);
    const damaged = identity(path);
    await download();
    expect(lstatSync(path).isFile()).toBe(true);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(identity(path)).not.toBe(damaged);
  },
);

const folders: Readonly<Record<string, (path: string) => void>> = {
  "is open to others": (path) => mkdirSync(path, { mode: 0o755 }),
  "is a symbolic link": (path) => {
    mkdirSync(`${path}-target`, { mode: 0o700 });
    symlinkSync("ftpull-target", path);
  },
};

test.each(Object.keys(folders))("a directory that %s is not used", async (title) => {
  const { folder, download } = await prepare();
  mkdirSync(join(folder, ".."));
  folders[title]?.(folder);
  await download();
  expect(readdirSync(folder)).toEqual([]);
});

test("a run that fails leaves no cache, and neither do --help and --explain", async () => {
  const { server, home, run: runAtHome } = await prepare();
  expect((await runAtHome(["-q", server.url("/none")])).status).toBe(8);
  expect((await runAtHome(["--help"])).status).toBe(0);
  expect((await runAtHome(["--explain", server.url("/x")])).status).toBe(0);
  expect(readdirSync(home)).toEqual([]);
});

test("FTPULL_NO_CACHE=1 neither makes a cache nor reads one", async () => {
  const { home, download } = await prepare();
  await download({ FTPULL_NO_CACHE: "1" });
  expect(readdirSync(home)).toEqual([]);
  const cached = await prepareCached();
  truncateSync(cached.cache(), 0);
  await cached.download({ FTPULL_NO_CACHE: "1" });
  expect(lstatSync(cached.cache()).size).toBe(0);
});

test.runIf(isRoot)("nothing is written into another user's home", async () => {
  const { home, download } = await prepare();
  chownSync(home, 1, 1);
  await download();
  expect(readdirSync(home)).toEqual([]);
});

test("a bundle that is changed by hand runs as it is, whatever the cache holds", async () => {
  const { server, home } = await prepare();
  const copy = await temporaryDirectory();
  for (const name of ["bin", "package.json", "dist/ftpull.cjs"])
    cpSync(new URL(`../../${name}`, import.meta.url), join(copy, name), { recursive: true });
  const program = (...words: string[]) =>
    execFile(node, [join(copy, "bin/ftpull.js"), ...words], { HOME: home });
  await program("-q", "-P", home, server.url("/x"));
  const bundle = join(copy, "dist/ftpull.cjs");
  const summary = "print the version";
  const edited = summary.toUpperCase();
  writeFileSync(bundle, readFileSync(bundle, "latin1").replaceAll(summary, edited));
  expect((await program("--help")).stdout).toContain(edited);
});

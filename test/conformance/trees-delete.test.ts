/** --delete: what goes, and each way in which something could go that is needed. */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { transfer } from "../support/actions.ts";
import { folderWith } from "../support/folder-with.ts";
import { localFiles, localTree } from "../support/local-tree.ts";
import type { ServerOptions } from "../support/options.ts";
import { leaveMark } from "../support/mirror-mark.ts";
import { leavePart } from "../support/part.ts";
import { thisProcess } from "../../src/files/part/owner.ts";
import { run as runAsProcess, startProgram } from "../support/run.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import type { TransferScript } from "../support/transfer.ts";
import { fetchFrom, ftpull } from "./support/client.ts";

const files = { "d/a": "1", "d/s/b": "2" };

interface Settings {
  readonly server?: Partial<ServerOptions>;
  readonly words?: string[];
  readonly paths?: string[];
  readonly prepare?: (cwd: string, server: ScriptedServer) => void;
  readonly env?: Record<string, string>;
}

/** Runs -m --delete of /d/, or of `paths`, where these files are: those in the trees' directories by earlier runs. */
async function mirrored(here: Record<string, string>, settings: Settings = {}) {
  const cwd = await folderWith(here);
  const server = await startServer({ files, ...settings.server });
  const { words = [], paths = ["/d/"], env = {} } = settings;
  for (const path of paths) {
    const folder = join(cwd, basename(path));
    if (fs.existsSync(folder)) leaveMark(folder, server.url(path));
  }
  settings.prepare?.(cwd, server);
  const args = ["-m", "--delete", ...words, ...paths.map((path) => server.url(path))];
  const result = await ftpull(args, { cwd, env: { ...env } });
  return { ...result, cwd, server, found: localTree(cwd) };
}

/** Names in a folder, without the mark. */
function namesIn(folder: string): string[] {
  return fs.readdirSync(folder).filter((name) => name !== ".ftpull-mirror");
}

const small = ["-t", "tmpfs", "-o", "size=1m", "ftpull"];

/** Mounts a file system of one MiB, or what `words` name, at a directory, if this user may. */
function isMounted(path: string, words = small): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    execFileSync("mount", [...words, path], { stdio: "ignore" });
  } catch {
    return false; // root of a container that may not mount
  }
  onTestFinished(() => void execFileSync("umount", [path]));
  return true;
}

const whole = { "d/": "", "d/a": "1", "d/s/": "", "d/s/b": "2" };
const gone = { "d/old": "x", "d/s/old": "x", "d/t/u/v": "x" };

describe("--delete removes below the tree's top what the server doesn't have", () => {
  it("files, links and then empty directories, with their number in the total", async () => {
    const prepare = (cwd: string): void => fs.symlinkSync("/", join(cwd, "d/link"));
    const { status, stderr, found } = await mirrored({ ...gone, "other/x": "mine" }, { prepare });
    expect([status, found]).toEqual([0, { ...whole, "other/": "", "other/x": "mine" }]);
    expect(stderr).toContain('ftpull: "d/t/u/v": deleted\n');
    expect(stderr).toMatch(/total: 2 files, .*, 4 deleted/);
  });

  it("several names of one file at once", async () => {
    const prepare = (cwd: string): void => fs.linkSync(join(cwd, "d/old"), join(cwd, "d/s/older"));
    const { status, found } = await mirrored({ "d/old": "x", "d/s/": "" }, { prepare });
    expect([status, found]).toEqual([0, whole]);
  });

  it("what an earlier run brought, also by a path that -P ends with a slash", async () => {
    const server = await startServer({ files: { ...files, "d/t/u": "3" } });
    const cwd = await temporaryDirectory();
    const words = ["-m", "--delete", "-P", "p/", server.url("/d/")];
    await ftpull(words, { cwd });
    fs.writeFileSync(join(cwd, "p/d/s/mine"), "x");
    const { status } = await ftpull(words, { cwd });
    const left = { "p/d/a": "1", "p/d/s/b": "2", "p/d/t/u": "3" };
    expect([status, localFiles(cwd)]).toEqual([0, left]);
  });

  it("of two trees, both with one total", async () => {
    const server = { files: { ...files, "e/f": "3" } };
    const here = { "d/old": "x", "e/old": "x", "e/g/": "" };
    const { status, stderr, found } = await mirrored(here, { server, paths: ["/d/", "/e/"] });
    expect([status, found]).toEqual([0, { ...whole, "e/": "", "e/f": "3" }]);
    expect(stderr).toMatch(/total: 3 files, .*, 2 deleted/);
  });

  it("of the top everything but the top itself", async () => {
    const server = { files: {}, directories: ["/d"] };
    const { status, found } = await mirrored({ "d/old": "x", "d/t/": "" }, { server });
    expect([status, found]).toEqual([0, { "d/": "" }]);
  });

  it("with -r, and at any depth", async () => {
    const cwd = await folderWith({ "d/s/t/u/v/w/x": "1" });
    const server = await startServer({ files });
    leaveMark(join(cwd, "d"), server.url("/d/"));
    const { status } = await ftpull(["-r", "-l0", "--delete", server.url("/d/")], { cwd });
    expect([status, localTree(cwd)]).toEqual([0, whole]);
  });

  it("what only local links led to that the server has no more, or that lead elsewhere there", async () => {
    const server = { links: { "d/l": "s" } };
    const prepare = (cwd: string): void => {
      fs.symlinkSync("real", join(cwd, "d/l"));
      fs.symlinkSync("real", join(cwd, "d/s"));
    };
    const { status, found } = await mirrored({ "d/real/x": "x" }, { server, prepare });
    expect([status, found]).toEqual([0, { ...whole, "d/l": " -> s" }]);
  });

  it("names with a dot, where the server shows its own", async () => {
    const server = { files: { ...files, "d/.h": "3" }, features: ["SIZE"], hidesDots: true };
    const { found } = await mirrored({ "d/.old": "x", "d/s/.old": "x" }, { server });
    expect(found).toEqual({ ...whole, "d/.h": "3" });
  });

  it("and goes on behind a file that can't be removed, which is a failure", async () => {
    const hook = fileURLToPath(new URL("../support/struck-unlink.cjs", import.meta.url));
    const env = { NODE_OPTIONS: `--require=${hook}`, STRUCK: "stuck", STRUCK_BY: "EPERM" };
    const here = { "d/a0": "x", "d/stuck": "x", "d/z": "x" };
    const { status, stderr, found } = await mirrored(here, { env });
    expect([status, found]).toEqual([3, { ...whole, "d/stuck": "x" }]);
    expect(stderr).toContain('ftpull: cannot write "d/stuck": ');
    expect(stderr).toMatch(/total: 2 files, .*, 2 deleted, 1 failed/);
  });

  it("empty directories of the server stay, and directories that keep something", async () => {
    const here = { "d/e/": "", "d/t/x.txt": "1", "d/t/x.gz": "2" };
    const server = { directories: ["/d/e"] };
    const { found } = await mirrored(here, { server, words: ["-R", "*.txt"] });
    expect(found).toEqual({ ...whole, "d/e/": "", "d/t/": "", "d/t/x.txt": "1" });
  });

  it.each<[words: string[], left: object]>([
    [["--json"], whole],
    [["--json", "--spider"], gone],
  ])("by %j with an object for each, and only without --spider", async (words, left) => {
    const { stdout, found } = await mirrored(gone, { words });
    const deleted = stdout.split("\n").filter((line) => line.includes('"status":"deleted"'));
    const objects = deleted.map((line) => JSON.parse(line) as object);
    expect(objects).toHaveLength(3);
    expect(objects).toContainEqual(expect.objectContaining({ file: "d/old", url: null, exit: 0 }));
    expect(found).toMatchObject(left);
  });

  it("with --spider prints the names, and deletes nothing", async () => {
    const { status, stdout, found } = await mirrored(gone, { words: ["--spider"] });
    expect(stdout).toContain("- old\n- t/u/v\n");
    expect(stdout).toContain("- s/old\n");
    expect(stdout).toMatch(/\n# 2 files, 1 directory, 2 octets, 3 to be deleted\n$/);
    expect([status, found]).toMatchObject([0, gone]);
    expect(found).not.toHaveProperty(["d/a"]);
  });

  it("with --spider prints also what only local links lead to, and nothing twice", async () => {
    const prepare = (cwd: string): void => fs.symlinkSync("real", join(cwd, "d/s"));
    const here = { "d/real/c": "3", "d/old": "x" };
    const { stdout } = await mirrored(here, { prepare, words: ["--spider"] });
    expect(stdout.match(/^- .*$/gm)).toEqual(["- old", "- real/c"]);
  });
});

describe("--delete keeps", () => {
  const old = new Date("2020-01-01");

  it.each<[claim: string, here: Record<string, string>, settings: Settings]>([
    ["what -A leaves out", { "d/x.txt": "1" }, { words: ["-A", "a,b"] }],
    ["what -R leaves out", { "d/x.txt": "1", "d/q/y.txt": "1" }, { words: ["-R", "*.txt"] }],
    ["directories that -R leaves out", { "d/q/y": "1" }, { words: ["-R", "q/"] }],
    ["paths that -R leaves out", { "d/s/q/y": "1" }, { words: ["-R", "s/q/"] }],
    ["directories that -X leaves out", { "d/q/y": "1" }, { words: ["-X", "/d/q"] }],
    [
      "what the server has, and -R leaves out",
      { "d/k%01": "1" },
      { words: ["-R", "k*"], server: { files: { ...files, "d/k\u0001": "1" } } },
    ],
    [
      "what an age leaves out, by its own time",
      { "d/aged": "1" },
      {
        words: ["--newer-than", "2019-01-01"],
        prepare: (cwd) => fs.utimesSync(join(cwd, "d/aged"), 1e9, 1e9),
      },
    ],
    [
      "what the server has, and an age leaves out",
      { "d/new": "1" },
      {
        words: ["--newer-than", "2020-01-01"],
        server: { files: { ...files, "d/new": { content: "1", modified: old } } },
      },
    ],
    ["a name that begins with .ftpull-", { "d/.ftpull-mine": "1" }, {}],
    [
      "names with a dot where only plain LIST is to be had",
      { "d/.h": "1", "d/s/.i": "1", "d/.j/k": "1" },
      {
        server: { features: ["SIZE"], hidesDots: true, on: { "LIST -a": "550 -a: no such file" } },
      },
    ],
  ])("%s", async (_claim, here, settings) => {
    const { status, found } = await mirrored({ "d/gone-a": "x", ...here }, settings);
    expect(status).toBe(0);
    expect(found).toMatchObject(here);
    expect(found).not.toHaveProperty(["d/gone-a"]);
  });

  it("a partial file of what an age leaves out, also under another spelling", async () => {
    const hook = fileURLToPath(new URL("../support/name-forms.cjs", import.meta.url));
    const aged = { content: "x".repeat(99), modified: old };
    const server = await startServer({ files: { ...files, "d/big": aged, "d/\u00fc": aged } });
    const cwd = await folderWith({ "d/": "" });
    leaveMark(join(cwd, "d"), server.url("/d/"));
    for (const name of ["big", "u\u0308", "gone"])
      leavePart(join(cwd, "d", name), "part", { url: server.url("/d/big"), size: 99 });
    const env = { NODE_OPTIONS: `--require=${hook}`, NAME_FORMS: "nfc", NAME_FORMS_AT: cwd };
    const words = ["-m", "--delete", "--newer-than", "2020-01-02", server.url("/d/")];
    const { status } = await ftpull(words, { cwd, env });
    const folders = fs.readdirSync(join(cwd, "d")).filter((name) => name.endsWith(".ftpull"));
    expect([status, folders]).toEqual([0, ["big.ftpull", "u\u0308.ftpull"]]);
  });

  it("partial files of documents that -A and -R leave out by their names", async () => {
    const server = await startServer({ files });
    const cwd = await folderWith({ "d/": "" });
    leaveMark(join(cwd, "d"), server.url("/d/"));
    for (const name of ["x.gz", "x.iso", "y"])
      leavePart(join(cwd, "d", name), "part", { url: server.url("/d/big"), size: 99 });
    const words = ["-m", "--delete", "-A", "*.gz,*.iso", "-R", "*.iso", server.url("/d/")];
    const { status } = await ftpull(words, { cwd });
    expect([status, namesIn(join(cwd, "d"))]).toEqual([0, ["x.iso.ftpull", "y.ftpull"]]);
  });

  it("what a first try to list didn't show, and the second one does", async () => {
    const { cwd, server } = await mirrored({});
    server.on("MLSD#1", transfer({ content: [], completion: "426 broken" }));
    fs.writeFileSync(join(cwd, "d/old"), "x");
    const { status } = await ftpull(["-m", "--delete", server.url("/d/")], { cwd, tries: 2 });
    expect(server.sent("MLSD")).toHaveLength(5);
    expect([status, localTree(cwd)]).toEqual([0, whole]);
  });

  it("partial files of what the server has, and of runs that go on; others go", async () => {
    const server = await startServer({ files: { ...files, "d/big": "x".repeat(99) } });
    const cwd = await folderWith({ "d/": "", "d/t/": "" });
    leaveMark(join(cwd, "d"), server.url("/d/"));
    const state = { url: server.url("/d/big"), size: 99 };
    leavePart(join(cwd, "d/big"), "part", state);
    leavePart(join(cwd, "d/gone"), "part", state);
    leavePart(join(cwd, "d/t/gone"), "part", state);
    leavePart(join(cwd, "d/live"), "part", state, thisProcess().name);
    const { status } = await ftpull(["-m", "--delete", "-R", "big", server.url("/d/")], { cwd });
    const left = ["a", "big.ftpull", "live.ftpull", "s"];
    expect([status, namesIn(join(cwd, "d"))]).toEqual([0, left]);
  });

  it("what a local link leads to outside of the tree", async () => {
    const outside = await folderWith({ x: "mine", "t/y": "mine" });
    const prepare = (cwd: string): void => fs.symlinkSync(outside, join(cwd, "d/old/out"));
    const { found } = await mirrored({ "d/old/x": "1" }, { prepare });
    expect([localFiles(outside), found]).toEqual([{ x: "mine", "t/y": "mine" }, whole]);
  });

  it.each([
    ["/d/", "d"],
    ["/e/f/d/", "e"],
  ])(
    "everything, where a link is at the folder of %s or above: a usage error",
    async (path, at) => {
      const prepare = (cwd: string): void => fs.symlinkSync("mine", join(cwd, at));
      const settings = { paths: [path], words: ["-nH", "-x"], prepare };
      const { status, stderr, found } = await mirrored({ "mine/x": "1" }, settings);
      expect(stderr).toContain(`--delete: "${at}" is a symbolic link`);
      expect([status, found["mine/x"]]).toEqual([2, "1"]);
    },
  );

  it("nothing for a link that leads to a directory of the server", async () => {
    const server = { links: { "d/self": "." }, realPwd: true };
    const prepare = (cwd: string): void => fs.symlinkSync(".", join(cwd, "d/self"));
    const { status, found } = await mirrored({ "d/old": "x", "d/s/old": "x" }, { server, prepare });
    expect([status, found]).toMatchObject([0, { "d/self": " -> ." }]);
    expect(Object.keys(found).filter((path) => path.endsWith("old"))).toEqual([]);
  });

  it("what is here at the names of links, if they are followed, also nowhere or back", async () => {
    const server = { links: { "d/nowhere": "none", "d/back": "../d" }, realPwd: true };
    const here = { "d/nowhere/x": "1", "d/back/x": "1" };
    const words = ["--links", "follow"];
    const { status, found } = await mirrored({ ...here, "d/old": "x" }, { server, words });
    expect([status, found]).toEqual([0, expect.objectContaining(here)]);
    expect(found).not.toHaveProperty(["d/old"]);
  });

  it("directories of other file systems, and files that no run makes", async (context) => {
    const cwd = await folderWith({ "d/t/mount/": "", "d/old": "x" });
    if (!isMounted(join(cwd, "d/t/mount"))) return context.skip();
    fs.writeFileSync(join(cwd, "d/t/mount/x"), "mine");
    execFileSync("mkfifo", [join(cwd, "d/fifo")]);
    const server = await startServer({ files });
    leaveMark(join(cwd, "d"), server.url("/d/"));
    const { status } = await ftpull(["-m", "--delete", server.url("/d/")], { cwd });
    expect([status, namesIn(join(cwd, "d"))]).toEqual([0, ["a", "fifo", "s", "t"]]);
    expect(fs.existsSync(join(cwd, "d/t/mount/x"))).toBe(true);
  });

  it("another mirror in a directory that the server lacks", async () => {
    const here = { "d/a": "1", "d/s/b": "2", "d/x/inner/f": "mine", "d/x/old": "x" };
    const { status, cwd } = await mirrored(here, {
      prepare: (folder) => leaveMark(join(folder, "d/x/inner"), "ftp://other/inner/"),
    });
    const kept = { "d/a": "1", "d/s/b": "2", "d/x/inner/f": "mine" };
    expect([status, localFiles(cwd)]).toEqual([0, kept]);
  });

  it("what is mounted from another directory of the same file system", async (context) => {
    const cwd = await folderWith({ "mine/x": "mine", "d/t/a mount/": "" });
    if (!isMounted(join(cwd, "d/t/a mount"), ["--bind", join(cwd, "mine")])) return context.skip();
    const server = await startServer({ files });
    leaveMark(join(cwd, "d"), server.url("/d/"));
    const { status } = await ftpull(["-m", "--delete", server.url("/d/")], { cwd });
    expect([status, localFiles(join(cwd, "mine"))]).toEqual([0, { x: "mine" }]);
  });

  it("a directory where another run is writing", async () => {
    const prepare: Settings["prepare"] = (cwd, server) => {
      const state = { url: server.url("/d/t/live"), size: 99 };
      leavePart(join(cwd, "d/t/live"), "part", state, thisProcess().name);
    };
    const here = { "d/t/old": "x", "d/t/.ftpull-00000000000000ff": "x" };
    const { status, cwd } = await mirrored(here, { prepare });
    const left = fs.readdirSync(join(cwd, "d/t"));
    expect([status, left]).toEqual([0, [".ftpull-00000000000000ff", "live.ftpull"]]);
  });

  it("a file that another run removes and brings again while this one goes on", async () => {
    const here = { "d/old": "x", "d/t/old": "x" };
    const prepare: Settings["prepare"] = (cwd, server) =>
      server.on("RETR b", (exchange) => {
        for (const path of Object.keys(here)) {
          fs.rmSync(join(cwd, path));
          fs.writeFileSync(join(cwd, path), "x");
        }
        return exchange.proceed();
      });
    expect(await mirrored(here, { prepare })).toMatchObject({ status: 0, found: here });
  });

  it("what comes while the server lists, as another run with a newer listing brings it", async () => {
    const prepare: Settings["prepare"] = (cwd, server) =>
      server.on("MLSD#1", async (exchange) => {
        await exchange.proceed();
        fs.writeFileSync(join(cwd, "d/new"), "of another run");
      });
    const { status, found } = await mirrored({ "d/old": "x" }, { prepare });
    expect([status, found]).toEqual([0, { ...whole, "d/new": "of another run" }]);
  });

  it("what comes to a missing directory while the server is reached", async () => {
    const prepare: Settings["prepare"] = (cwd, server) =>
      server.on("USER", (exchange) => {
        fs.mkdirSync(join(cwd, "d"));
        fs.writeFileSync(join(cwd, "d/mine"), "mine");
        return exchange.proceed();
      });
    const { status, stderr, cwd } = await mirrored({}, { prepare });
    expect(stderr).toContain('nothing was deleted: files have come to "d" since the run began\n');
    expect([status, localFiles(cwd)]).toEqual([0, { "d/a": "1", "d/s/b": "2", "d/mine": "mine" }]);
  });

  it("another mirror in a directory that the server has since", async () => {
    const here = { "d/s/b": "2", "d/s/theirs": "mine", "d/old": "x" };
    const { status, cwd } = await mirrored(here, {
      prepare: (folder) => leaveMark(join(folder, "d/s"), "ftp://other/s/"),
    });
    const kept = { "d/a": "1", "d/s/b": "2", "d/s/theirs": "mine" };
    expect([status, localFiles(cwd)]).toEqual([0, kept]);
  });

  it("files under another spelling, where the file system takes it for the same", async () => {
    const hook = fileURLToPath(new URL("../support/name-forms.cjs", import.meta.url));
    const cwd = await folderWith({ "d/A": "1", "d/S/B": "2", "d/u\u0308": "3", "d/old": "x" });
    const server = await startServer({ files: { ...files, "d/\u00fc": "3" } });
    leaveMark(join(cwd, "d"), server.url("/d/"));
    const env = { NODE_OPTIONS: `--require=${hook}`, NAME_FORMS: "case,nfc", NAME_FORMS_AT: cwd };
    const { status } = await ftpull(["-m", "--delete", server.url("/d/")], { cwd, env });
    expect([status, localFiles(cwd)]).toEqual([0, { "d/A": "1", "d/S/B": "2", "d/u\u0308": "3" }]);
  });

  it("a file that changes, or comes, while the run goes on", async () => {
    const prepare: Settings["prepare"] = (cwd, server) =>
      server.on("RETR b", (exchange) => {
        fs.writeFileSync(join(cwd, "d/old"), "changed");
        fs.writeFileSync(join(cwd, "d/new"), "of another run");
        fs.mkdirSync(join(cwd, "d/n"));
        return exchange.proceed();
      });
    const { status, found } = await mirrored({ "d/old": "x", "d/older": "x" }, { prepare });
    const kept = { "d/old": "changed", "d/new": "of another run", "d/n/": "" };
    expect([status, found]).toEqual([0, { ...whole, ...kept }]);
  });

  it("what stands behind a directory that becomes a link while the run goes on", async () => {
    const outside = await folderWith({ old: "mine" });
    const cwd = await folderWith({ "d/s/b": "2", "d/t/old": "1" });
    fs.linkSync(join(outside, "old"), join(cwd, "d/s/old"));
    const server = await startServer({ files: { "d/s/b": "2", "d/t/z": "3" } });
    leaveMark(join(cwd, "d"), server.url("/d/"));
    server.on("RETR z", (exchange) => {
      fs.renameSync(join(cwd, "d/s"), join(cwd, "moved"));
      fs.symlinkSync(outside, join(cwd, "d/s"));
      return exchange.proceed();
    });
    const { status } = await ftpull(["-m", "--delete", server.url("/d/")], { cwd });
    expect([status, localFiles(outside)]).toEqual([0, { old: "mine" }]);
    expect(fs.existsSync(join(cwd, "moved/old"))).toBe(true);
  });
});

describe("--delete deletes nothing, and says why", () => {
  const long = (...names: string[]): string =>
    names.map((name) => `-rw-r--r-- 1 u g 1 Jan 2 2020 ${name}\r\n`).join("");
  const plain = { features: ["SIZE"], hidesDots: true };

  const lacking = { "d/a": "1", "d/SHA256SUMS": `${"0".repeat(64)}  none\n` };
  const truncated = transfer({ completion: "226 Output truncated to 1 matches" });
  const busy = { "LIST -a": "451 try later" };

  it.each<[claim: string, server: Partial<ServerOptions>, status?: number, words?: string[]]>([
    ["a file fails", { on: { "RETR b": "550 no" } }],
    ["a directory can't be listed", { on: { "CWD s": "550 no" } }],
    ["the top is refused", { on: { "CWD d": "550 no" } }],
    ["a name is refused", { files: { ...files, "d/x.ftpull": "1" } }, 7],
    ["a listing is cut", { on: { MLSD: truncated } }, 9],
    ["a listing breaks off", { on: { "MLSD#2": transfer({ completion: "426 broken" }) } }],
    ["LIST -a fails for now", { ...plain, on: busy }],
    ["a sums file has a file that the server lacks", { files: lacking }, 9, ["--verify-all"]],
  ])("where %s: not everything arrived", async (_claim, server, wanted = 8, words = []) => {
    const here = { "d/old": "x", "d/s/": "" };
    const { status, stderr, found } = await mirrored(here, { server, words });
    expect(stderr).toContain("nothing was deleted: not everything arrived");
    expect([status, found["d/old"]]).toEqual([wanted, "x"]);
  });

  const unread = {
    content: [],
    completion: "226 Transfer done (but failed to open directory).",
  };
  const withItself = transfer({
    content: ["type=cdir; .\r\ntype=file;size=1; a\r\ntype=dir; s\r\n"],
  });
  const lacksNames = '"LIST -a" lacks names of LIST';
  const listing = (all: TransferScript): Settings => ({
    server: { ...plain, on: { "LIST -a": transfer(all) } },
  });
  const noDeeper = "-l 1 lists no deeper (-l 0 sets no limit)";
  it.each<[claim: string, settings: Settings, status: number, why: string]>([
    ["where -l cuts directories off", { words: ["-l1"] }, 0, noDeeper],
    ["where -l cuts directories off, as -q shows, too", { words: ["-q", "-l1"] }, 0, noDeeper],
    ["where the server can't read a directory", listing(unread), 9, "failed to open directory"],
    [
      "where a directory lacks even itself, which others show",
      { server: { on: { "MLSD#1": withItself, "MLSD#2": transfer({ content: [] }) } } },
      0,
      "/d/s/: the listing lacks even the directory itself",
    ],
    ["where a line can't be read", listing({ content: ["?\r\n"] }), 0, "nothing was deleted: "],
    ["where LIST -a lacks names", listing({ content: [long("other")] }), 0, lacksNames],
    [
      "where NLST lists",
      { server: { features: ["SIZE"], on: { LIST: "502 no" } } },
      0,
      "was listed by NLST, which may leave names out",
    ],
    ["where the URL is a file", { paths: ["/d/a"] }, 0, 'no directory was listed for "a"'],
  ])("%s", async (_claim, settings, status, why) => {
    const { stderr, found, ...result } = await mirrored({ "d/old": "x", "d/s/": "" }, settings);
    expect(stderr).toContain(why);
    expect(stderr).toContain("nothing was deleted");
    expect([result.status, found["d/old"]]).toEqual([status, "x"]);
  });
});

describe("--delete deletes nothing", () => {
  it("where the last document of the last tree fails", async () => {
    const server = { files: { ...files, "e/f": "3" }, on: { "RETR f": "550 no" } };
    const here = { "d/old": "x", "e/old": "x" };
    const result = await mirrored(here, { server, paths: ["/d/", "/e/"] });
    expect(result).toMatchObject({ status: 8, found: here });
  });

  it("where a file is in the place of a directory, as a hint says", async () => {
    const { status, stderr, found } = await mirrored({ "d/old": "x", "d/s": "mine" });
    expect(stderr).toContain(
      'cannot make the directory "d/s": there is a file\nhint: move away what is there',
    );
    expect([status, found]).toMatchObject([3, { "d/old": "x", "d/s": "mine" }]);
  });

  it("where one of two URLs turns out to be a file", async () => {
    const server = { files: { ...files, f: "3" } };
    const result = await mirrored({ "d/old": "x" }, { server, paths: ["/d/", "/f"] });
    expect(result).toMatchObject({ status: 0, found: { "d/old": "x", f: "3" } });
  });

  it("where the run is interrupted", async () => {
    const cwd = await folderWith({ "d/old": "x" });
    const server = await startServer({ files });
    leaveMark(join(cwd, "d"), server.url("/d/"));
    const program = await startProgram(["-m", "--delete", server.url("/d/")], { cwd });
    server.on("RETR b", async () => void program.child.kill("SIGINT"));
    const { signal } = await program.finished;
    expect([signal, fs.existsSync(join(cwd, "d/old"))]).toEqual(["SIGINT", true]);
  });

  it("more, once it is interrupted while it deletes", async () => {
    const hook = fileURLToPath(new URL("../support/struck-unlink.cjs", import.meta.url));
    const env = { NODE_OPTIONS: `--require=${hook}`, STRUCK: "old", STRUCK_BY: "SIGINT" };
    const cwd = await folderWith({ "d/old": "x", "d/s/old": "x" });
    const server = await startServer({ files });
    leaveMark(join(cwd, "d"), server.url("/d/"));
    const args = ["-m", "--delete", server.url("/d/")];
    const { signal, stderr } = await runAsProcess(args, { cwd, env });
    expect([signal, Object.keys(localFiles(cwd))]).toEqual(["SIGINT", ["d/a", "d/s/b", "d/s/old"]]);
    expect(stderr).toMatch(/\nftpull: fetch what is left with: ftpull -c -m --delete [^\n]*\n$/);
  });

  it("where the disk is full", async (context) => {
    const cwd = await folderWith({});
    if (!isMounted(cwd)) return context.skip();
    fs.mkdirSync(join(cwd, "d"));
    fs.writeFileSync(join(cwd, "d/old"), "x");
    const size = 2_000_000;
    const server = await startServer({ files: { "d/a": { size, seed: 1 }, "d/s/b": "2" } });
    leaveMark(join(cwd, "d"), server.url("/d/"));
    const { status } = await ftpull(["-m", "--delete", server.url("/d/")], { cwd });
    expect([status, fs.existsSync(join(cwd, "d/old"))]).toEqual([3, true]);
  });
});

describe("--max-delete", () => {
  const many = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`d/old${index}`, "x"]));

  it.each<[claim: string, count: number, words: string[], left: number, said?: string]>([
    ["is ten by default where ten are more than half", 10, [], 0],
    ["is half by default", 11, [], 11, "no longer has 11, and only 6 may go"],
    ["is a number as it is", 3, ["--max-delete", "2"], 3, "no longer has 3, and only 2 may go"],
    ["is 0 for none", 1, ["--max-delete", "0"], 1, "no longer has 1, and only 0 may go"],
    ["is a percentage as it is", 3, ["--max-delete=50%"], 3, "no longer has 3, and only 2 may go"],
    ["is met exactly", 2, ["--max-delete=50%"], 0],
    ["is 100% for all", 30, ["--max-delete=100%"], 0],
  ])("%s", async (_claim, count, words, left, said) => {
    const { status, stderr, cwd } = await mirrored(many(count), { words });
    const names = fs.readdirSync(join(cwd, "d")).filter((name) => name.startsWith("old"));
    expect([names.length, status]).toEqual([left, said === undefined ? 0 : 1]);
    if (said !== undefined) expect(stderr).toContain(said);
  });

  it("holds for each tree, before anything goes", async () => {
    const server = { files: { "d/a": "1", "e/f": "3" } };
    const here = { "d/old": "x", "e/old0": "x", "e/old1": "x" };
    const more = { server, paths: ["/d/", "/e/"], words: ["--max-delete=1"] };
    expect(await mirrored(here, more)).toMatchObject({ status: 1, found: here });
  });

  it("counts a link and a partial file as one each, and no directory", async () => {
    const server = await startServer({ files });
    const cwd = await folderWith({ "d/t/u/": "" });
    leaveMark(join(cwd, "d"), server.url("/d/"));
    fs.symlinkSync("/", join(cwd, "d/link"));
    leavePart(join(cwd, "d/gone"), "part", { url: server.url("/d/gone") });
    const words = ["-m", "--delete", "--max-delete=50%", server.url("/d/")];
    for (const name of ["old0", "old1"]) fs.writeFileSync(join(cwd, "d", name), "x");
    for (const name of ["gone1", "gone2"])
      leavePart(join(cwd, "d", name), "part", { url: server.url("/d/gone") });
    expect((await ftpull(words, { cwd })).status).toBe(1); // 6 of 8
    for (const name of ["old0", "old1", "gone1.ftpull", "gone2.ftpull"])
      fs.rmSync(join(cwd, "d", name), { recursive: true });
    const { status } = await ftpull(words, { cwd });
    expect([status, localTree(cwd)]).toEqual([0, whole]);
  });

  it("holds where the server shows something else by the same name", async () => {
    const server = { files: { "d/maintenance.txt": "soon" } };
    const { status, cwd } = await mirrored(many(12), { server });
    expect([status, Object.keys(localFiles(cwd)).length]).toEqual([1, 13]);
  });
});

describe.each<[place: string, words: string[], top: string]>([
  ["the last directory of the URL", [], "d"],
  ["the same one in the directory of -P", ["-P", "p"], "p/d"],
  ["the directory of -P", ["-nH", "--cut-dirs=1", "-P", "p"], "p"],
  ["the path of the URL", ["-nH", "-x"], "d"],
])("--delete where the tree's top is %s", (_place, into, top) => {
  const deleting = ["-m", "--delete", ...into];
  const markOf = (cwd: string): string => join(cwd, top, ".ftpull-mirror");

  /** True if a run removes a file of the top that the server lacks. */
  async function removesOld(server: ScriptedServer, cwd: string): Promise<boolean> {
    fs.writeFileSync(join(cwd, top, "old"), "x");
    const { status } = await ftpull([...deleting, server.url("/d/")], { cwd });
    return status === 0 && !fs.existsSync(join(cwd, top, "old"));
  }

  it.each([{}, { [`${top}/`]: "" }])("is for one that was missing or empty: %j", async (here) => {
    const cwd = await folderWith(here);
    const { server, status } = await fetchFrom({ files }, "/d/", deleting, { cwd });
    const left = { [`${top}/a`]: "1", [`${top}/s/b`]: "2" };
    expect([status, localFiles(cwd)]).toEqual([0, left]);
    expect(await removesOld(server, cwd)).toBe(true);
  });

  it("counts a run without --delete", async () => {
    const cwd = await temporaryDirectory();
    const { server } = await fetchFrom({ files }, "/d/", ["-m", ...into], { cwd });
    expect(await removesOld(server, cwd)).toBe(true);
  });

  it("refuses one with files of others, also after a run without --delete", async () => {
    const cwd = await folderWith({ [`${top}/mine`]: "x" });
    const server = await startServer({ files });
    const words = [...deleting, server.url("/d/")];
    const said = `--delete: "${top}" has "mine", and no mark of ${server.url("/d/")}, which only an empty directory gets\n`;
    const first = await ftpull(words, { cwd });
    expect([first.status, first.stderr]).toEqual([2, expect.stringContaining(said)]);
    await ftpull(["-m", ...into, server.url("/d/")], { cwd });
    expect((await ftpull(words, { cwd })).status).toBe(2);
    expect([fs.existsSync(markOf(cwd)), localFiles(cwd)[`${top}/mine`]]).toEqual([false, "x"]);
  });

  it("takes one over by the command of the error, which begins with a look at what would go", async () => {
    const cwd = await folderWith({ [`${top}/mine`]: "x" });
    const server = await startServer({ files });
    const words = [...deleting, server.url("/d/")];
    const looked = await ftpull(["--spider", ...words], { cwd });
    expect([looked.status, looked.stdout]).toEqual([0, expect.stringContaining("\n- mine\n")]);
    const { stderr } = await ftpull(words, { cwd });
    const [, url, mark] =
      /what would go; if all of it may: echo (\S+) > (\S+)\n/.exec(stderr) ?? [];
    fs.writeFileSync(join(cwd, mark!), `${url}\n`);
    expect((await ftpull(words, { cwd })).status).toBe(0);
    expect(fs.existsSync(join(cwd, top, "mine"))).toBe(false);
  });

  it.each([
    [["-r"], false],
    [["-r", "-A", "a"], false],
    [["-r", "-N"], true],
    [["-m"], true],
    [["-m", "-A", "a"], true],
    [["-m", "-A", "none"], true],
    [["-r", "--delete"], true],
  ])("is marked by a mirror, not by any tree, and said once: %j", async (words, isMarked) => {
    const said = `made "${top}/.ftpull-mirror": it allows a later run with --delete here\n`;
    const server = await startServer({ files });
    const all = [...words, ...into, server.url("/d/")];
    const { cwd, stderr } = await ftpull(all);
    expect([fs.existsSync(markOf(cwd)), stderr.includes(said)]).toEqual([isMarked, isMarked]);
    expect((await ftpull(all, { cwd })).stderr).not.toContain(".ftpull-mirror");
  });

  it("is not marked by a preview", async () => {
    const cwd = await folderWith({ [`${top}/`]: "" });
    await fetchFrom({ files }, "/d/", ["--spider", ...deleting], { cwd });
    expect(fs.existsSync(markOf(cwd))).toBe(false);
  });

  it("goes on after a first run that was not whole", async () => {
    const server = await startServer({ files, on: { "RETR#1": "550 no" } });
    const { cwd, status } = await ftpull([...deleting, server.url("/d/")]);
    expect([status, await removesOld(server, cwd)]).toEqual([8, true]);
  });
});

describe("--delete of a directory with the mark of another URL", () => {
  const into = ["-nH", "--cut-dirs=1", "-P", "p"];
  const twoPools = { "a/pool/x": "1", "b/pool/y": "2" };

  it.each<[words: string[], top: string]>([
    [[], "pool"],
    [["-nH", "--cut-dirs=2", "-P", "p"], "p"],
  ])("%j is an error that names both, and proposes no new mark", async (words, top) => {
    const server = await startServer({ files: twoPools });
    const [first, second] = [server.url("/a/pool/"), server.url("/b/pool/")];
    const { cwd } = await ftpull(["-m", "--delete", ...words, first]);
    const { status, stderr } = await ftpull(["-m", "--delete", ...words, second], { cwd });
    expect(stderr).toContain(
      `ftpull: --delete: "${top}" is marked as the mirror of ${first}, not of ${second}\n` +
        `hint: --spider shows what would go; if the server has moved, remove or rewrite ${top}/.ftpull-mirror\n`,
    );
    expect([status, localFiles(cwd)]).toEqual([2, { [`${top}/x`]: "1" }]);
  });

  it.each<[claim: string, first: string[], second: string[]]>([
    ["another user", ["--user", "alice"], []],
    ["the server's root", [], ["--root"]],
  ])("%s is another URL", async (_claim, first, second) => {
    const users = { alice: { password: "p" } };
    const server = await startServer({ files: { "d/x": "1" }, users });
    const env = { FTPULL_PASSWORD: "p" };
    const { cwd } = await ftpull(["-m", ...first, server.url("/d/")], { env });
    const { status, stderr } = await ftpull(["-m", "--delete", ...second, server.url("/d/")], {
      cwd,
    });
    expect(stderr).toMatch(/"d" is marked as the mirror of ftp:\/\/\S+, not of ftp:/);
    expect([status, localFiles(cwd)]).toEqual([2, { "d/x": "1" }]);
  });

  it.skipIf(process.platform === "win32")("a FIFO in the mark's place is no mark", async () => {
    const cwd = await folderWith({ "d/mine": "x" });
    execFileSync("mkfifo", [join(cwd, "d/.ftpull-mirror")]);
    const server = await startServer({ files });
    const { status, stderr } = await ftpull(["-m", "--delete", server.url("/d/")], { cwd });
    expect([status, stderr]).toEqual([2, expect.stringContaining('"d" has "mine", and no mark')]);
  });

  it("shows no password that was written into the mark", async () => {
    const mark = "ftp://jane:secret@example.com/d\n";
    const { status, stderr } = await mirrored(
      { "p/.ftpull-mirror": mark, "p/x": "x" },
      { words: into },
    );
    expect(stderr).toContain('"p" is marked as the mirror of ftp://jane@example.com/d/, not of');
    expect([status, stderr]).toEqual([2, expect.not.stringContaining("secret")]);
  });

  it.each(["-m", "-r"])("is refused for both, once %s has put both trees there", async (mode) => {
    const server = await startServer({ files: twoPools });
    const { cwd } = await ftpull(["-m", server.url("/a/pool/")]);
    const second = await ftpull([mode, server.url("/b/pool/")], { cwd });
    const said = `warning: "pool" was the mirror of ${server.url("/a/pool/")}: it has files of two trees now`;
    expect(second.stderr).toContain(said);
    for (const path of ["/a/pool/", "/b/pool/"]) {
      const { status, stderr } = await ftpull(["-m", "--delete", server.url(path)], { cwd });
      expect([status, stderr]).toEqual([
        2,
        expect.stringContaining(`"pool" has files of two trees: that of ${server.url(path)}, and`),
      ]);
    }
    expect(localFiles(cwd)).toEqual({ "pool/x": "1", "pool/y": "2" });
  });

  it("is refused where the other tree came without its directories", async () => {
    const server = await startServer({ files: { ...files, "e/f": "3" } });
    const { cwd } = await ftpull(["-m", ...into, server.url("/d/")]);
    await ftpull(["-r", "-nd", "-P", "p", server.url("/e/")], { cwd });
    const { status } = await ftpull(["-m", "--delete", ...into, server.url("/d/")], { cwd });
    expect([status, localFiles(cwd)]).toMatchObject([2, { "p/f": "3" }]);
  });

  it("is refused where two trees of one run have filled it", async () => {
    const server = await startServer({ files: { "e/f": "3" }, directories: ["/d"] });
    const { cwd } = await ftpull(["-m", ...into, server.url("/d/"), server.url("/e/")]);
    const { status } = await ftpull(["-m", "--delete", ...into, server.url("/e/")], { cwd });
    expect([status, localFiles(cwd)]).toMatchObject([2, { "p/f": "3" }]);
  });

  it.each(["\n", "ftp://example.com/d/\n", "no URL"])(
    "is done where nothing else is there, nor is it by way of a link of the user's: %j",
    async (mark) => {
      const prepare = (cwd: string): void => fs.symlinkSync("real", join(cwd, "p"));
      const { cwd, server } = await mirrored(
        { "real/.ftpull-mirror": mark },
        { words: into, prepare },
      );
      fs.writeFileSync(join(cwd, "p/old"), "x");
      const { status } = await ftpull(["-m", "--delete", ...into, server.url("/d/")], { cwd });
      expect([status, fs.existsSync(join(cwd, "p/old"))]).toEqual([0, false]);
    },
  );

  it.each([
    ["ftp://anonymous@HOST/d/", "ftp://HOST/d/"],
    ["ftp://HOST/d/", "ftp://anonymous@HOST/d/"],
    ["ftp://HOST/d/", "ftp://HOST//d//"],
    ["FTP://HOST/d", "ftp://HOST/d/"],
    ["ftp://HOST//d/", "ftp://HOST/d"],
    ["ftp://HOST/d/", "ftp://HOST/d/;type=d"],
  ])("is none if %s and %s are spellings of one", async (marked, given) => {
    const server = await startServer({ files });
    const [mark, url] = [marked, given].map((text) =>
      text.replace("HOST", `127.0.0.1:${server.port}`),
    );
    const cwd = await folderWith({ "d/old": "x" });
    leaveMark(join(cwd, "d"), mark!);
    for (let count = 1; count <= 2; count++) {
      const { status } = await ftpull(["-m", "--delete", url!], { cwd });
      expect([status, localTree(cwd)]).toEqual([0, whole]);
    }
  });
});

it.each([
  [["-nd"], ["/d/"], "--delete and --no-directories contradict each other"],
  [["--no-clobber"], ["/d/"], "--delete and --no-clobber contradict each other"],
  [["-i", "list"], ["/d/"], "--delete and --input-file contradict each other"],
  [[], ["/d/*"], "--delete: it is for whole directories"],
  [[], ["/d/a;type=i"], "--delete: it is for whole directories"],
  [[], ["/d/", "/e/d/"], "--delete: the files of two URLs would be in"],
  [["-nH", "--cut-dirs=2"], ["/d/"], "--delete: by --cut-dirs, directories of"],
  [["--cut-dirs=1"], ["/d/"], "--delete: by --cut-dirs, trees of one host share"],
  [["--max-delete=-1"], ["/d/"], "a whole number, or a percentage such as 50%"],
  [["--max-delete=5x"], ["/d/"], "a whole number, or a percentage such as 50%"],
  [["-x"], ["/d/", "/d/s/"], "--delete: the files of two URLs would be in"],
])("--delete with %j of %j is a usage error", async (words, paths, said) => {
  const server = await startServer({ files });
  const urls = paths.map((path) => server.url(path));
  const { status, stderr } = await ftpull(["-r", "--delete", ...words, ...urls]);
  expect(stderr).toContain(said);
  expect([status, server.sent("USER").length]).toEqual([2, 0]);
});

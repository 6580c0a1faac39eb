/** Where the octets end up: the built program's files, and what else it writes to. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, open, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { launcher, node } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const modified = new Date("2021-03-04T05:06:07Z");

const files = {
  "a.txt": { content: "first\n", modified },
  "b.txt": "second\n",
  "pub/ü b%.txt": "odd\n",
  "-rf": "dash\n",
  "semi;colon": "semicolon\n",
};

test("-O replaces a file, and only when the document is whole", async () => {
  const server = await startServer({ files, on: { "RETR b.txt": transfer({ first: 3 }) } });
  const cwd = await directoryWith({ out: "old" });
  await run(["-t", "1", "-O", "out", server.url("/b.txt")], { cwd });
  expect(await readFile(join(cwd, "out"), "utf8")).toBe("old");
  await run(["-O", "out", server.url("/a.txt")], { cwd });
  expect(await readFile(join(cwd, "out"), "utf8")).toBe("first\n");
});

test("-P beside -O is a warning, and the file is where -O says", async () => {
  const server = await startServer({ files });
  const cwd = await directoryWith({});
  const { status, stderr } = await run(["-P", "dl", "-O", "out", server.url("/a.txt")], { cwd });
  expect(stderr).toMatch(
    "ftpull: warning: --directory-prefix does not count with --output-document\n",
  );
  expect({ status, names: await readdir(cwd) }).toEqual({ status: 0, names: ["out"] });
});

test.runIf(process.platform === "linux")(
  "a working directory that is gone is an error",
  async () => {
    const cwd = await temporaryDirectory();
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const words = ["-c", script, "sh", node, launcher, "ftp://127.0.0.1:21111/x"];
    const { status, stderr } = spawnSync("sh", words, { cwd, encoding: "utf8" });
    expect(stderr).toBe(
      'ftpull: ftp://127.0.0.1:21111/x: cannot write "x": no such file or directory\n',
    );
    expect(status).toBe(3);
  },
);

test("-c -O with several URLs takes a finished file for none of them", async () => {
  const server = await startServer({ files });
  const cwd = await directoryWith({ all: "first\n" });
  const args = ["-c", "-O", "all", server.url("/a.txt"), server.url("/b.txt")];
  for (const _run of ["over the first document", "over both"]) {
    expect(await run(args, { cwd })).toMatchObject({ status: 0 });
    expect(await contents(cwd)).toEqual({ all: "first\nsecond\n" });
  }
});

test("-O into a directory that isn't there fails, and makes none", async () => {
  const server = await startServer({ files });
  const { cwd, status, stderr } = await run(["-O", "new/out", server.url("/a.txt")]);
  expect({ status, stderr }).toEqual({
    status: 3,
    stderr:
      'ftpull: cannot write "new/out": no such file or directory\n' +
      'hint: mkdir -p makes the folder "new"; that of -P is made in any case\n',
  });
  expect(await readdir(cwd)).toEqual([]);
});

test.each(["-", "/dev/stdout", "/dev/fd/1"])("-O %s writes standard output", async (name) => {
  const server = await startServer({ files });
  const { stdout, cwd } = await run(["-O", name, server.url("/a.txt"), server.url("/b.txt")]);
  expect(stdout).toBe("first\nsecond\n");
  expect(await readdir(cwd)).toEqual([]);
});

test("-O to a device writes it and leaves it a device", async () => {
  const server = await startServer({ files });
  expect(await run(["-O", "/dev/null", server.url("/a.txt")])).toMatchObject({ status: 0 });
  expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
});

test("-O to a FIFO gives the document to its reader, which has to be there", async () => {
  const server = await startServer({ files });
  const cwd = await temporaryDirectory();
  execFileSync("mkfifo", [join(cwd, "fifo")]);
  const args = ["-q", "-O", "fifo", server.url("/a.txt")];
  expect(await run(args, { cwd })).toMatchObject({
    status: 3,
    stderr: `ftpull: ${server.url("/a.txt")}: cannot write "fifo": nothing reads this FIFO\nhint: start its reader first\n`,
  });
  const reader = await open(join(cwd, "fifo"), "r+"); // which doesn't wait for a writer
  onTestFinished(() => reader.close());
  expect(await run(args, { cwd })).toMatchObject({ status: 0 });
  expect((await reader.read()).buffer.toString("latin1", 0, 6)).toBe("first\n");
  expect((await stat(join(cwd, "fifo"))).isFIFO()).toBe(true);
});

test("what is there stays, and the document becomes name.1, name.2", async () => {
  const server = await startServer({ files });
  const cwd = await directoryWith({ "a.txt": "old" });
  const { stderr } = await run([server.url("/a.txt"), server.url("/a.txt")], { cwd });
  expect(await contents(cwd)).toEqual({
    "a.txt": "old",
    "a.txt.1": "first\n",
    "a.txt.2": "first\n",
  });
  expect(stderr).toContain("a.txt.1: 6 B in");
});

test.each([
  ["a small file", ["--no-clobber"], "x", 6],
  ["a large file", ["--no-clobber"], "x", 100_000],
  ["a small file of a tree", ["-r", "--no-clobber"], "d/", 6],
  ["a large file of a tree", ["-r", "--no-clobber"], "d/", 100_000],
])(
  "--no-clobber keeps what another program saves meanwhile, under no further name: %s",
  async (_claim, words, path, size) => {
    const cwd = await directoryWith({});
    await mkdir(join(cwd, "d"));
    const here = path === "x" ? "x" : "d/x";
    const save: Step = async (exchange) => {
      await writeFile(join(cwd, here), "mine");
      await exchange.proceed();
    };
    const document = { content: "s".repeat(size), modified };
    const server = await startServer({
      files: { x: document, "d/x": document },
      on: { RETR: save },
    });
    const { status, stderr } = await run(["-q", ...words, server.url(`/${path}`)], { cwd });
    expect(stderr).toContain(`cannot write "${here}": it is there already\n`);
    expect(status).toBe(3);
    expect(await readdir(join(cwd, here, ".."))).toEqual(path === "x" ? ["d", "x"] : ["x"]);
    expect(await readFile(join(cwd, here), "utf8")).toBe("mine");
  },
);

test.each(["--no-clobber", "-nc"])(
  "%s leaves it alone, and connects to nothing",
  async (option) => {
    const server = await startServer({ files });
    const cwd = await directoryWith({ "a.txt": "old" });
    const { status, stderr } = await run([option, server.url("/a.txt")], { cwd });
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: 'ftpull: "a.txt" is there already: skipped\n',
    });
    expect(await contents(cwd)).toEqual({ "a.txt": "old" });
    expect(server.connections).toEqual([]);
  },
);

test("a file gets the server's time, or with --no-mtime the present one", async () => {
  const server = await startServer({ files });
  const began = Date.now();
  const { cwd } = await run([server.url("/a.txt")]);
  await run(["--no-mtime", "-O", "now", server.url("/a.txt")], { cwd });
  expect((await stat(join(cwd, "a.txt"))).mtime).toEqual(modified);
  expect((await stat(join(cwd, "now"))).mtimeMs).toBeGreaterThan(began - 1000);
});

test("a name that is too long for a file is cut, its suffix kept", async () => {
  const server = await startServer({ on: { RETR: transfer({ content: "text" }), SIZE: "550 ?" } });
  const { cwd, status } = await run([server.url(`/${"ü".repeat(200)}.tar.gz`)]);
  expect(status).toBe(0);
  expect(await readdir(cwd)).toEqual([`${"ü".repeat(116)}.tar.gz`]);
});

test("a -O that is too long for a file is an error of the file", async () => {
  const server = await startServer({ files });
  const long = "x".repeat(256);
  expect(await run(["-O", long, server.url("/a.txt")])).toMatchObject({
    status: 3,
    stderr: expect.stringMatching(
      new RegExp(`^ftpull: (.*: )?cannot write "${long}(\\.ftpull)?": name too long\n$`),
    ) as string,
  });
});

test("a file goes into the directory that a link names, and over the file that one names", async () => {
  const server = await startServer({ files });
  const cwd = await directoryWith({ target: "old" });
  await symlink("target", join(cwd, "link"));
  await mkdir(join(cwd, "directory"));
  await symlink("directory", join(cwd, "other"));
  await run(["-O", "link", server.url("/a.txt")], { cwd });
  await run(["-P", "other", server.url("/b.txt")], { cwd });
  expect(await readFile(join(cwd, "target"), "utf8")).toBe("first\n");
  expect(await contents(join(cwd, "directory"))).toEqual({ "b.txt": "second\n" });
});

const inTheWay =
  "hint: move away what is there, or choose another place with -P or -O: neither replaces the other\n";

test("a directory that is in the way of a name is left, and name.1 is used", async () => {
  const server = await startServer({ files });
  const cwd = await temporaryDirectory();
  await mkdir(join(cwd, "a.txt"));
  expect(await run([server.url("/a.txt")], { cwd })).toMatchObject({ status: 0 });
  expect(await readFile(join(cwd, "a.txt.1"), "utf8")).toBe("first\n");
  expect(await run(["-f", server.url("/a.txt")], { cwd })).toMatchObject({
    status: 3,
    stderr: `ftpull: ${server.url("/a.txt")}: cannot write "a.txt": it is a directory\n${inTheWay}`,
  });
});

/** Root may, but not in every container. */
const canMount = spawnSync("unshare", ["--mount", "true"]).status === 0;

test.runIf(canMount)("a read-only directory is an error in the system's words", async () => {
  const server = await startServer({ files });
  const cwd = await temporaryDirectory();
  mount(cwd, "ro");
  expect(await run(["-q", server.url("/a.txt")], { cwd })).toMatchObject({
    status: 3,
    stderr: `ftpull: ${server.url("/a.txt")}: cannot write "a.txt": read-only file system\n`,
  });
});

test.runIf(canMount)("a disk that fills up says so, and keeps the beginning", async () => {
  const server = await startServer({ files: { big: { size: 2_000_000, seed: 1 } } });
  const cwd = await temporaryDirectory();
  mount(cwd, "size=1m");
  const { status, stderr } = await run([server.url("/big")], { cwd });
  expect(status).toBe(3);
  expect(stderr).toMatch(
    /\nbig: stopped at (\d+) octets\nftpull: \S+: cannot write "big\.ftpull\/data": no space left on device\nhint: "big\.ftpull" has the \1 octets that arrived: make room, then go on with: ftpull -c .*\n$/,
  );
  expect(await readdir(cwd)).toEqual(expect.arrayContaining(["big.ftpull"]));
  expect(await readdir(cwd)).not.toContain("big");
});

/** Puts a file system of its own there, for the running test. */
function mount(directory: string, options: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", directory]);
  onTestFinished(() => void execFileSync("umount", ["-l", directory]));
}

async function directoryWith(there: Record<string, string>): Promise<string> {
  const directory = await temporaryDirectory();
  for (const [name, text] of Object.entries(there)) await writeFile(join(directory, name), text);
  return directory;
}

/** Every file of a directory with what it holds: nothing else is left there. */
async function contents(directory: string): Promise<Record<string, string>> {
  const names = await readdir(directory);
  const texts = names.map(async (name) => [name, await readFile(join(directory, name), "utf8")]);
  return Object.fromEntries((await Promise.all(texts)) as [string, string][]);
}

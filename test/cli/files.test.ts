/** Where the octets end up: the built program's files, and what else it writes to. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { launcher, node } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const modified = new Date("2021-03-04T05:06:07Z");

const files = { "a.txt": "first\n" };

test("-P beside -O is a warning, and the file is where -O says", async () => {
  const server = await startServer({ files });
  const cwd = await temporaryDirectory();
  const { status, stderr } = await run(["-P", "dl", "-O", "out", server.url("/a.txt")], { cwd });
  expect(stderr).toMatch(
    "ftpull: warning: --directory-prefix does not count with --output-document\n",
  );
  expect({ status, names: await readdir(cwd) }).toEqual({ status: 0, names: ["out"] });
});

test("an option for files beside a URL that is listed says how its files are fetched", async () => {
  const server = await startServer({ files: { "d/x": "x" } });
  const note =
    `ftpull: ${server.url("/d/")} is a directory: it is listed, and no file is fetched\n` +
    "hint: -r fetches what is below a directory\n";
  const listed = await run(["-P", "dl", server.url("/d/")]);
  expect(listed).toMatchObject({ status: 0, stdout: "x\n", stderr: note });
  expect(await readdir(listed.cwd)).toEqual([]);
  for (const words of [["-c"], ["-N"], ["-nc"], ["-x"]])
    expect(await run([...words, server.url("/d/")])).toMatchObject({ stdout: "x\n", stderr: note });
  for (const words of [["-r"], ["--spider"], ["-O", "list"]])
    expect((await run(["-P", "dl", ...words, server.url("/d/")])).stderr).not.toContain(note);
  expect((await run(["-P", "dl", server.url("/d/*")])).stderr).not.toContain(note);
});

test("the same is said of a URL without a final slash that turns out to be a directory", async () => {
  const server = await startServer({ files: { "d/x": "x" } });
  const note =
    `ftpull: ${server.url("/d")} is a directory: it is listed, and no file is fetched\n` +
    "hint: -r fetches what is below a directory\n";
  for (const words of [["-P", "dl"], ["-c"], ["-N"], ["-nc"], ["-x"]]) {
    const listed = await run([...words, server.url("/d")]);
    expect(listed).toMatchObject({ status: 0, stdout: "x\n", stderr: note });
    expect(await readdir(listed.cwd)).toEqual([]);
  }
  expect(await run(["-q", "-N", server.url("/d")])).toMatchObject({ stdout: "x\n", stderr: note });
  expect(await run([server.url("/d")])).toMatchObject({ stdout: "x\n", stderr: "" });
  server.on("MLSD", "451 later");
  const { stderr } = await run(["-N", "-t1", server.url("/d")]);
  expect(stderr).not.toContain("it is listed");
});

test.runIf(process.platform === "linux")("a working directory that is gone fails", async () => {
  const cwd = await temporaryDirectory();
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
  const words = ["-c", script, "sh", node, launcher, "ftp://127.0.0.1:21111/x"];
  const { status, stderr } = spawnSync("sh", words, { cwd, encoding: "utf8" });
  expect(stderr).toBe(
    'ftpull: ftp://127.0.0.1:21111/x: cannot write "x": no such file or directory\n',
  );
  expect(status).toBe(3);
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

test.each([
  ["a small file", ["--no-clobber"], "x", 6],
  ["a large file", ["--no-clobber"], "x", 100_000],
  ["a small file of a tree", ["-r", "--no-clobber"], "d/", 6],
  ["a large file of a tree", ["-r", "--no-clobber"], "d/", 100_000],
])(
  "--no-clobber keeps what another program saves meanwhile, under no further name: %s",
  async (_claim, words, path, size) => {
    const cwd = await temporaryDirectory();
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

/** Root may, but not in every container. */
const canMount = spawnSync("unshare", ["--mount", "true"]).status === 0;

test.runIf(canMount)("a disk that fills up says so, and keeps the beginning", async () => {
  const server = await startServer({ files: { big: { size: 2_000_000, seed: 1 } } });
  const cwd = await temporaryDirectory();
  mount(cwd, "size=1m");
  const { status, stderr } = await run([server.url("/big")], { cwd });
  expect(status).toBe(3);
  expect(stderr).toMatch(
    /\nbig: stopped at (\d+) octets\nftpull: \S+: cannot write "big\.ftpull\/data": no space left on device\nhint: the folder "big\.ftpull" has the \1 octets that arrived: make room, then go on with: ftpull -c .*\n$/,
  );
  expect(await readdir(cwd)).toEqual(expect.arrayContaining(["big.ftpull"]));
  expect(await readdir(cwd)).not.toContain("big");
});

/** Puts a file system of its own there, for the running test. */
function mount(directory: string, options: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", directory]);
  onTestFinished(() => void execFileSync("umount", ["-l", directory]));
}

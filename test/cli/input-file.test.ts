/** -i: a list of URLs. */
import { execFileSync } from "node:child_process";
import { createWriteStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { folderWith } from "../support/folder-with.ts";
import { startProgram } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const files = { a: "text of a", b: "text of b", c: "text of c" };

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer({ files });
});

test("a line that is no URL is shown, with its place, and the others are fetched", async () => {
  const stdin = `# list\nno url at all\n${server.url("/a")}\nhttp://jane:secret@h/x\n`;
  const { status, stderr, cwd } = await run(["-q", "-i", "-"], { stdin });
  expect(stderr).toBe(
    'ftpull: standard input:2: no url at all: the host "no url at all" is not a host name\n' +
      'ftpull: standard input:4: http://jane@h/x: the scheme "http:" is not ftp:, ftps: or ftpes:\n',
  );
  expect(status).toBe(2);
  expect(readFileSync(join(cwd, "a"), "utf8")).toBe(files.a);
});

test.each(["-i", "--ca-certificate"])(
  "a URL that is given where %s takes a file is shown without its password",
  async (option) => {
    const args = [option, "https://jane:sec/ret@h:80/list", "-t", "1"];
    const { status, stderr } = await run([...args, "ftps://jane@127.0.0.1:21111/x"]);
    expect(stderr).toContain('"https://jane@h:80/list": no such file or directory\n');
    expect(stderr).not.toContain("ret@");
    expect(status).toBe(3);
  },
);

test("a list is read whole before the first file is fetched; Ctrl-C ends the wait for it", async () => {
  const program = await startProgram(["-i", "-"]);
  program.child.stdin.write(`${server.url("/a")}\n`);
  await expect.poll(() => program.child.stdin.writableLength).toBe(0);
  program.child.kill("SIGINT");
  expect(await program.finished).toMatchObject({ signal: "SIGINT", stderr: "" });
  expect(server.commands).toEqual([]);
});

test("a FIFO does as well, and all files share a connection", async () => {
  const cwd = await temporaryDirectory();
  execFileSync("mkfifo", [join(cwd, "list")]);
  const program = await startProgram(["-q", "-i", "list", server.url("/c")], { cwd });
  const list = createWriteStream(join(cwd, "list"));
  list.write(`${server.url("/a")}\n`);
  list.end(server.url("/b"));
  expect(await program.finished).toMatchObject({ status: 0, stderr: "" });
  expect(server.sent("RETR")).toEqual(["RETR c", "RETR a", "RETR b"]);
  expect(server.connections).toHaveLength(1);
});

test.each(["#", "##"])(
  "a list in UTF-8 has whole names wherever reading cuts it: %s",
  async (begin) => {
    const urls = Array.from({ length: 200 }, (_, index) => `ftp://h/${"é".repeat(200)}${index}`);
    const cwd = await folderWith({ list: [`\ufeff${begin}`, ...urls].join("\r\n") });
    const { stdout } = await run(["--explain", "-i", "list"], { cwd });
    expect(stdout.match(/RETR .*/g)).toEqual(urls.map((url) => url.replace("ftp://h/", "RETR ")));
  },
);

test.each([
  ["none", "no such file or directory"],
  ["directory", "illegal operation on a directory"],
])("a list that can't be read is an error before anything is fetched: %s", async (list, why) => {
  const cwd = await folderWith({ "directory/": "" });
  expect(await run(["-q", "-i", list, server.url("/a")], { cwd })).toMatchObject({
    status: 3,
    stderr: `ftpull: cannot read "${list}": ${why}\n`,
  });
  expect(server.commands).toEqual([]);
});

test.each([
  ["nothing", ""],
  ["comments", "# none yet\n\n#"],
])("a list of %s has a note, and isn't an error", async (_, stdin) => {
  const noted = { status: 0, stderr: "ftpull: the list has no URLs\n" };
  expect(await run(["-i", "-"], { stdin })).toMatchObject(noted);
  expect(await run(["--explain", "-i", "-"], { stdin })).toMatchObject(noted);
  expect(await run(["-q", "-i", "-"], { stdin })).toMatchObject({ status: 0, stderr: "" });
});

test("a word without a scheme is an ftp: URL, also in a list, and with --base a path", async () => {
  const server = await startServer({ files: { x: "text", "127.0.0.1/x": "other" } });
  const bare = `127.0.0.1:${server.port}/x`;
  expect(await run(["-q", "-O-", bare])).toMatchObject({ status: 0, stdout: "text" });
  const listed = await run(["-q", "-O-", "-i-"], { stdin: `${bare}\n` });
  expect(listed).toMatchObject({ status: 0, stdout: "text" });
  const relative = await run(["-q", "-O-", "-B", server.url("/"), "127.0.0.1/x"]);
  expect(relative).toMatchObject({ status: 0, stdout: "other" });
});

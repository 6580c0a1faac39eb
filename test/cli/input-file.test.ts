/** -i: URLs are fetched as they come, however many there are and however long that takes. */
import { execFileSync } from "node:child_process";
import { createWriteStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { close, Gate, proceed, transfer } from "../support/actions.ts";
import { folderWith } from "../support/folder-with.ts";
import { generatedOctets } from "../support/generated.ts";
import { type RunningProgram, startProgram } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const files = { a: "text of a", b: "text of b", c: "text of c" };

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer({ files });
});

const text = ({ cwd }: RunningProgram, name: string): string =>
  existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), "utf8") : "";

test("a line that is no URL is shown with its first word only: it may be a netrc file's", async () => {
  const lines = "machine h login jane password secret1\n  password secret2\n";
  const cwd = await folderWith({ netrc: lines });
  const { status, stdout, stderr } = await run(["-q", "-i", "netrc", "-i", "-"], {
    cwd,
    stdin: lines,
  });
  const failure = (place: string, word: string) =>
    `ftpull: ${place}: ${word} ...: the URL has no scheme (ftp:, ftps: or ftpes:)\n`;
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  const both = (list: string) => failure(`${list}:1`, "machine") + failure(`${list}:2`, "password");
  expect(stderr).toBe(both("netrc") + both("standard input"));
});

test.each(["-i", "--password-file", "--netrc-file", "--ca-certificate"])(
  "a URL that is given where %s takes a file is shown without its password",
  async (option) => {
    const args = [option, "https://jane:sec/ret@h:80/list", "-t", "1"];
    const { status, stderr } = await run([...args, "ftps://jane@127.0.0.1:21111/x"]);
    expect(stderr).toContain('"https://jane@h:80/list": no such file or directory\n');
    expect(stderr).not.toContain("ret@");
    expect(status).toBe(3);
  },
);

test("a URL in place of the file gets the ways to fetch it, or to read a list from it", async () => {
  expect(await run(["-i", "ftp://u:s3cret@h/list"])).toMatchObject({
    status: 3,
    stdout: "",
    stderr:
      'ftpull: cannot read input file "ftp://u@h/list": no such file or directory\n' +
      "hint: --input-file names a file of URLs: leave it out to fetch this URL, or read a list from it with: " +
      "ftpull -O - URL | ftpull -i -\n",
  });
});

describe("of a pipe that stays open", () => {
  test("each URL is fetched as it comes, also with -j", async () => {
    const program = await startProgram(["-q", "-j", "3", "-i", "-"]);
    for (const name of ["a", "b", "c"] as const) {
      program.child.stdin.write(`${server.url(`/${name}`)}\n`);
      await expect.poll(() => text(program, name)).toBe(files[name]);
    }
    program.child.stdin.end();
    expect(await program.finished).toMatchObject({ status: 0, stderr: "" });
  });

  test("the session stays for the next URL: nothing is sent ahead, and QUIT at the end", async () => {
    const program = await startProgram(["-q", "-i", "-"]);
    program.child.stdin.write(`${server.url("/a")}\n`);
    await expect.poll(() => text(program, "a")).toBe(files.a);
    program.child.stdin.end(`${server.url("/b")}\n`);
    expect((await program.finished).status).toBe(0);
    expect(server.connections).toHaveLength(1);
    expect(server.commands.slice(server.commands.indexOf("RETR a"))).toEqual([
      "RETR a",
      "SIZE b",
      "MDTM b",
      "EPSV",
      "RETR b",
      "QUIT",
    ]);
  });

  test("a session that the server ends meanwhile is replaced", async () => {
    const hungUp = new Gate();
    server.on("RETR#1", [proceed, "421 idle for too long", close, () => hungUp.open()]);
    const program = await startProgram(["-q", "-i", "-"]);
    program.child.stdin.write(`${server.url("/a")}\n`);
    await hungUp.opened;
    await expect.poll(() => text(program, "a")).toBe(files.a);
    program.child.stdin.end(`${server.url("/b")}\n`);
    expect(await program.finished).toMatchObject({ status: 0 });
    expect(text(program, "b")).toBe(files.b);
  });

  test.each([
    [[]],
    [["-j", "3"]],
    [["-O", "all", "-c"]],
    [["--checksum", `md5:${"0".repeat(32)}`]],
  ])("Ctrl-C ends the wait for the next URL: %j", async (words) => {
    const program = await startProgram([...words, "-i", "-"]);
    const isHeld = words.includes("-c") || words.includes("--checksum");
    // With a URL that can't be read it is seen that the list is being read.
    program.child.stdin.write(`http://h/x\n${server.url("/a")}\n`);
    await program.says("http://h/x: ");
    if (!isHeld) await expect.poll(() => text(program, "a")).toBe(files.a);
    expect(server.connections).toHaveLength(isHeld ? 0 : 1);
    program.child.kill("SIGINT");
    expect(await program.finished).toMatchObject({ signal: "SIGINT" });
  });

  test("what closes standard output ends the run", async () => {
    const program = await startProgram(["-j", "2", "--progress", "none", "-i", "-"]);
    program.child.stdout.destroy();
    program.child.stdin.write(`${server.url("/")}\n`);
    expect(await program.finished).toMatchObject({ status: 1, stderr: "" });
  });

  test("--explain prints each plan as its URL comes", async () => {
    const program = await startProgram(["--explain", "-i", "-"]);
    program.child.stdin.write("ftp://h/x\n");
    await program.says("RETR x");
    program.child.stdin.end("ftp://h/y\n");
    const { status, stdout } = await program.finished;
    expect(status).toBe(0);
    expect(stdout).toMatch(/RETR x[^]*\n\nftp:\/\/h\/y\n[^]*RETR y/);
  });

  test("a FIFO does as well", async () => {
    const cwd = await temporaryDirectory();
    execFileSync("mkfifo", [join(cwd, "list")]);
    const program = await startProgram(["-q", "-i", "list"], { cwd });
    const list = createWriteStream(join(cwd, "list"));
    list.write(`${server.url("/a")}\n`);
    await expect.poll(() => text(program, "a")).toBe(files.a);
    list.end(server.url("/b"));
    expect(await program.finished).toMatchObject({ status: 0, stderr: "" });
    expect(text(program, "b")).toBe(files.b);
  });
});

test("the end of a list that can't be read fails, after what came before", async () => {
  const cwd = await folderWith({ "list/": "" });
  const result = await run(["-q", "-i", "list", server.url("/a")], { cwd });
  expect(result).toMatchObject({
    status: 3,
    stderr:
      'ftpull: cannot read input file "list": illegal operation on a directory\n' +
      "hint: --input-file names a file of URLs, one a line; - is standard input\n",
  });
  expect(readFileSync(join(cwd, "a"), "utf8")).toBe(files.a);
});

test("a list that is not there is an error before anything is fetched", async () => {
  // Standard input stays open.
  const program = await startProgram(["-q", "-i", "-", "-i", "none", server.url("/a")]);
  expect(await program.finished).toMatchObject({
    status: 3,
    stderr:
      'ftpull: cannot read input file "none": no such file or directory\n' +
      "hint: --input-file names a file of URLs, one a line; - is standard input\n",
  });
  expect(server.commands).toEqual([]);
});

test.each([
  ["nothing", ""],
  ["comments", "# none yet\n\n#"],
])("a list of %s has a note, and the others are read", async (_, list) => {
  const cwd = await folderWith({ list });
  const result = await run(["-nv", "-i", "list", "-i", "-"], { cwd, stdin: server.url("/a") });
  expect(result).toMatchObject({ status: 0 });
  expect(result.stderr).toMatch(/^ftpull: input file "list" has no URLs\na: /);
  expect(readFileSync(join(cwd, "a"), "utf8")).toBe(files.a);
  const ofInput = { status: 0, stderr: "ftpull: standard input has no URLs\n" };
  expect(await run(["-i", "-"], { stdin: list })).toMatchObject(ofInput);
  expect(await run(["--explain", "-i", "-"], { stdin: list })).toMatchObject(ofInput);
  expect(await run(["-q", "-i", "-"], { stdin: list })).toMatchObject({ status: 0, stderr: "" });
});

test("the last of a list's documents takes QUIT with it", async () => {
  const quitCame = (): Promise<void> =>
    vi.waitFor(() => expect(server.transcript()).toContain("C> QUIT"), { timeout: 200_000 });
  server.on("RETR c", transfer({ completion: [quitCame, "226 all of it"] }));
  const stdin = ["a", "b", "c"].map((name) => server.url(`/${name}`)).join("\n");
  expect(await run(["-q", "-i", "-"], { stdin })).toMatchObject({ status: 0, stderr: "" });
});

test("-O -c with a list, which may have several documents, begins again", async () => {
  const server = await startServer({ files: { a: { size: 9000, seed: 1 }, b: "more" } });
  const cwd = await temporaryDirectory();
  const whole = generatedOctets(1, 0, 9000);
  writeFileSync(join(cwd, "all"), whole.subarray(0, 5000));
  const stdin = `${server.url("/a")}\n${server.url("/b")}\n`;
  const result = await run(["-qc", "-O", "all", "-i", "-"], { cwd, stdin });
  expect(result).toMatchObject({ status: 0, stderr: "" });
  expect(server.sent("REST")).toEqual([]);
  const both = Buffer.concat([whole, Buffer.from("more")]);
  expect(readFileSync(join(cwd, "all")).equals(both)).toBe(true);
});

test("a host with a dot and a path is an ftp: URL, also in a list, and with --base a path", async () => {
  const server = await startServer({ files: { x: "text", "127.0.0.1/x": "other" } });
  const bare = `127.0.0.1:${server.port}/x`;
  expect(await run(["-q", "-O-", bare])).toMatchObject({ status: 0, stdout: "text" });
  const listed = await run(["-q", "-O-", "-i-"], { stdin: `${bare}\n` });
  expect(listed).toMatchObject({ status: 0, stdout: "text" });
  const relative = await run(["-q", "-O-", "-B", server.url("/"), "127.0.0.1/x"]);
  expect(relative).toMatchObject({ status: 0, stdout: "other" });
  const wrong = await run(["-q", bare.replace("127.0.0.1", "localhost")]);
  expect(wrong).toMatchObject({ status: 2 });
  expect(wrong.stderr).toContain(`\nhint: write ftp://localhost:${server.port}/x\n`);
});

/** Commands in hints have what the run needed to get there, and never a password. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { ScriptedProxy } from "../net/support/scripted-proxy.ts";
import { Gate, stall, transfer, until } from "../support/actions.ts";
import { loopbackCertificate } from "../support/certificates.ts";
import { launcher, run as runAsProcess, startProgram } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const files = { "pub/x": { size: 1024, seed: 1 } };

function hintOf(stderr: string): string | undefined {
  return /^hint: .*? with: (.*)$/m.exec(stderr)?.[1];
}

test("--user and --tls stand in the URL, and options without which it would fail before it", async () => {
  const users = { "al ice": { password: "secret" } };
  const on = { SITE: "200 Done" };
  const server = await startServer({ files, users, tls: loopbackCertificate, on });
  const cwd = await temporaryDirectory();
  const [certificate, passwords] = [join(cwd, "it's.pem"), join(cwd, "passwords")];
  await writeFile(certificate, loopbackCertificate.cert);
  await writeFile(passwords, "secret\n");
  const needed = ["--root", "--password-file", passwords, "--ca-certificate", certificate];
  const others = ["--bind-address", "127.0.0.2", "--site", "UMASK 022"];
  const words = [...needed, ...others, "-j2", "--tls", "--user", "al ice", server.url("/pub/none")];
  const { status, stderr } = await run(words);
  expect(status).toBe(8);
  const url = `ftpes://al%20ice@127.0.0.1:${server.port}/pub/`;
  const quoted = `'${certificate.replace("'", "'\\''")}'`;
  const hint = `ftpull --root --password-file ${passwords} --ca-certificate ${quoted} --bind-address 127.0.0.2 --site 'UMASK 022' ${url}`;
  expect(hintOf(stderr)).toBe(hint);
  const command = hint.replace("ftpull", `'${process.execPath}' '${launcher}'`);
  const { stdout } = await promisify(execFile)("sh", ["-c", command], { env: { HOME: cwd } });
  expect(stdout).toBe("x\n");
});

test("a password in the URL or in that of the proxy is left out", async () => {
  const server = await startServer({ files, users: { joe: { password: "secret" } } });
  const proxy = await ScriptedProxy.start({ login: "u:geheim" });
  const url = server.url("/pub/none", { user: "joe", password: "secret" });
  const { stderr } = await run(["--proxy", proxy.url("u:geheim"), url]);
  const listing = server.url("/pub/", { user: "joe" });
  expect(hintOf(stderr)).toBe(`ftpull --proxy ${proxy.url("u")} ${listing}`);
  expect(stderr).not.toMatch(/secret|geheim/);
});

test.each<[claim: string, words: string[], command: string]>([
  [
    "as it was begun",
    "-t1 -4 --no-host --allow-port 25 --user joe -P d SERVER/pub/x".split(" "),
    "-c -t 1 -4 --no-host --allow-port 25 --user joe -P d SERVER/pub/x",
  ],
  [
    "among the other documents",
    ["-qt1", "-P", "it's", "SERVER/pub/x;type=i", "SERVER/pub/"],
    "-c -q -t 1 -P 'it'\\''s' 'SERVER/pub/x;type=i' SERVER/pub/",
  ],
  [
    "with -O if it has a number, in place of the options that place it",
    "-qt1 -T 9 -P . -B SERVER/ pub/x".split(" "),
    "-c -O x.1 -q -t 1 -T 9 SERVER/pub/x",
  ],
])("a file that broke off is fetched %s", async (_claim, words, command) => {
  const on = { RETR: transfer({ first: 512 }) };
  const server = await startServer({ files, users: { joe: {} }, on });
  const cwd = await temporaryDirectory();
  for (const name of ["x", "y"]) await writeFile(join(cwd, name), "");
  const base = server.url("");
  const { stderr } = await run(
    words.map((word) => word.replace("SERVER", base)),
    { cwd },
  );
  expect(stderr).toContain(`go on with: ftpull ${command.replaceAll("SERVER", base)}\n`);
});

test("the command that goes on has every check and limit of this one, but no password and no -f", async () => {
  const server = await startServer({
    files,
    users: { joe: { password: "secret", account: "geheim" } },
    on: { RETR: transfer({ first: 512 }), SITE: "200 Done" },
  });
  const checks = `--checksum md5:${"0".repeat(32)} --limit-rate 1m --site IDLE`;
  const words = ["-f", ...checks.split(" "), "-qt1", "--account=geheim", "--force"];
  const cwd = await temporaryDirectory();
  const login = { user: "joe", password: "secret" };
  const { stderr } = await run([...words, server.url("/pub/x", login)], { cwd });
  const shown = server.url("/pub/x", { user: "joe" });
  expect(stderr).toContain(`go on with: ftpull -c ${checks} -q -t 1 ${shown}\n`);
  expect(stderr).not.toMatch(/secret|geheim/);
});

test("what --no-clobber left is resumed by a command for that file, which works as it stands", async () => {
  const larger = { "pub/x": { size: 10_000, seed: 1 } };
  const on = { "RETR#1": transfer({ first: 8000 }) };
  const server = await startServer({ files: larger, on });
  const cwd = await temporaryDirectory();
  const { stderr } = await run(["-qt1", "-nc", "-P", "d", server.url("/pub/x")], { cwd });
  const command = `-c -O d/x -q -t 1 ${server.url("/pub/x")}`;
  expect(stderr).toContain(`go on with: ftpull ${command}\n`);
  expect(await run(command.split(" "), { cwd })).toMatchObject({ status: 0, stderr: "" });
  expect(server.sent("REST")).toEqual(["REST 3904"]);
});

test("a file of a tree that the server refuses is left out by -R, said once", async () => {
  const server = await startServer({
    files: { "d/it's": "a", "d/y": "b" },
    on: { RETR: "550 no" },
  });
  const { stderr } = await run(["-r", server.url("/d/")]);
  expect(stderr.match(/^hint: .*/gm)).toEqual([
    "hint: a file that can't be read is left out with: -R 'it'\\''s'",
  ]);
});

test("the top of a tree that isn't there is not to be left out: its directory can be listed", async () => {
  const server = await startServer({ files });
  for (const words of [["-m"], ["-r", "-nd"]]) {
    const { stderr } = await run([...words, server.url("/pub/none")]);
    expect(hintOf(stderr)).toBe(`ftpull ${server.url("/pub/")}`);
    expect(stderr).not.toContain("-R none");
  }
});

describe("a server that sends no greeting", () => {
  const late =
    "ftpull: the server has sent no greeting yet\nhint: TLS from the first octet is ftps:";

  test("is told after a second, with a hint at ftps:", async () => {
    const server = await startServer({ on: { greeting: stall } });
    const { stderr } = await run(["-t2", "-T3", server.url("/x")]);
    expect(stderr.indexOf(late)).toBe(0);
    const secure = server.url("/x").replace("ftp:", "ftps:");
    expect(stderr.match(/as in: .*/g)).toEqual([`as in: ftpull ${secure}`]);
    expect(server.commands).toEqual([]);
  });

  test("for some seconds serves all the same, and -q says nothing", async () => {
    const gate = new Gate();
    const slow = [until(gate.opened), "220 Here at last"];
    const server = await startServer({ files, on: { "greeting#1": slow, "greeting#2": slow } });
    const program = await startProgram(["-O", "-", server.url("/pub/x")]);
    const quiet = runAsProcess(["-q", "-O", "-", server.url("/pub/x")]);
    await program.says("no greeting yet");
    gate.open();
    expect(await program.finished).toMatchObject({ status: 0 });
    expect(await quiet).toMatchObject({ status: 0, stderr: "" });
  });
});

test("a table that is given for a list: its column can be taken", async () => {
  const stdin = "run\tftp\nERR1\tftp.example.org/a\n";
  const { status, stderr } = await run(["-i", "-"], { stdin });
  expect(status).toBe(2);
  expect(stderr.match(/^hint: .*/gm)).toEqual([
    "hint: take the column with the URLs: cut -f 2 FILE | ftpull -i -",
  ]);
});

test.each([
  "open 127.0.0.1 2121\nuser alice secret\nbinary\ncd pub\nget x\nbye\n",
  "USER alice secret\nbin\n",
])("a script of ftp given for a list is one error, without its password: %j", async (stdin) => {
  const stderr =
    "ftpull: standard input:1 has a command: scripts of ftp are not read\n" +
    "hint: name each file by its URL\n";
  expect(await run(["-i", "-"], { stdin })).toMatchObject({ status: 2, stdout: "", stderr });
});

test("names of commands in a list are paths with --base", async () => {
  const server = await startServer({ files: { bin: "text" } });
  const words = ["-q", "-O", "-", "-B", server.url("/"), "-i", "-"];
  expect(await run(words, { stdin: "bin\n" })).toMatchObject({ status: 0, stdout: "text" });
});

test("an option in a list of aria2 is named as one", async () => {
  const server = await startServer({ files });
  const stdin = `${server.url("/pub/x")}\n  out=y\n`;
  const stderr =
    "ftpull: standard input:2 has an option: lists have URLs only\n" +
    "hint: a file keeps its own name; for another one give its URL alone, with -O FILE\n";
  expect(await run(["-q", "-i", "-"], { stdin })).toMatchObject({ status: 2, stderr });
  expect(server.commands).toEqual([]);
});

test("a command of more than 1000 characters is described", async () => {
  const server = await startServer({ files, on: { RETR: transfer({ first: 512 }) } });
  const urls = Array.from({ length: 50 }, () => server.url("/pub/x"));
  const { stderr } = await run(["-qft1", ...urls]);
  expect(stderr).toContain("go on with: the same command with -c\n");
});

test("a password on standard input is not read a second time", async () => {
  const server = await startServer({ files, users: { joe: { password: "secret" } } });
  const words = ["--password-file", "-", server.url("/pub/none", { user: "joe" })];
  const { stderr } = await run(words, { stdin: "secret\n" });
  expect(hintOf(stderr)).toBe(`ftpull ${server.url("/pub/", { user: "joe" })}`);
});

test.each([
  ["--root", "CWD /"],
  ["--null-cwd", "CWD "],
])("%s: the nearest directory that is there", async (option, first) => {
  const server = await startServer({ directories: ["pub/old"], on: { "CWD ": "250 here" } });
  const { stderr } = await run([option, server.url("//pub/old/none/deeper/x")]);
  expect(server.commands).toContain(first);
  expect(hintOf(stderr)).toBe(`ftpull ${option} ${server.url("//pub/old/")}`);
});

test("names of local files that the shell put in the place of a pattern", async () => {
  const server = await startServer({ files });
  const cwd = await temporaryDirectory();
  for (const name of ["1.gz", "2.gz"]) await writeFile(join(cwd, name), "");
  const { status, stderr } = await run(["-r", "-A", "1.gz", "2.gz", server.url("/pub/")], { cwd });
  expect(status).toBe(2);
  const hint = "a file here has this name: write patterns in quotes, as in -A '*.gz'";
  expect(stderr).toContain(
    `ftpull: 2.gz: the URL has no scheme (ftp:, ftps: or ftpes:)\nhint: ${hint}\n`,
  );
});

/** Listings as a shell gets them: formats and pipes. */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { caches, launcher, node } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { Exchange } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { runTransfer } from "../support/transfer.ts";

const files = {
  "pub/README": "hello\n",
  "pub/big.iso": {
    content: { size: 24_117_248, seed: 1 },
    modified: new Date("2026-05-17T12:02:00Z"),
  },
  "pub/b\x1b[31m\u202e": "",
  "pub/old/x": "",
};

const names = "README\nbig.iso\nb\\x1b[31m\\u202e\nold/\n";

test("into a pipe: one name a line, a slash behind a directory's", async () => {
  const server = await startServer({ files });
  expect(await run([server.url("/pub/")])).toMatchObject({ stdout: names, stderr: "", status: 0 });
});

describe("P9 a line that can't be read, among others of LIST", () => {
  const read = "-rw-r--r--    1 0        0               5 Nov 21 07:30 a";
  const unread = ["drwxr-xr-x    2 0        0            4096 Nov 21 07:30 b\rc", "ls: b: gone"];
  const listed = async (...options: string[]) => {
    const content = [read, ...unread].map((line) => `${line}\r\n`);
    const server = await startServer({ features: false, on: { LIST: transfer({ content }) } });
    return { ...(await run([...options, server.url("/")])), url: server.url("/") };
  };

  test.each([[["--format", "names"]], [["-q"]], [["-O", "-"]]])(
    "is on standard error beside names: %j",
    async (options) => {
      const { stdout, stderr, status, url } = await listed(...options);
      const [parent = "", gone = ""] = unread;
      expect([stdout, status]).toEqual(["a\n", 0]);
      expect(stderr).toBe(
        [parent.replace("\r", "\\x0d"), gone]
          .map((line) => `ftpull: ${url}: cannot read the line "${line}" of the listing\n`)
          .join(""),
      );
    },
  );

  test("is among the lines of JSON", async () => {
    const { stdout, stderr } = await listed("--format", "json");
    expect(stdout.trimEnd().split("\n")).toHaveLength(3);
    expect(stderr).toBe("");
  });
});

test("a table is sorted by name, every line with five fields; other forms have the server's order", async () => {
  const server = await startServer({ files: { "d/b": "12", "d/a/x": "", "d/C": "" } });
  const { stdout } = await run(["--format", "table", server.url("/d/")]);
  const rows = stdout.trimEnd().split("\n");
  expect(rows.map((row) => row.split(/ +/)).map(({ length }) => length)).toEqual([5, 5, 5]);
  expect(rows.map((row) => row.at(-1))).toEqual(["C", "a", "b"]);
  expect((await run([server.url("/d/")])).stdout).toBe("b\na/\nC\n");
});

test("a password is left as it stands in files and listings on standard output", async () => {
  const users = { alice: { password: "test" } };
  const server = await startServer({ files: { "d/test.txt": "a test\n" }, users });
  const login = { user: "alice", password: "test" };
  const url = server.url("/d/", login);
  expect((await run([url])).stdout).toBe("test.txt\n");
  const shown = server.url("/d/test.txt", { user: "alice" });
  expect((await run(["--format", "urls", url])).stdout).toBe(`${shown}\n`);
  expect((await run(["-qO-", server.url("/d/test.txt", login)])).stdout).toBe("a test\n");
});

test("-O gets the listing of a URL that asks for one", async () => {
  const server = await startServer({ files });
  const { stdout, cwd } = await run(["-O", "out", server.url("/pub/")]);
  expect(stdout).toBe("");
  expect(await readFile(join(cwd, "out"), "utf8")).toBe(names);
});

test.each([
  [["ftp://h/pub/"], "standard output"],
  [["-r", "-P", "dl", "ftp://h/a/pub/"], "dl/pub/"],
  [["-r", "-x", "ftp://h/a/pub"], "h/a/pub/"],
  [["-r", "ftp://h/x;type=i"], "x"],
  [["-x", "ftps://h/x"], "h/x"],
  [["-x", "ftp://h/%2E%2E/x"], "h/%2E%2E/x"],
  [["-P", "dl", "ftp://h/pub/*.gz"], "dl/"],
  [["-O", "-", "ftp://h/x"], "standard output"],
])("--explain %j has the target %s", async (words, target) => {
  const { stdout } = await run(["--explain", ...words]);
  expect(/target +(.*)/.exec(stdout)?.[1]).toBe(target);
});

test("--explain has the user of netrc", async () => {
  const words = "--explain --netrc-file n ftp://h/x";
  const { stdout } = await shell(`echo machine h login jane >n; ftpull ${words}`);
  expect(stdout).toContain("USER jane\n");
});

test("a full disk behind standard output is an error", async () => {
  const server = await startServer({ files });
  const url = server.url("/pub/");
  expect(await shell(`ftpull ${url} >/dev/full`)).toEqual({
    status: 3,
    stdout: "",
    stderr: `ftpull: ${url}: cannot write standard output: no space left on device\n`,
  });
});

describe("nobody reads to the end", () => {
  test("of a listing: quiet", async () => {
    const server = await startServer({ on: { MLSD: entries(100_000) } });
    const { stdout, stderr } = await shell(`ftpull ${server.url("/")} | head -1`);
    expect(stdout.split("\n")).toHaveLength(2);
    expect(stderr).toBe("");
  });

  test("of a document: quiet, beside its progress", async () => {
    const server = await startServer({ files: { x: { size: 10_000_000, seed: 1 } } });
    const command = `ftpull -O - ${server.url("/x")} | head -c 1 | wc -c`;
    const stderr = `standard output: fetching 9.5 MiB from ${server.url("/x")}\n`;
    expect(await shell(command)).toMatchObject({ stdout: "1\n", stderr });
  });
});

/** Answers MLSD with so many entries, made as they are sent. */
function entries(count: number) {
  function* pieces(): Generator<Buffer> {
    for (let at = 0; at < count; at += 1000) {
      const lines = Array.from({ length: Math.min(1000, count - at) }, (_, index) => {
        return `type=file;size=${at + index};modify=20200102030405; entry-${at + index}.txt\r\n`;
      });
      yield Buffer.from(lines.join(""));
    }
  }
  return (exchange: Exchange) => runTransfer(exchange, pieces());
}

/** Runs a line of shell in which `ftpull` is the built program. */
async function shell(line: string) {
  const cwd = await temporaryDirectory();
  const script = `ftpull() { "${node}" "${launcher}" "$@"; }; ${line}`;
  const child = spawn("sh", ["-c", script], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: cwd, XDG_CACHE_HOME: caches },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.end();
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on("close", resolve)),
  ]);
  return { stdout, stderr, status };
}

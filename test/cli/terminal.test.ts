/** What a person sees: the built program on a real terminal. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { close, transfer } from "../support/actions.ts";
import { caches, launcher, node, startProgram } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { hasTerminals, type Step, withTerminal } from "../support/terminal.ts";
import { Screen } from "../terminal/screen.ts";

const users = { jane: { password: "secret-word", account: "sales-7" } };

interface Options {
  columns?: number;
  before?: string;
  after?: string;
}

/** Runs the program in an empty directory; what is typed and waited for is in `steps`. */
async function onTerminal(args: readonly string[], steps: Step[], options: Options = {}) {
  const { columns = 80, before = "", after = "" } = options;
  const directory = await temporaryDirectory();
  const words = [node, launcher, ...args].map((word) => `'${word}'`).join(" ");
  const setting = `HOME=${directory} XDG_CACHE_HOME=${caches} TERM=xterm LC_ALL=C.UTF-8`;
  const command = `trap : INT; cd ${directory}; stty -a >before; ${before} env ${setting} ${words} ${after}; s=$?; stty -a >after; exit $s`;
  const { output, status } = await withTerminal(command, steps, columns);
  const settings = ["before", "after"].map((name) => readFile(join(directory, name), "utf8"));
  const [earlier, later] = await Promise.all(settings);
  // However the program ends, it leaves the terminal as it was.
  expect(later).toBe(earlier);
  for (const mode of ["?25", "?7"])
    expect(output.lastIndexOf(`\x1b[${mode}l`)).toBeLessThanOrEqual(
      output.lastIndexOf(`\x1b[${mode}h`),
    );
  return { output, status, directory };
}

/** The lines that stay on a screen. */
function lines(output: string, columns = 80): string[] {
  const screen = new Screen(columns);
  screen.write(output.replaceAll("\r\n", "\n"));
  return screen.lines;
}

/** Every state of the bar that was drawn. */
function frames(output: string): string[] {
  return output.split(/[\r\n]|\p{Cc}\[[?\d]*[A-Za-z]/u).filter((text) => /\d%/.test(text));
}

/** The last line of a file of 5 bytes. */
function lastLineOf(target: string): RegExp {
  return new RegExp(`^${target}: 5 B in [\\d.]+s`);
}

describe.skipIf(!hasTerminals())("on a terminal", () => {
  const slow = transfer({ rate: 2 * 1024 * 1024 });
  const big = { "pub/disk.img": { size: 1024 * 1024, seed: 1 } };
  /** With the last of these octets 28 % of it are here. */
  const some = Math.ceil(0.28 * 1024 * 1024);

  test("lines of --json on the same terminal take the place of the bar", async () => {
    const server = await startServer({ files: big, on: { RETR: slow } });
    const { output, status } = await onTerminal(["--json", server.url("/pub/disk.img")], []);
    expect(frames(output)).toEqual([]);
    expect(output).toMatch(/^\{"url":".*"status":"done".*\}\r$/m);
    expect(status).toBe(0);
  });

  test("Ctrl-C takes the bar away, and says what is kept", async () => {
    const server = await startServer({
      files: big,
      on: { RETR: transfer({ first: some, end: "stall" }) },
    });
    const url = server.url("/pub/disk.img");
    const { output, status, directory } = await onTerminal(
      [url],
      [{ expect: "28%", send: "\x03" }],
    );
    expect(status).toBe(130);
    const words = "stopped at 0.2 of 1.0 MiB; the same command goes on from there";
    expect(lines(output.replace("^C", ""), 200)).toEqual([`ftpull: ${url}: ${words}`]);
    expect(await readdir(directory)).toContain("disk.img.ftpull");
  });

  test("a listing is a table, in a pipe it is not", async () => {
    const server = await startServer({ files: { "pub/a": "1" } });
    const shown = await onTerminal([server.url("/pub/")], []);
    const piped = await onTerminal([server.url("/pub/")], [], { after: "| cat" });
    expect(lines(shown.output)).toEqual([expect.stringMatching(/^- +1 {2}2020-01-02 03:04 {2}a$/)]);
    expect(lines(piped.output)).toEqual(["a"]);
  });

  test("X4 a raw listing can't steer it", async () => {
    const content = Buffer.from("-rw 1 n\u00e4h\x1b[2J\r\n");
    const server = await startServer({ on: { MLSD: transfer({ content }) } });
    const { output } = await onTerminal(["--format", "raw", server.url("/")], []);
    expect(lines(output)).toEqual(["-rw 1 n\u00e4h\\x1b[2J"]);
  });

  test.each([[["-O", "-"]], [["-O", "-", "-nv"]]])(
    "no bar is drawn over a document that is shown on the terminal: %j",
    async (words) => {
      const text = "first\nlast line, without an end";
      const server = await startServer({ files: { x: text } });
      const { output, status } = await onTerminal([...words, server.url("/x")], []);
      expect(status).toBe(0);
      expect(output).toBe(text.replaceAll("\n", "\r\n"));
    },
  );

  test("-q shows nothing, with --show-progress the file's line, --progress plain lines", async () => {
    const server = await startServer({ files: { x: "text\n" } });
    const quiet = await onTerminal(["-q", "--no-mtime", server.url("/x")], []);
    const words = ["-q", "--show-progress", "-P", "other", server.url("/x")];
    const shown = await onTerminal(words, []);
    expect(shown.output).toMatch(/x: 5 B/);
    const plain = await onTerminal(["--progress", "plain", server.url("/x")], []);
    expect(quiet.output).toBe("");
    expect(lines(plain.output)).toEqual([
      `x: fetching 5 B from ${server.url("/x")}`,
      expect.stringMatching(lastLineOf("x")),
    ]);
  });

  describe("a question", () => {
    const question = "Password for jane at 127.0.0.1: ";

    test("is shown, and what is typed is not; input may be a pipe, output a file", async () => {
      const server = await startServer({ files: { x: "text\n" }, users });
      const url = server.url("/x", { user: "jane" });
      const { output, status, directory } = await onTerminal(
        ["-q", "--account", "sales-7", "-O", "-", "-i", "-"],
        [{ expect: question, send: "secret-word\r" }],
        { before: `echo ${url} |`, after: ">out" },
      );
      expect(status).toBe(0);
      expect(lines(output)).toEqual([question.trim()]);
      expect(output).not.toContain("secret");
      expect(await readFile(join(directory, "out"), "utf8")).toBe("text\n");
      expect(server.commands).toContain("PASS secret-word");
    });

    const otherUser = "(leave it empty to give another user): ";

    test("S7 is asked again where the server hangs up after a refusal, for a new connection", async () => {
      const on = { "PASS#1": ["530 Disconnecting.", close] };
      const server = await startServer({ files: { x: "text\n" }, users, on });
      const { output, status } = await onTerminal(
        ["-t", "1", "--account", "sales-7", server.url("/x", { user: "jane" })],
        [
          { expect: question, send: "one\r" },
          { expect: otherUser, send: "secret-word\r" },
        ],
      );
      expect(output).toContain('server replied 530 "Disconnecting."');
      expect(output).not.toContain("trying again");
      expect(server.sent("PASS")).toEqual(["PASS one", "PASS secret-word"]);
      expect(server.connections).toHaveLength(2);
      expect(status).toBe(0);
    });

    test("is asked for --password-file - at a terminal, before connecting and without echo", async () => {
      const server = await startServer({ files: { x: "text\n" }, users });
      const words = ["-q", "--account", "sales-7", "--password-file", "-"];
      const { output, status } = await onTerminal(
        [...words, server.url("/x", { user: "jane" })],
        [{ expect: question, send: "secret-word\r" }],
      );
      expect(status).toBe(0);
      expect(output).not.toContain("secret");
      expect(server.commands).toContain("PASS secret-word");
    });

    test("ends with Ctrl-C: status 130, and no empty password is sent", async () => {
      const server = await startServer({ files: { x: "text\n" }, users });
      const url = server.url("/x", { user: "jane" });
      const { status, output } = await onTerminal([url], [{ expect: question, send: "abc\x03" }]);
      expect(status).toBe(130);
      expect(lines(output)).toEqual([question.trim(), `ftpull: ${url}: interrupted by SIGINT`]);
      expect(server.sent("PASS")).toEqual([]);
      await expect.poll(() => server.commands.at(-1)).toBe("QUIT");
    });
  });
});

describe("without a terminal", () => {
  test("X2 the process list has neither passwords nor accounts", async () => {
    // Words that no other process of the machine has.
    const [password, account] = [randomUUID(), randomUUID()];
    const server = await startServer({
      files: { x: { size: 100_000, seed: 1 } },
      users: { jane: { password, account } },
      on: { RETR: transfer({ first: 1000, end: "stall" }) },
    });
    const url = server.url("/x", { user: "jane", password });
    const words = ["--account", account, `--base=${url}`, url, `<URL:${url}>`];
    const program = await startProgram(words);
    await program.says("from ftp://");
    const { pid } = program.child;
    const shown = [
      readFileSync(`/proc/${pid}/cmdline`, "latin1"),
      readFileSync(`/proc/${pid}/comm`, "latin1"),
    ];
    expect(shown[0]).toMatch(/^ftpull ftp:\/\/jane@/);
    for (const secret of [password, account]) expect(shown.join("\n")).not.toContain(secret);
    program.child.kill("SIGTERM");
    expect(await program.finished).toMatchObject({ signal: "SIGTERM" });
  });
});

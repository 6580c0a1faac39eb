import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Question } from "../../src/login/sources.ts";
import { hasTerminals, type Step, withTerminal } from "../support/terminal.ts";
import { Screen } from "./screen.ts";

const folder = mkdtempSync(join(tmpdir(), "ftpull-prompt-"));
const program = join(folder, "asks.cjs");

/** Asks the questions of its arguments, and prints the answers or why there are none. */
const source = `
  import { ask, canAsk } from "./src/terminal/prompt.ts";
  import { Interrupted } from "./src/errors.ts";
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => ending.abort(new Interrupted(signal)));
  async function main() {
    console.log("can ask " + canAsk());
    const questions = process.argv.slice(2).map((question) => JSON.parse(question));
    for (const question of questions) {
      const [{ value, reason }] = await Promise.allSettled([ask(question, ending.signal)]);
      console.log(JSON.stringify(value ?? [reason.name, reason.signal ?? reason.kind, reason.message]));
    }
  }
  main();
`;

beforeAll(async () => {
  const stdin = { contents: source, resolveDir: process.cwd(), loader: "ts" as const };
  await build({ stdin, bundle: true, platform: "node", format: "cjs", outfile: program });
});

afterAll(() => rmSync(folder, { recursive: true }));

const password: Question = { kind: "password", message: "Password for jane at ftp.example.org" };
const shown = "Password for jane at ftp.example.org: ";
const user: Question = { kind: "text", message: "User at h" };

function command(...questions: Question[]): string {
  const quoted = questions.map((question) => `'${JSON.stringify(question)}'`);
  return `node ${program} ${quoted.join(" ")}`;
}

async function answers(questions: Question[], ...steps: Step[]): Promise<unknown[]> {
  await withTerminal(`${command(...questions)} >${folder}/out`, steps);
  return printed();
}

function screenOf(output: string): { lines: string[]; column: number } {
  const screen = new Screen(80);
  screen.write(output);
  return { lines: screen.linesWithEmpty, column: screen.column };
}

function printed(): unknown[] {
  const [first, ...lines] = readFileSync(`${folder}/out`, "utf8").trim().split("\n");
  expect(first).toBe("can ask true");
  return lines.map((line) => JSON.parse(line) as unknown);
}

describe.skipIf(!hasTerminals())("a question on a terminal", () => {
  test("shows nothing of a password, not even its length", async () => {
    const { output } = await withTerminal(command(password), [
      // A beep says that all is read: the cursor can't go right any more.
      { expect: shown, send: "sécret\x1b[D\x1b[D\x1b[C\x1b[C\x1b[C" },
      { expect: "\x07", send: "\r" },
    ]);
    const asking = output.slice(output.indexOf(shown), output.lastIndexOf(shown) + shown.length);
    expect(asking).not.toMatch(/\*|é|cret/);
    expect(screenOf(asking)).toEqual({ lines: [shown.trimEnd()], column: shown.length });
    expect(output).toContain('"sécret"');
  });

  test("shows what is typed otherwise, and the cursor stands where it belongs", async () => {
    const { output } = await withTerminal(command({ kind: "text", message: "User at h" }), [
      { expect: "User at h: ", send: "jané\x1b[D" },
      { expect: "jané\x1b[1D", send: "n\r" },
    ]);
    const asking = output.slice(output.indexOf("User"), output.indexOf("jané\x1b[1D"));
    expect(screenOf(`${asking}jané\x1b[1D`)).toEqual({ lines: ["User at h: jané"], column: 14 });
    expect(output).toContain('"janné"');
  });

  test("has the answer that the keys mean", async () => {
    const typed: [claim: string, question: Question, keys: string, answer: string][] = [
      ["an empty answer is an answer", password, "\r", ""],
      ["Backspace and Ctrl-U delete", user, "abc\x15bob\x1b[D\x7f\r", "bb"],
      ["any character can be typed", password, "a #1\"'\\ü€😀\r", "a #1\"'\\ü€😀"],
    ];
    const questions = typed.map(([message, question]) => ({ ...question, message }));
    const steps = typed.map(([message, , keys]) => ({ expect: message, send: keys }));
    expect(await answers(questions, ...steps)).toEqual(typed.map(([, , , answer]) => answer));
  });

  test("Ctrl-D is looked at when the keys before it have had their effect", async () => {
    const reason = ["FtpullError", "login", "the question was not answered"];
    expect(await answers([password], { expect: shown, send: "ab\x15\x04" })).toEqual([reason]);
    expect(await answers([password], { expect: shown, send: "\x7fab\x04\r" })).toEqual(["ab"]);
  });

  test("loses no key that was typed before it stood", async () => {
    const steps = [
      { expect: "soon", send: "sec" },
      { expect: shown, send: "ret\r" },
    ];
    await withTerminal(`echo soon; ${command(password)} >${folder}/out`, steps);
    expect(printed()).toEqual(["secret"]);
  });

  test("shows a notice above, and escapes what a server wrote", async () => {
    const notice = 'server replied 530 "\x1b[2Jno"';
    const question: Question = { kind: "password", message: "Password for \x07j at h", notice };
    const steps = [{ expect: "h: ", send: "\r" }];
    const { output } = await withTerminal(command(question), steps);
    const lines = ['server replied 530 "\\x1b[2Jno"', "Password for \\x07j at h:"];
    expect(screenOf(output).lines.slice(1, 3)).toEqual(lines);
  });

  test.each([
    ["Ctrl-C", { send: "se\x03" }, ["Interrupted", "SIGINT", "interrupted by SIGINT"]],
    ["Ctrl-D", { send: "\x04" }, ["FtpullError", "login", "the question was not answered"]],
    ["SIGTERM", { signal: "SIGTERM" }, ["Interrupted", "SIGTERM", "interrupted by SIGTERM"]],
  ] as const)("%s ends it, and the terminal is as before", async (_claim, end, reason) => {
    const around = `trap : TERM INT; stty -g; ${command(password)} >${folder}/out; stty -g; stty -a`;
    const { output } = await withTerminal(around, [{ expect: shown, ...end }]);
    const [before, question, after, ...settings] = screenOf(output).lines;
    expect(question).toBe(shown.trimEnd());
    expect(after).toBe(before);
    expect(settings.join(" ")).toMatch(/ icanon .* echo /);
    expect(printed()).toEqual([reason]);
  });

  test("fails where there is no terminal", async () => {
    const { output } = await withTerminal(`setsid -w ${command(password)}`, []);
    expect(output).toContain("can ask false");
    expect(output).toContain('["FtpullError","login","no terminal to ask on: ');
  });
});

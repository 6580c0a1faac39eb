/**
 * Questions to a person, on the terminal itself: standard input may be a pipe and standard
 * output a file. What is asked, and when, is decided elsewhere. The only importer of enquirer,
 * which is loaded when something is really asked.
 */
import { closeSync, openSync } from "node:fs";
import { type Key, moveCursor } from "node:readline";
import { ReadStream, WriteStream } from "node:tty";
import { FtpullError, Interrupted, systemText } from "../errors.ts";
import type { Question } from "../login/credential-sources.ts";
import { escapeControls } from "../text/escape.ts";

/** Whether there is a terminal to ask on. */
export function canAsk(): boolean {
  if (process.platform === "win32") return process.stdin.isTTY && process.stderr.isTTY;
  try {
    closeSync(openSync("/dev/tty", "r+"));
    return true;
  } catch {
    return false;
  }
}

let lastAnswer: Promise<unknown> = Promise.resolve();

/**
 * The answer to `question`; one question stands at a time. An empty answer means `initial`
 * where there is one. Of a password not even the length is shown. The terminal is as it was
 * before when the promise settles, and already when abort() of the signal's controller returns.
 * @throws Interrupted on Ctrl-C and when the terminal hangs up; the signal's reason; FtpullError
 *   "login" on Ctrl-D
 */
export function ask(question: Question, signal?: AbortSignal): Promise<string> {
  const answer = lastAnswer.then(() => askNow(question, signal));
  lastAnswer = answer.catch(() => undefined);
  return answer;
}

async function askNow(question: Question, signal: AbortSignal | undefined): Promise<string> {
  const enquirer = await import("enquirer");
  signal?.throwIfAborted();
  const terminal = openTerminal();
  try {
    if (question.notice !== undefined)
      terminal.output.write(`${escapeControls(question.notice)}\n`);
    const { Input } = enquirer.default as unknown as { Input: InputConstructor };
    const prompt = plainPrompt(Input, question, terminal);
    const answer = await Promise.race([answered(prompt), unanswered(prompt, terminal, signal)]);
    return answer === "" ? (question.initial ?? "") : answer;
  } finally {
    terminal.close();
  }
}

interface Terminal {
  readonly input: ReadStream;
  readonly output: WriteStream;
  /** Restores the terminal, and lets the program end. */
  close(): void;
}

function openTerminal(): Terminal {
  if (process.platform === "win32") {
    const { stdin: input, stderr: output } = process;
    return { input, output, close: () => input.setRawMode(false).pause() };
  }
  try {
    const input = new ReadStream(openSync("/dev/tty", "r+"));
    const output = new WriteStream(openSync("/dev/tty", "w"));
    return { input, output, close: () => closeTerminal(input, output) };
  } catch (error) {
    throw new FtpullError("login", `no terminal to ask on: ${systemText(error)}`, { cause: error });
  }
}

function closeTerminal(input: ReadStream, output: WriteStream): void {
  // A terminal that has hung up reports that once more, and nobody is to come back here for it.
  for (const stream of [input, output]) stream.removeAllListeners("error").on("error", () => {});
  if (input.isRaw && !input.destroyed) input.setRawMode(false);
  for (const stream of [input, output]) stream.destroy();
}

/** What is used of enquirer's Input, which its types leave out. */
interface InputPrompt extends NodeJS.EventEmitter {
  readonly state: { input: string; cursor: number; readonly submitted: boolean };
  stop: () => void;
  run(): Promise<string>;
  render(): Promise<void>;
  reset(): Promise<void>;
}

type InputConstructor = new (options: object) => InputPrompt;

/** Enquirer's Input without its marks, styles and imitation of a cursor. */
function plainPrompt(Input: InputConstructor, question: Question, terminal: Terminal): InputPrompt {
  const { input: stdin, output: stdout } = terminal;
  const hidden = question.kind === "password";
  const format = (value: string): string => (hidden ? "" : value);
  const prompt = new Input({ stdin, stdout, columns: stdout.columns || 80, format });
  const { state } = prompt;
  return Object.assign(prompt, {
    prefix: () => "",
    message: () => questionText(question),
    separator: () => "",
    // Enquirer's own takes every character beyond ASCII for two columns, and so moves the
    // cursor where a password is typed.
    restore: () => hidden || moveCursor(stdout, state.cursor - state.input.length, 0),
    // Enquirer's own stops before the last character.
    last: () => {
      state.cursor = state.input.length;
      return prompt.render();
    },
    // Ctrl-U, which deletes the line in every other password prompt.
    undo: () => prompt.reset(),
  });
}

/** Without the final space, which enquirer adds. */
function questionText({ message, initial }: Question): string {
  return escapeControls(initial === undefined ? `${message}:` : `${message} [${initial}]:`);
}

async function answered(prompt: InputPrompt): Promise<string> {
  prompt.once("start", () => guardStop(prompt));
  return prompt.run().catch(() => {
    throw new Interrupted("SIGINT");
  });
}

/**
 * On Ctrl-C readline closes itself before enquirer stops it, and from Node 24 on that throws
 * ERR_USE_AFTER_CLOSE where nobody can catch it (enquirer#483). All else is done by then.
 */
function guardStop(prompt: InputPrompt): void {
  const { stop } = prompt;
  prompt.off("close", stop);
  prompt.once("close", () => {
    try {
      stop();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_USE_AFTER_CLOSE") throw error;
    }
  });
}

/** Rejects when the question ends in a way that enquirer doesn't see. */
function unanswered(
  prompt: InputPrompt,
  terminal: Terminal,
  signal: AbortSignal | undefined,
): Promise<never> {
  return new Promise((_resolve, reject) => {
    const { input, output } = terminal;
    const end = (reason: unknown): void => {
      if (prompt.state.submitted) return;
      if (!output.destroyed) output.write("\n");
      terminal.close();
      reject(reason as Error);
    };
    const aborted = (): void => end(signal?.reason);
    signal?.addEventListener("abort", aborted);
    input.once("close", () => signal?.removeEventListener("abort", aborted));
    const noAnswer = (): void => end(new FtpullError("login", "the question was not answered"));
    // The SIGHUP that belongs to it may come a little later.
    const hungUp = (): void => end(new Interrupted("SIGHUP"));
    input.on("error", hungUp).on("end", hungUp);
    let control: string | undefined;
    let isStopped = false;
    input.on("keypress", (_text, key: Key) => {
      control = key.ctrl === true ? key.name : undefined;
      isStopped ||= control === "z";
    });
    // To enquirer it is an editing key. It counts for what the keys before it have left, and they
    // wait in enquirer's queue.
    prompt.on("keypress", (_text, key: Key) => {
      if (key.ctrl === true && key.name === "d" && prompt.state.input === "") noAnswer();
    });
    // Readline pauses its input when it closes itself, as on Ctrl-C, which enquirer sees too, and
    // when the program goes on after Ctrl-Z, perhaps with keys that were read together with it.
    input.on("pause", () => {
      if (isStopped) goOn(prompt, input);
      else if (control !== "c") noAnswer();
      isStopped = false;
    });
  });
}

/** Readline has the terminal in raw mode again, but leaves it to others to read and to show the question. */
function goOn(prompt: InputPrompt, input: ReadStream): void {
  setImmediate(() => {
    input.resume();
    void prompt.render();
  });
}

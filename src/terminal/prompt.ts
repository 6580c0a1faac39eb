/** Asks questions on the terminal itself, by enquirer: standard input may be a pipe, standard output a file. */
import { closeSync, openSync } from "node:fs";
import type Input from "enquirer/lib/prompts/input.js";
import { type Key, moveCursor } from "node:readline";
import { ReadStream, WriteStream } from "node:tty";
import { FtpullError, systemText } from "../errors.ts";
import type { Question } from "../login/sources.ts";
import { escapeControls } from "../text/escape.ts";
import { conceal } from "../text/secrets.ts";

export function canAsk(): boolean {
  if (process.platform === "win32") return process.stdin.isTTY && process.stderr.isTTY;
  try {
    closeSync(openSync("/dev/tty", "r+"));
    return true;
  } catch {
    return false;
  }
}

let terminalFreed: Promise<unknown> = Promise.resolve();

/**
 * Asks one question after the other. Neither a password nor its length is shown. The terminal is restored before
 * the promise settles, and on abort before abort() returns.
 * @throws the signal's reason, also on Ctrl-C and when the terminal hangs up; FtpullError "login" on Ctrl-D
 */
export function ask(question: Question, signal: AbortSignal): Promise<string> {
  const answer = terminalFreed.then(() => askNow(question, signal));
  terminalFreed = answer.catch(() => undefined);
  return answer;
}

async function askNow(question: Question, signal: AbortSignal): Promise<string> {
  const { default: InputClass } = await import("enquirer/lib/prompts/input.js");
  signal.throwIfAborted();
  const terminal = openTerminal();
  try {
    if (question.notice !== undefined)
      terminal.output.write(`${escapeControls(conceal(question.notice))}\n`);
    const prompt = plainPrompt(InputClass, question, terminal);
    const answer = await answerOf(prompt, terminal, signal);
    return answer === "" ? (question.initial ?? "") : answer;
  } finally {
    terminal.close();
  }
}

type Terminal = ReturnType<typeof openTerminal>;

function openTerminal() {
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
  // A terminal that has hung up emits a further error, which must not call `close` again.
  for (const stream of [input, output]) stream.removeAllListeners("error").on("error", () => {});
  if (input.isRaw && !input.destroyed) input.setRawMode(false);
  for (const stream of [input, output]) stream.destroy();
}

/** Enquirer's other prompts show a password's length or move the cursor, and have no Ctrl-U. */
function plainPrompt(InputClass: typeof Input, question: Question, terminal: Terminal): Input {
  const { input: stdin, output: stdout } = terminal;
  const isHidden = question.kind === "password";
  const format = (value: string): string => (isHidden ? "" : value);
  const prompt = new InputClass({ stdin, stdout, columns: stdout.columns || 80, format });
  const { state } = prompt;
  return Object.assign(prompt, {
    prefix: () => "",
    message: () => questionText(question),
    separator: () => "",
    // Enquirer takes characters beyond ASCII for two columns, and moves the cursor in a password.
    restore: () => {
      if (!isHidden) moveCursor(stdout, state.cursor - state.input.length, 0);
    },
    // Enquirer's own `last` moves only to the last character.
    last: () => {
      state.cursor = state.input.length;
      return prompt.render();
    },
    undo: () => prompt.reset(),
  });
}

/** Enquirer adds the final space. */
function questionText({ message, initial }: Question): string {
  return escapeControls(initial === undefined ? `${message}:` : `${message} [${initial}]:`);
}

function answerOf(prompt: Input, terminal: Terminal, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const { input, output } = terminal;
    const giveUp = (reason: Error): void => {
      if (prompt.state.submitted) return; // Enquirer, too, closes its input after the answer.
      if (!output.destroyed && !signal.aborted) output.write("\n");
      terminal.close();
      reject(reason);
    };
    signal.addEventListener("abort", () => giveUp(signal.reason as Error));
    const hangUp = (): void => void process.kill(process.pid, "SIGHUP");
    input.on("error", hangUp).on("end", hangUp);
    const unanswered = new FtpullError("login", "the question was not answered");
    watchKeys(prompt, input, () => giveUp(unanswered));
    // Enquirer's own `cancel` closes a reader that readline has closed already, an error since Node 24 (enquirer#483).
    // Ctrl-C is for the whole process group, also for a script around this program; the signal aborts the prompt.
    prompt.cancel = () => {
      output.write("\n");
      process.kill(0, "SIGINT");
    };
    void prompt.run().then(resolve);
  });
}

/** Continues after Ctrl-Z; calls `refuse` for Ctrl-D and at the end of the input. */
function watchKeys(prompt: Input, input: ReadStream, refuse: () => void): void {
  // Ctrl-Z explains the next pause of the input, also behind further keys, which were read together with it.
  let pausingKey = "";
  input.on("keypress", (_text, key: Key) => {
    if (pausingKey !== "ctrl-z") pausingKey = keyName(key);
  });
  // Readline pauses its input when the program continues after Ctrl-Z, and when readline is closed: enquirer's Ctrl-C.
  input.on("pause", () => {
    if (pausingKey === "ctrl-z") {
      pausingKey = "";
      setImmediate(goOn);
    } else if (pausingKey !== "ctrl-c") refuse();
  });
  // After Ctrl-Z readline restores raw mode, but neither resumes reading nor shows the question.
  const goOn = (): void => {
    input.resume();
    void prompt.render();
  };
  // Checked in enquirer's event, since earlier keys may still be in enquirer's queue.
  prompt.on("keypress", (_text, key: Key) => {
    if (keyName(key) === "ctrl-d" && prompt.state.input === "") refuse();
  });
}

function keyName({ ctrl, name = "" }: Key): string {
  return ctrl === true ? `ctrl-${name}` : name;
}

/** Asks questions on the terminal itself, by enquirer: standard input may be a pipe, standard output a file. */
import { closeSync, openSync } from "node:fs";
import type Prompt from "enquirer/lib/prompts/input.js";
import type { Key } from "node:readline";
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

/**
 * Asks a question. Neither a password nor its length is shown. The terminal is restored before the promise settles,
 * and on abort before abort() returns.
 * @throws the signal's reason, also on Ctrl-C and when the terminal hangs up; FtpullError "login" on Ctrl-D
 */
export async function ask(question: Question, signal: AbortSignal): Promise<string> {
  const { default: Input } = await import("enquirer/lib/prompts/input.js");
  const { default: Invisible } = await import("enquirer/lib/prompts/invisible.js");
  signal.throwIfAborted();
  const terminal = openTerminal();
  try {
    const options = { ...plain, stdin: terminal.input, stdout: terminal.output };
    const message = shownQuestion(question, terminal.output);
    const prompt =
      question.kind === "password"
        ? new Invisible({ ...options, message })
        : new Input({ ...options, message, format: (typed: string) => typed });
    return await answerOf(prompt, terminal, signal);
  } finally {
    terminal.close();
  }
}

/** No signs, no colours, and the keys of a line. Ctrl-C is for the whole process group, also for a script around it. */
const plain = {
  styles: { enabled: false },
  symbols: { prefix: "", separator: "" },
  actions: {
    ctrl: { c: "interrupt", u: "reset", w: "cutLeft", a: "first", b: "left", f: "right" },
    keys: { return: "submit", enter: "submit", backspace: "delete", left: "left", right: "right" },
  },
  interrupt: () => process.kill(0, "SIGINT"),
};

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

/** Writes the notice, and gives the question, which stands in front of the answer. */
function shownQuestion({ message, notice }: Question, output: WriteStream): string {
  if (notice !== undefined) output.write(`${escapeControls(conceal(notice))}\n`);
  return escapeControls(`${message}:`);
}

function answerOf(prompt: Prompt, terminal: Terminal, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const { input, output } = terminal;
    const giveUp = (reason: Error): void => {
      if (prompt.state.submitted || output.destroyed) return; // Enquirer, too, closes its input after the answer.
      output.write("\n");
      terminal.close();
      reject(reason);
    };
    signal.addEventListener("abort", () => giveUp(signal.reason as Error));
    const hangUp = (): void => void process.kill(process.pid, "SIGHUP");
    input.on("error", hangUp).on("end", hangUp);
    const unanswered = new FtpullError("login", "the question was not answered");
    watchKeys(input, () => giveUp(unanswered));
    void prompt.run().then(resolve);
  });
}

/** Calls `refuse` when readline ends the input, at Ctrl-D; after Ctrl-C a signal follows. */
function watchKeys(input: ReadStream, refuse: () => void): void {
  let isInterrupt = false;
  input.on("keypress", (_text, { ctrl, name }: Key) => {
    isInterrupt = ctrl === true && name === "c";
  });
  input.on("pause", () => {
    if (!isInterrupt) refuse();
  });
}

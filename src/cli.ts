/** The program's main function: parse, run, report. */
import { isatty } from "node:tty";
import { clockMs } from "./clock.ts";
import { ClosedOutput, exitStatus, Interrupted, toFtpullError } from "./errors.ts";
import { parseCommandLine, type Settings } from "./options/command-line.ts";
import { endSoon } from "./run/interruptions.ts";
import { print, showInProcessList } from "./run/print.ts";
import { isTerminal } from "./run/terminal-file.ts";
import { isInForeground } from "./terminal/foreground.ts";
import { Messages } from "./terminal/messages.ts";
import { decoderFor } from "./text/encoding.ts";

const isDebugging = process.env["FTPULL_DEBUG"] === "1";

/** True if documents were asked for: the launcher then keeps the code that V8 compiled for them. */
export let hasFetched = false;

/** Made for the first message: a quiet run mostly needs none, and Node takes its time. */
let standardError: NodeJS.WriteStream | undefined;

// Without a listener, Node would open its debugger's port.
process.on("SIGUSR1", () => undefined);
// A run that ends because nothing is left to wait for, its work undone, is no success.
process.exitCode = exitStatus.other;
void main(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});

async function main(argv: readonly string[]): Promise<number> {
  showInProcessList();
  // Taking the stack of every error costs more than handling most of them.
  if (!isDebugging) Error.stackTraceLimit = 0;
  let messages = messagesFor(undefined);
  try {
    const commandLine = parseCommandLine(argv);
    if (commandLine.action === "print") await print(commandLine.text);
    if (commandLine.action === "manual") await (await import("./run/show-manual.ts")).showManual();
    if (commandLine.action !== "run") return 0;
    const { settings } = commandLine;
    showInProcessList(settings);
    messages = messagesFor(settings);
    return await perform(settings, messages);
  } catch (error) {
    return report(error, messages);
  } finally {
    messages.close();
  }
}

async function perform(settings: Settings, messages: Messages): Promise<number> {
  if (settings.explain) return (await import("./run/explain.ts")).explainAll(settings, messages);
  hasFetched = true;
  return (await import("./run/run.ts")).run(settings, messages);
}

function report(error: unknown, messages: Messages): number {
  if (error instanceof Interrupted) return endSoon(error);
  if (error instanceof ClosedOutput) return exitStatus.other;
  const failure = toFtpullError(error);
  messages.failure(undefined, failure);
  return exitStatus[failure.kind];
}

function messagesFor(settings: Settings | undefined): Messages {
  const level = settings?.quiet ? "quiet" : settings?.verbose ? "verbose" : "normal";
  return new Messages({
    get stream() {
      // A run goes on without messages if standard error is closed, as when a terminal hangs up.
      return (standardError ??= process.stderr.on("error", () => undefined));
    },
    level,
    progress: progressFor(settings),
    labelsSessions: settings !== undefined && (settings.jobs > 1 || settings.segments > 1),
    decode: decoderFor(settings?.remoteEncoding),
    now: clockMs,
    mayDraw: isInForeground,
    debug: isDebugging,
  });
}

function progressFor(settings: Settings | undefined): "bar" | "plain" | "final" | "none" {
  // Examining the terminal takes time, and without a run there is no progress.
  if (settings === undefined || settings.explain) return "none";
  // A quiet run shows the progress of a bar that was asked for, as with wget's -q --show-progress.
  if (settings.quiet && settings.progress !== "bar") return "none";
  // Lines of --json on the same terminal would be drawn into a bar.
  const terminal = isatty(2) && process.env["TERM"] !== "dumb" && !(settings.json && isatty(1));
  const asked = settings.progress === "bar" && !isatty(2) ? undefined : settings.progress;
  const progress = asked ?? (terminal ? "bar" : "plain");
  // A bar would be drawn over the last line of a document that is shown on the terminal.
  const usual = progress === "bar" && isTerminal(settings.outputDocument, 1) ? "none" : progress;
  return settings.noVerbose && usual !== "none" ? "final" : usual;
}

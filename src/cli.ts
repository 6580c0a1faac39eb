/** The program's main function: parse, run, report. */
import { clockMs } from "./clock.ts";
import { exitStatus, hasReason, Interrupted, toFtpullError } from "./errors.ts";
import { parseCommandLine, type Settings } from "./options/command-line.ts";
import { explainAll } from "./run/explain.ts";
import { endSoon } from "./run/interruptions.ts";
import { print } from "./run/print.ts";
import { run } from "./run/run.ts";
import { isTerminal } from "./terminal/is-terminal.ts";
import { Messages } from "./terminal/messages.ts";
import { decoderFor } from "./text/encoding.ts";
import { redactUrlText } from "./text/redact.ts";

/** True if files were asked for: the launcher then keeps the code that V8 compiled for them. */
export let hasFetched = false;

/** Opened for the first message: that takes Node some time, and a quiet run mostly needs none. */
let standardError: NodeJS.WriteStream | undefined;

// A run that ends because nothing is left to wait for, its work undone, is no success.
process.exitCode = exitStatus.other;
void main(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});

async function main(argv: readonly string[]): Promise<number> {
  showInProcessList([]);
  // Taking the stack of every error costs more than handling most of them.
  Error.stackTraceLimit = 0;
  let messages = messagesFor();
  try {
    const commandLine = parseCommandLine(argv);
    if (commandLine.text !== undefined) {
      await print(await commandLine.text);
      return 0;
    }
    const { settings } = commandLine;
    showInProcessList(settings.urls);
    messages = messagesFor(settings);
    return await perform(settings, messages);
  } catch (error) {
    return report(error, messages);
  } finally {
    messages.close();
  }
}

/** Every user can read the command line in the process list: neither options nor passwords stay in it (X2). */
function showInProcessList(urls: readonly string[]): void {
  process.title = ["ftpull", ...urls.map(redactUrlText)].join(" ");
}

async function perform(settings: Settings, messages: Messages): Promise<number> {
  if (settings.explain) return explainAll(settings, messages);
  hasFetched = true;
  return run(settings, messages);
}

function report(error: unknown, messages: Messages): number {
  if (error instanceof Interrupted) return endSoon(error);
  if (hasReason(error, "output closed")) return exitStatus.other;
  const failure = toFtpullError(error);
  messages.failure(undefined, failure);
  return failure.status;
}

function messagesFor(settings?: Settings): Messages {
  const { verbosity = "normal" } = settings ?? {};
  return new Messages({
    get stream() {
      // A run goes on without messages if standard error is closed, as when a terminal hangs up.
      return (standardError ??= process.stderr.on("error", () => undefined));
    },
    level: verbosity === "lines" ? "normal" : verbosity,
    progress: progressFor(settings),
    labelsSessions: settings !== undefined && (settings.jobs > 1 || settings.segments > 1),
    decode: decoderFor(settings?.remoteEncoding),
    now: clockMs,
  });
}

function progressFor(settings: Settings | undefined): "bar" | "plain" | "final" | "none" {
  // Examining the terminal takes time, and without a run there is no progress.
  if (settings === undefined || settings.explain) return "none";
  const { progress: asked, verbosity, json, outputDocument } = settings;
  // A quiet run shows the progress of a bar that was asked for, as with wget's -q --show-progress.
  if (asked === "none" || (verbosity === "quiet" && asked !== "bar")) return "none";
  const isOnTerminal = asked !== "plain" && isTerminal(2);
  // A file or a line of --json that is shown on the same terminal would be written into a bar.
  if (isOnTerminal && (json || outputDocument === "-") && isTerminal(1)) return "none";
  if (verbosity === "lines") return "final";
  return isOnTerminal && (asked === "bar" || process.env["TERM"] !== "dumb") ? "bar" : "plain";
}

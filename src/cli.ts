/** The program's table of contents: parse, plan, run, report. */
import { isatty } from "node:tty";
import { exitStatus, Interrupted, mergeStatuses, toFtpullError } from "./errors.ts";
import { ClosedOutput, outputStream } from "./files/output/output-stream.ts";
import { parseCommandLine, type Settings } from "./options/command-line.ts";
import { endSoon } from "./run/interruptions.ts";
import { explanation } from "./run/jobs.ts";
import { readUrls } from "./run/urls.ts";
import { Messages } from "./terminal/messages.ts";
import { decoderFor } from "./text/encoding.ts";
import { redactUrlText } from "./url/format.ts";
import type { FtpUrl } from "./url/ftp-url.ts";

const isDebugging = process.env["FTPULL_DEBUG"] === "1";

/** Made when something is written to it: in a quiet run that is seldom, and Node takes its time. */
let standardError: NodeJS.WriteStream | undefined;

// Should nothing be left to wait for, with the work undone, that is no success.
process.exitCode = exitStatus.other;
void main(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});

async function main(argv: readonly string[]): Promise<number> {
  showInProcessList([]);
  // Taking the stack of every error costs more than what is done about most of them.
  if (!isDebugging) Error.stackTraceLimit = 0;
  let messages = messagesFor(undefined);
  try {
    const commandLine = parseCommandLine(argv);
    if (commandLine.action !== "run") {
      await print(commandLine.text);
      return 0;
    }
    const { settings } = commandLine;
    showInProcessList(settings.urls);
    messages = messagesFor(settings);
    const { urls, statuses } = await readUrls(settings, messages);
    if (settings.explain) await print(urls.map((url) => explanation(url, settings)).join("\n"));
    else statuses.push(...(await fetchAll(urls, settings, messages)));
    messages.close();
    return mergeStatuses(statuses);
  } catch (error) {
    messages.close();
    return report(error, messages);
  }
}

/** Whoever wants help, the version or a plan doesn't wait for the session's code. */
async function fetchAll(urls: FtpUrl[], settings: Settings, messages: Messages): Promise<number[]> {
  const { run } = await import("./run/run.ts");
  return run(urls, settings, messages);
}

function report(error: unknown, messages: Messages): number {
  if (error instanceof Interrupted) return endSoon(error);
  // Whoever read standard output has had enough.
  if (error instanceof ClosedOutput) return exitStatus.other;
  const failure = toFtpullError(error);
  messages.failure(undefined, failure);
  return exitStatus[failure.kind];
}

function messagesFor(settings: Settings | undefined): Messages {
  const terminal = isatty(2) && process.env["TERM"] !== "dumb";
  const level = settings?.quiet ? "quiet" : settings?.verbose ? "verbose" : "normal";
  return new Messages({
    get stream() {
      // Whoever closes it, as a terminal that hangs up does, wants no messages, but the documents.
      return (standardError ??= process.stderr.on("error", () => undefined));
    },
    level,
    progress: settings?.progress ?? (terminal ? "bar" : "plain"),
    decode: decoderFor(settings?.remoteEncoding),
    now: () => performance.now(),
    debug: isDebugging,
  });
}

/** Every user can read the command line in the process list: URLs alone stay in it, without passwords (X2). */
function showInProcessList(words: readonly string[]): void {
  const urls = words.filter((word) => word.includes("://")).map(redactUrlText);
  process.title = ["ftpull", ...urls].join(" ");
}

/** @throws FtpullError "file" when standard output can't be written; ClosedOutput */
async function print(text: string): Promise<void> {
  await outputStream(process.stdout, "standard output").write(Buffer.from(text));
}

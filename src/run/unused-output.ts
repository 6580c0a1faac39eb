/**
 * The note that a document was saved to a file while standard output, which got nothing, was redirected: with
 * curl, `URL > copy` and `URL | wc -l` take the document.
 */
import { fstatSync } from "node:fs";
import { isatty } from "node:tty";
import type { Observer } from "../documents/events.ts";
import type { Result } from "../documents/result.ts";
import { ifPossible } from "../files/file-error.ts";
import { stdoutLabel } from "../files/output/document-output.ts";
import type { Settings } from "../options/command-line.ts";
import { isForFiles } from "./jobs/listed-only.ts";

export type DescriptorKind = "file" | "pipe" | "terminal" | "other";

export type Expectation = "no" | "likely" | "sure";

export function expectationOf(stdout: DescriptorKind, stderr: DescriptorKind): Expectation {
  // A pipe beside a standard error that is no terminal may belong to another program, as cron's does.
  if (stdout === "pipe") return stderr === "terminal" ? "sure" : "no";
  // Beside a file of messages, a file is rather the log of a script.
  return stdout === "file" && stderr !== "file" ? "likely" : "no";
}

export class UnusedOutput {
  #firstFile: string | undefined;
  #isUsed = false;

  add({ status, file, resumed }: Result): void {
    if (status !== "done" || file === undefined) return;
    if (file === stdoutLabel) this.#isUsed = true;
    const isSaved = resumed !== undefined;
    if (isSaved) this.#firstFile ??= file;
  }

  say(settings: Settings, observer: Observer): void {
    const file = this.#firstFile;
    if (file === undefined || this.#isUsed || areFilesMeant(settings)) return;
    const expectation = ifPossible(() => expectationOf(kindOf(1), kindOf(2)));
    const words = `"${file}" is saved, and nothing went to standard output: that is -O -`;
    if (expectation === "sure") observer.infoAlways(words);
    if (expectation === "likely") observer.info(words);
  }
}

function areFilesMeant(settings: Settings): boolean {
  const { recursive, spider, json, outputDocument } = settings;
  return recursive || spider || json || outputDocument !== undefined || isForFiles(settings);
}

function kindOf(fd: 1 | 2): DescriptorKind {
  const opened = fstatSync(fd);
  if (opened.isFile()) return "file";
  if (opened.isFIFO()) return "pipe";
  return isatty(fd) ? "terminal" : "other";
}

/** Prints the program's own text on standard output, and sets its line in the process list. */
import type { Write } from "../files/output/direct-output.ts";
import { openStandardOutput } from "../files/output/document-output.ts";
import { redactUrlText } from "../text/redact.ts";

let write: Write | undefined;

export async function print(text: string): Promise<void> {
  write ??= openStandardOutput(() => process.stdout);
  await write(Buffer.from(text));
}

/** Every user can read the command line in the process list: neither options nor passwords stay in it (X2). */
export function showInProcessList(urls: readonly string[]): void {
  process.title = ["ftpull", ...urls.map(redactUrlText)].join(" ");
}

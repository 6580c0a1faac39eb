/** Prints the program's own text on standard output, and sets its line in the process list. */
import type { OpenOutput } from "../files/output/direct-output.ts";
import { openStandardOutput } from "../files/output/document-output.ts";
import type { Settings } from "../options/command-line.ts";
import { redactUrlText } from "../text/redact.ts";

let output: OpenOutput | undefined;

export async function print(text: string): Promise<void> {
  output ??= openStandardOutput(() => process.stdout);
  await output.write(Buffer.from(text));
}

/** Options whose argument may be a secret: a SITE text, and the user in a proxy's URL, which may be a token. */
const mayBeSecret = new Set<string | undefined>(["--site", "--proxy"]);

/** Every user can read the command line in the process list: no secret stays in it (X2). */
export function showInProcessList(settings?: Settings): void {
  const { given, urls } = settings ?? { given: [], urls: [] };
  const options = given.filter(({ long }) => !mayBeSecret.has(long)).map(({ text }) => text);
  const shown = urls.filter((word) => word.includes("://")).map(redactUrlText);
  process.title = ["ftpull", ...options, ...shown].join(" ");
}

/** Prints the program's own text on standard output. */
import type { Write } from "../files/output/direct-output.ts";
import { openStandardOutput } from "../files/output/document-output.ts";

let write: Write | undefined;

export async function print(text: string): Promise<void> {
  write ??= openStandardOutput(() => process.stdout);
  await write(Buffer.from(text));
}

/** Renders the manual page to man/ftpull.txt. Run by `npm run docs`; not a part of the program. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename } from "node:path";

export function pageText(file: string): string {
  // Without the option, mandoc would name this machine's operating system.
  const words = ["-T", "ascii", "-O", "width=78", "-I", "os=ftpull", file];
  return execFileSync("mandoc", words, { encoding: "utf8" }).replace(/.[\b]/g, "");
}

if (basename(process.argv[1] ?? "") === "docs.mjs")
  writeFileSync("man/ftpull.txt", pageText("man/ftpull.1"));

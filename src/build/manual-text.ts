/** Renders man/ftpull.txt of the manual page. Run by `npm run docs`; not a part of the program. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename } from "node:path";

/** The page as plain text, by mandoc(1). */
export function pageText(file: string): string {
  // The page doesn't name an operating system: mandoc would put that of this machine there.
  const words = ["-T", "ascii", "-O", "width=78", "-I", "os=ftpull", file];
  return execFileSync("mandoc", words, { encoding: "utf8" }).replace(/.[\b]/g, "");
}

if (basename(process.argv[1] ?? "") === "docs.mjs")
  writeFileSync("man/ftpull.txt", pageText("man/ftpull.1"));

/**
 * --input-file: a list of URLs, one a line. What a URL is stays with url/.
 */
import { readText } from "../files/input-file.ts";

/**
 * The URLs of a file in UTF-8, or of standard input (`-`), in order.
 * @throws FtpullError "file" when it can't be read
 */
export async function readUrlList(path: string): Promise<string[]> {
  const hint = "--input-file names a file of URLs, one a line; - is standard input";
  return parseUrlList(await readText(path, `input file "${path}"`, hint));
}

/**
 * Splits a list into its URLs, without blank lines and those that begin with `#`. A wrapper
 * (`<URL:ftp://...>`) may span lines up to its `>`, the next `<` that begins a line or the next
 * blank line; its line breaks are left in, since their meaning depends on what stands before
 * them (U16).
 */
export function parseUrlList(list: string): string[] {
  const urls: string[][] = [];
  let wrapped = false;
  for (const text of list.split("\n")) {
    const line = text.trim();
    if (line === "" || (!wrapped && line.startsWith("#"))) {
      wrapped = false;
      continue;
    }
    if (wrapped && !line.startsWith("<")) urls.at(-1)?.push(line);
    else urls.push([line]);
    const [opening, closing] = [line.lastIndexOf("<"), line.lastIndexOf(">")];
    if (opening !== closing) wrapped = opening > closing; // else the line has neither
  }
  return urls.map((lines) => lines.join("\n"));
}

/**
 * --input-file: a list of URLs, one a line. What a URL is stays with url/.
 */
import { readText } from "./input-file.ts";

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
 * (`<URL:ftp://...>`) may span lines up to its `>` or the next blank line; its line breaks are
 * left in, since their meaning depends on what stands before them (U16).
 */
export function parseUrlList(list: string): string[] {
  const urls: string[] = [];
  let wrapped = false;
  for (const line of list.split("\n")) {
    const url = line.trim();
    if (url === "" || (!wrapped && url.startsWith("#"))) {
      wrapped = false;
      continue;
    }
    urls.push(wrapped ? `${urls.pop()}\n${url}` : url);
    wrapped = opensWrapper(urls.at(-1) ?? "");
  }
  return urls;
}

function opensWrapper(url: string): boolean {
  return url.lastIndexOf("<") > url.lastIndexOf(">");
}

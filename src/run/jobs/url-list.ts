/** --input-file: a list of URLs, one a line, read whole before the first document is fetched. */
import { inputName, readInput } from "../../files/input-file.ts";

const mostOctets = 256 * 1024 * 1024;

export interface ListedUrl {
  readonly text: string;
  /** The list and line, as `list:3`. */
  readonly place?: string;
}

/** Finds the URLs in the text of a list, one by one. */
export type UrlList = () => Iterable<ListedUrl>;

/** @throws FtpullError "file" */
export async function readUrlList(path: string): Promise<UrlList> {
  const text = new TextDecoder().decode(await readInput(path, mostOctets)); // without a byte order mark
  return () => urlsIn(text, path === "-" ? inputName(path) : path);
}

/** A URL in angle brackets may span lines (U16), but no blank one; a "#" begins a comment at the start of a line. */
const item = /^[\t\r ]*(<(?:(?!\n[\t\r ]*\n)[^<>])*>|[^#\t\n\r ][^\n]*)/gm;

export function* urlsIn(text: string, label: string): Generator<ListedUrl> {
  let line = 1;
  let counted = 0;
  for (const { index, 1: url = "" } of text.matchAll(item)) {
    line += text.slice(counted, index).split("\n").length - 1;
    counted = index;
    yield { text: url, place: `${label}:${line}` };
  }
}

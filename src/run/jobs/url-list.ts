/** --input-file: a list of URLs, one a line, read as it comes. */
import { Readable } from "node:stream";
import { ReadStream } from "node:tty";
import { FtpullError } from "../../errors.ts";
import { errorAbout } from "../../files/file-error.ts";
import { openInput } from "../../files/input-file.ts";

const longest = 16 * 1024 * 1024;

const hint = "--input-file names a file of URLs, one a line; - is standard input";

const hintAtUrl =
  "--input-file names a file of URLs: leave it out to fetch this URL, or read a list from it with: ftpull -O - URL | ftpull -i -";

export interface ListedUrl {
  readonly text: string;
  readonly place?: string;
}

export class UrlList {
  readonly #path: string;
  readonly #stream: Readable;

  private constructor(path: string, stream: Readable) {
    this.#path = path;
    this.#stream = stream;
  }

  static async openAll(paths: readonly string[]): Promise<UrlList[]> {
    const lists: UrlList[] = [];
    for (const path of paths) lists.push(new UrlList(path, await openText(path)));
    return lists;
  }

  async *urls(inform: (text: string) => void): AsyncGenerator<ListedUrl[]> {
    const title = titleOf(this.#path);
    const parser = new UrlListParser(this.#path === "-" ? title : this.#path);
    const tooLong = `cannot read ${title}: a URL has more than ${longest} characters`;
    try {
      for await (const piece of this.#stream) {
        yield parser.take(piece as string);
        if (parser.heldCharacters > longest) throw new FtpullError("file", tooLong);
      }
    } catch (error) {
      // A stream that `close` destroyed without an error is at its end.
      const hasFailed = this.#stream.errored !== null || error instanceof FtpullError;
      if (hasFailed) throw errorAbout("read", title, error, hint);
    }
    yield parser.end();
    if (parser.urlCount === 0) inform(`${title} has no URLs`);
  }

  close(error?: Error): void {
    this.#stream.destroy(error);
  }
}

/** A terminal is read to its end first: later prompts have it to themselves. */
async function openText(path: string): Promise<Readable> {
  try {
    const stream = openInput(path).setEncoding("utf8");
    return stream instanceof ReadStream ? Readable.from(await stream.toArray()) : stream;
  } catch (error) {
    const isUrl = /^ftpe?s?:\/\//i.test(path);
    throw errorAbout("read", titleOf(path), error, isUrl ? hintAtUrl : hint);
  }
}

function titleOf(path: string): string {
  return path === "-" ? "standard input" : `input file "${path}"`;
}

/**
 * Takes a list in pieces. A wrapper (`<URL:ftp://...>`) may span lines up to its `>`, the next `<` that
 * begins a line or the next blank line. Line breaks in a wrapper stay: their meaning depends on what is before.
 */
export class UrlListParser {
  urlCount = 0;
  readonly #label: string;
  #unfinishedLine = "";
  #lineNumber = 0;
  #openUrl: ListedUrl | undefined;

  constructor(label: string) {
    this.#label = label;
  }

  get heldCharacters(): number {
    return (this.#openUrl?.text.length ?? 0) + this.#unfinishedLine.length;
  }

  take(piece: string): ListedUrl[] {
    const [first = "", ...lines] = piece.split("\n");
    this.#unfinishedLine += first;
    const urls: ListedUrl[] = [];
    for (const next of lines) {
      this.#lineNumber++;
      this.#addLine(this.#unfinishedLine.trim(), urls);
      this.#unfinishedLine = next;
    }
    return urls;
  }

  end(): ListedUrl[] {
    return this.take("\n\n");
  }

  #addLine(line: string, urls: ListedUrl[]): void {
    if (line === "" || line.startsWith("<")) this.#close(urls);
    const open = this.#openUrl;
    const isComment = open === undefined && line.startsWith("#");
    if (line === "" || isComment) return;
    const place = open?.place ?? `${this.#label}:${this.#lineNumber}`;
    this.#openUrl = { text: open ? `${open.text}\n${line}` : line, place };
    const [opening, closing] = [line.lastIndexOf("<"), line.lastIndexOf(">")];
    const hasNeither = opening === closing;
    const goesOn = hasNeither ? open !== undefined : opening > closing;
    if (!goesOn) this.#close(urls);
  }

  #close(urls: ListedUrl[]): void {
    if (this.#openUrl === undefined) return;
    urls.push(this.#openUrl);
    this.urlCount++;
    this.#openUrl = undefined;
  }
}

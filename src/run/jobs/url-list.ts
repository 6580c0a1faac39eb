/** --input-file: a list of URLs, one a line, read as it comes. url/ parses the URLs. */
import { Readable } from "node:stream";
import { ReadStream } from "node:tty";
import { FtpullError } from "../../errors.ts";
import { errorAbout } from "../../files/file-error.ts";
import { openInput } from "../../files/input-file.ts";

/** Characters of the longest URL. */
const longest = 16 * 1024 * 1024;

const hint = "--input-file names a file of URLs, one a line; - is standard input";

/** An open input file; a pipe may stay open for long. */
export class UrlList {
  readonly #stream: Readable;
  readonly #what: string;

  private constructor(stream: Readable, what: string) {
    this.#stream = stream;
    this.#what = what;
  }

  /** Opens files in UTF-8, or standard input (`-`), in their order. @throws FtpullError "file" */
  static async openAll(paths: readonly string[]): Promise<UrlList[]> {
    const lists: UrlList[] = [];
    for (const path of paths) {
      const what = path === "-" ? "standard input" : `input file "${path}"`;
      lists.push(new UrlList(await openText(path, what), what));
    }
    return lists;
  }

  /** The URLs in order, as they arrive. @throws FtpullError "file"; "usage" for a list without URLs */
  async *urls(): AsyncGenerator<string[]> {
    const parser = new UrlListParser();
    for await (const piece of this.#pieces()) {
      yield parser.take(piece);
      if (parser.held > longest)
        throw new FtpullError(
          "file",
          `cannot read ${this.#what}: a URL has more than ${longest} characters`,
        );
    }
    yield parser.end();
    if (parser.count === 0) throw new FtpullError("usage", `${this.#what} has no URLs`, { hint });
  }

  /** Ends the reading; the reader gets `error`, or the end. */
  close(error?: Error): void {
    this.#stream.destroy(error);
  }

  async *#pieces(): AsyncGenerator<string> {
    try {
      for await (const piece of this.#stream) yield piece as string;
    } catch (error) {
      const isClosed = this.#stream.errored === null;
      if (!isClosed) throw errorAbout("read", this.#what, error, hint);
    }
  }
}

/** A terminal is read to its end first: later prompts have it to themselves. */
async function openText(path: string, what: string): Promise<Readable> {
  try {
    const stream = openInput(path).setEncoding("utf8");
    return stream instanceof ReadStream ? Readable.from(await stream.toArray()) : stream;
  } catch (error) {
    throw errorAbout("read", what, error, hint);
  }
}

/**
 * Takes a list in pieces and returns its URLs, without blank lines and comments (`#`). A wrapper
 * (`<URL:ftp://...>`) may span lines up to its `>`, the next `<` that begins a line or the next
 * blank line. Its line breaks stay, since their meaning depends on the text before them (U16).
 */
export class UrlListParser {
  /** The line whose end has not come. */
  #line = "";
  /** The lines of an open wrapper. */
  #wrapper = "";
  /** Number of URLs so far. */
  count = 0;

  /** Number of characters of an incomplete URL. */
  get held(): number {
    return this.#wrapper.length + this.#line.length;
  }

  /** The URLs that this piece completes. */
  take(piece: string): string[] {
    const [first = "", ...lines] = piece.split("\n");
    this.#line += first;
    const urls: string[] = [];
    for (const next of lines) {
      this.#addLine(this.#line.trim(), urls);
      this.#line = next;
    }
    return urls;
  }

  /** The last URLs; called at the end of the list. */
  end(): string[] {
    return this.take("\n\n");
  }

  #addLine(line: string, urls: string[]): void {
    const isWrapped = this.#wrapper !== "";
    if (line === "" || line.startsWith("<")) this.#closeWrapper(urls);
    if (line === "" || (!isWrapped && line.startsWith("#"))) return;
    this.#wrapper = this.#wrapper === "" ? line : `${this.#wrapper}\n${line}`;
    const [opening, closing] = [line.lastIndexOf("<"), line.lastIndexOf(">")];
    // A line with neither "<" nor ">" continues an open wrapper.
    const isOpen = opening === closing ? isWrapped : opening > closing;
    if (!isOpen) this.#closeWrapper(urls);
  }

  #closeWrapper(urls: string[]): void {
    if (this.#wrapper === "") return;
    urls.push(this.#wrapper);
    this.count++;
    this.#wrapper = "";
  }
}

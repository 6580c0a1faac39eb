/**
 * --input-file: a list of URLs, one a line, read as it comes. What a URL is stays with url/.
 */
import { FtpullError } from "../../errors.ts";
import { TextInput } from "../../files/text-input.ts";

/** The longest URL that is read, in characters. */
const longest = 16 * 1024 * 1024;

const hint = "--input-file names a file of URLs, one a line; - is standard input";

/** An input file that is open. */
export class UrlList {
  readonly #input: TextInput;
  readonly #what: string;

  private constructor(input: TextInput, what: string) {
    this.#input = input;
    this.#what = what;
  }

  /** Opens files in UTF-8, or standard input (`-`), in their order. @throws FtpullError "file" */
  static async openAll(paths: readonly string[]): Promise<UrlList[]> {
    const lists: UrlList[] = [];
    for (const path of paths) {
      const what = path === "-" ? "standard input" : `input file "${path}"`;
      lists.push(new UrlList(await TextInput.open(path, what, hint), what));
    }
    return lists;
  }

  /**
   * The URLs in order, as many at a time as are there.
   * @throws FtpullError "file"; "usage" for a list without URLs
   */
  async *urls(): AsyncGenerator<string[]> {
    const parser = new UrlListParser();
    for await (const piece of this.#input.pieces()) {
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
    this.#input.close(error);
  }
}

/**
 * Takes a list in pieces and gives back its URLs, without blank lines and those that begin with
 * `#`. A wrapper (`<URL:ftp://...>`) may span lines up to its `>`, the next `<` that begins a line
 * or the next blank line; its line breaks are left in, since their meaning depends on what stands
 * before them (U16).
 */
export class UrlListParser {
  /** The pieces of a line that has no end yet. */
  #line: string[] = [];
  /** The lines of a wrapper that is open. */
  #wrapper: string[] = [];
  /** How many characters of a URL that isn't whole yet are held. */
  held = 0;
  /** The URLs so far. */
  count = 0;

  /** The URLs that are whole with this piece. */
  take(piece: string): string[] {
    const [first = "", ...lines] = piece.split("\n");
    this.#line.push(first);
    this.held += first.length;
    const urls: string[] = [];
    for (const next of lines) {
      this.#addLine(this.#line.join("").trim(), urls);
      this.#line = [next];
      this.held = (this.#wrapper.length > 0 ? this.held : 0) + next.length;
    }
    return urls;
  }

  /** What was left at the end of the list. */
  end(): string[] {
    const urls = this.take("\n");
    this.#closeWrapper(urls);
    return urls;
  }

  #addLine(line: string, urls: string[]): void {
    const isWrapped = this.#wrapper.length > 0;
    if (line === "" || line.startsWith("<")) this.#closeWrapper(urls);
    if (line === "" || (!isWrapped && line.startsWith("#"))) return;
    this.#wrapper.push(line);
    const [opening, closing] = [line.lastIndexOf("<"), line.lastIndexOf(">")];
    // A line that has neither goes on with what is open.
    const isOpen = opening === closing ? isWrapped : opening > closing;
    if (!isOpen) this.#closeWrapper(urls);
  }

  #closeWrapper(urls: string[]): void {
    if (this.#wrapper.length === 0) return;
    urls.push(this.#wrapper.join("\n"));
    this.count++;
    this.#wrapper = [];
  }
}

/**
 * Text that is read as it comes, from a file or from a pipe that may stay open. What a person types
 * is read to its end first: questions have the terminal to themselves afterwards.
 */
import { createReadStream, fstatSync, open } from "node:fs";
import { Socket } from "node:net";
import { Readable } from "node:stream";
import { isatty } from "node:tty";
import { promisify } from "node:util";
import { errorAbout } from "./file-error.ts";

export class TextInput {
  readonly #stream: Readable;
  readonly #what: string;
  readonly #hint: string;

  private constructor(stream: Readable, what: string, hint: string) {
    this.#stream = stream;
    this.#what = what;
    this.#hint = hint;
  }

  /**
   * Opens a file in UTF-8, or standard input (`-`), which errors call `what`. It waits for the
   * writer of a FIFO.
   * @throws FtpullError "file"
   */
  static async open(path: string, what: string, hint: string): Promise<TextInput> {
    try {
      const fd = path === "-" ? 0 : await promisify(open)(path, "r");
      const stream = (path === "-" ? process.stdin : streamOf(fd)).setEncoding("utf8");
      return new TextInput(isatty(fd) ? Readable.from(await stream.toArray()) : stream, what, hint);
    } catch (error) {
      throw errorAbout("read", what, error, hint);
    }
  }

  /** The pieces of the text, until the end or `close`. @throws FtpullError "file"; what was given to `close` */
  async *pieces(): AsyncGenerator<string> {
    try {
      for await (const piece of this.#stream) yield piece as string;
    } catch (error) {
      const isClosed = this.#stream.errored === null;
      if (!isClosed) throw errorAbout("read", this.#what, error, this.#hint);
    }
  }

  /** Nothing more is read; a read that waits fails with `error`, or ends. */
  close(error?: Error): void {
    this.#stream.destroy(error);
  }
}

/** A read from a pipe in one of Node's threads would block the end of the process. */
function streamOf(fd: number): Readable {
  return fstatSync(fd).isFIFO()
    ? new Socket({ fd, writable: false })
    : createReadStream("", { fd });
}

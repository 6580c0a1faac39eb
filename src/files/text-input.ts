/**
 * TextInput: text that is read as it comes, from a file or from a pipe that may stay open. A
 * terminal is read to its end first: later prompts have it to themselves.
 */
import { Readable } from "node:stream";
import { ReadStream } from "node:tty";
import { errorAbout } from "./file-error.ts";
import { openInput } from "./input-file.ts";

export class TextInput {
  readonly #stream: Readable;
  readonly #what: string;
  readonly #hint: string;

  private constructor(stream: Readable, what: string, hint: string) {
    this.#stream = stream;
    this.#what = what;
    this.#hint = hint;
  }

  /** Opens a UTF-8 file or standard input (`-`), which errors call `what`. */
  static async open(path: string, what: string, hint: string): Promise<TextInput> {
    try {
      const stream = openInput(path).setEncoding("utf8");
      const isTerminal = stream instanceof ReadStream;
      return new TextInput(isTerminal ? Readable.from(await stream.toArray()) : stream, what, hint);
    } catch (error) {
      throw errorAbout("read", what, error, hint);
    }
  }

  /** The text, until its end or `close`. @throws FtpullError "file"; the error given to `close` */
  async *pieces(): AsyncGenerator<string> {
    try {
      for await (const piece of this.#stream) yield piece as string;
    } catch (error) {
      const isClosed = this.#stream.errored === null;
      if (!isClosed) throw errorAbout("read", this.#what, error, this.#hint);
    }
  }

  /** Stops reading; a pending read fails with `error`, or ends. */
  close(error?: Error): void {
    this.#stream.destroy(error);
  }
}

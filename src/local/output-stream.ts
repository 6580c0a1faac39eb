/**
 * OutputStream: octets into a pipe, a FIFO, a terminal or a socket, whose reader may be slow or
 * go away. Node's streams wait for it without holding up anything else; a plain fs.write would
 * block a thread, and with it the end of the process.
 */
import type { Writable } from "node:stream";
import { FtpullError } from "../errors.ts";
import { errorCode, outputError } from "./file-error.ts";

/** Nobody reads the output any more, as with `| head`: no failure to speak of. */
export class ClosedOutput extends FtpullError {
  constructor(what: string, cause: unknown) {
    super("file", `cannot write ${what}: nobody reads it`, { cause });
    this.name = "ClosedOutput";
  }
}

const closedCodes = new Set(["EPIPE", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"]);

export class OutputStream {
  readonly #stream: Writable;
  readonly #what: string;

  /** `what` is the output in the words of a message. */
  constructor(stream: Writable, what: string) {
    this.#stream = stream;
    this.#what = what;
    stream.on("error", () => undefined); // each write reports its own
  }

  /**
   * Resolves when the system has taken the chunk, which must stay as it is until then.
   * @throws FtpullError "file", ClosedOutput
   */
  write(chunk: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stream.write(chunk, (error) => {
        if (error) reject(this.#wordsFor(error));
        else resolve();
      });
    });
  }

  #wordsFor(error: Error): FtpullError {
    const closed = closedCodes.has(errorCode(error) ?? "");
    return closed ? new ClosedOutput(this.#what, error) : outputError("write", this.#what, error);
  }
}

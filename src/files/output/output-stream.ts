/**
 * outputStream: octets into a pipe, a FIFO, a terminal or a socket, whose reader may be slow or
 * go away. Node's streams wait for it without holding up anything else; a plain fs.write would
 * block a thread, and with it the end of the process.
 */
import type { Writable } from "node:stream";
import { ClosedOutput, type FtpullError } from "../../errors.ts";
import { errorCode, errorAbout } from "../file-error.ts";

const closedCodes = new Set(["EPIPE", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"]);

/**
 * What writes into `stream`, which is `what` in the words of a message. A write resolves when the
 * system has taken the chunk, which must stay as it is until then.
 * @throws FtpullError "file", ClosedOutput
 */
export function outputStream(stream: Writable, what: string) {
  stream.on("error", () => undefined); // each write reports its own
  const wordsFor = (error: Error): FtpullError => {
    const isClosed = closedCodes.has(errorCode(error) ?? "");
    return isClosed ? new ClosedOutput(what, error) : errorAbout("write", what, error);
  };
  return {
    write: (chunk: Buffer): Promise<void> =>
      new Promise((resolve, reject) => {
        stream.write(chunk, (error) => (error ? reject(wordsFor(error)) : resolve()));
      }),
  };
}

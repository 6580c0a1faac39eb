/**
 * Writes to a pipe, FIFO, terminal or socket, whose reader may be slow or go away. fs.write would
 * block a thread, and with it the end of the process; Node's streams don't.
 */
import type { Writable } from "node:stream";
import { ClosedOutput, type FtpullError } from "../../errors.ts";
import { errorAbout, hasCode } from "../file-error.ts";

const closedCodes = ["EPIPE", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"];

/**
 * Writes to `stream`, which errors call `what`. A chunk must not change until its write resolves.
 * @throws FtpullError "file", ClosedOutput
 */
export function outputStream(stream: Writable, what: string) {
  stream.on("error", () => undefined); // Each write reports its own error.
  const wordsFor = (error: Error): FtpullError =>
    hasCode(error, ...closedCodes)
      ? new ClosedOutput(what, error)
      : errorAbout("write", what, error);
  return {
    write: (chunk: Buffer): Promise<void> =>
      new Promise((resolve, reject) => {
        stream.write(chunk, (error) => (error ? reject(wordsFor(error)) : resolve()));
      }),
  };
}

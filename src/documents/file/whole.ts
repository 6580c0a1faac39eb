/** A file is whole if the data ended, the reply was 2yz, and the count equals SIZE where that is known. */
import { FtpullError } from "../../errors.ts";
import type { Completion } from "../../ftp/data/transfer.ts";

/**
 * If `expected` is unknown, the size in the first reply counts. Returns a note about a missing last reply. @throws
 * FtpullError; the failure of the transfer
 */
export function checkWhole(completion: Completion, octets: number, expected: number | undefined) {
  const { announced, error } = completion;
  // With fewer octets than `announced` the transfer was cut; with more, the document has grown.
  const isWithin = announced !== undefined && octets <= announced;
  const size = expected ?? (isWithin ? announced : undefined);
  if (size !== undefined && octets !== size) {
    const text = `expected ${size} octets, received ${octets}`;
    if (error === undefined || octets > size)
      throw new FtpullError("integrity", text, { transient: true });
    // A reset can look like an end: without the server's confirmation, it wasn't one.
    if (error.kind === "protocol") throw error;
    const message = `${error.message}: ${text}`;
    throw error.with({ kind: "network", message, transient: true });
  }
  if (error === undefined) return undefined;
  if (size === undefined) throw error;
  return `all ${size} octets arrived, but ${error.message}`;
}

/** The ends that the data of a transfer can have. */
import { FtpullError, hasReason, networkError } from "../../errors.ts";

/**
 * The peer has closed the connection, or an error: "enough read" is the sink's wish; "data cut" and "data unclosed" came
 * from the peer or the network; any other is a failure of this side: the sink's, TLS's, or a limit of time.
 */
export type DataEnd = "closed" | FtpullError;

/** Thrown by a sink to end a transfer early without an error. */
export function enoughRead(): FtpullError {
  return new FtpullError("other", "no more bytes are wanted", { reason: "enough read" });
}

/** The peer or the network broke the data connection: a reply may say why. */
export function dataCut(message: string, cause?: unknown): FtpullError {
  return networkError(message, { reason: "data cut", cause });
}

/** The peer has closed, over TLS without close_notify: the data may have been cut (RFC 8446 §6.1). */
export function dataUnclosed(): FtpullError {
  const words = "the data connection was closed without TLS's close_notify: it may have been cut";
  return networkError(words, { reason: "data unclosed" });
}

export function isClosed(end: unknown): boolean {
  return end === "closed" || hasReason(end, "data unclosed");
}

export function isOwnFailure(end: unknown): end is FtpullError {
  return end instanceof FtpullError && !hasReason(end, "data cut", "data unclosed", "enough read");
}

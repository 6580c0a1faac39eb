/**
 * Reads a TLS stream into a buffer that is used again: a new buffer for each record costs 30 MB, since
 * V8 collects none earlier, and 7 % of CPU. Node's `onread` does the same, but only where a cut
 * can't be told from close_notify. In a Node without the names used here, records have new buffers.
 */
import type { TLSSocket } from "node:tls";

const largestRecord = 2 ** 14;

/** Passes decrypted octets to `take`, which has to be done with them when it returns. */
export function readDecrypted(socket: TLSSocket, take: (chunk: Buffer) => void): void {
  socket.on("data", take);
  // Octets that came with the end of the handshake are passed on first, by "data".
  while (socket.read() !== null);
  const { _handle: handle } = socket as { _handle?: { useUserBuffer?: (buffer: Buffer) => void } };
  const [bufferName, callbackName] = ["kBuffer", "kBufferCb"].map((name) =>
    Object.getOwnPropertySymbols(socket).find((symbol) => symbol.description === name),
  );
  if (bufferName === undefined || callbackName === undefined) return;
  if (typeof handle?.useUserBuffer !== "function") return;
  const buffer = Buffer.allocUnsafeSlow(largestRecord);
  const callback = (length: number): void => take(buffer.subarray(0, length));
  Object.assign(socket, { [bufferName]: buffer, [callbackName]: callback });
  handle.useUserBuffer(buffer);
}

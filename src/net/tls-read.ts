/**
 * Reads a TLS stream as `onread` does, which Node has only where a cut can't be told from close_notify: octets come in
 * a buffer that is used again. V8 collects none before 30 MB: a buffer for each record costs 30 MB and 7 % of CPU. A
 * Node that lacks the option's names makes them.
 */
import type { TLSSocket } from "node:tls";

/** Octets of data (RFC 8446 §5.1). */
const largestRecord = 2 ** 14;

export function readDecrypted(socket: TLSSocket, take: (chunk: Buffer) => void): void {
  socket.on("data", take);
  while (socket.read() !== null); // Octets that came with the end of the handshake are passed on first.
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

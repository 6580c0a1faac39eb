/** The time for a handshake as a whole: a peer could send an octet now and then. */
import type { Socket } from "node:net";

/**
 * Resolves as `work` does, which uses `socket`. After `timeoutMs` the socket is destroyed with
 * `silence`; any failure destroys it. @throws what `work` throws, or the reason of `signal`
 */
export async function withDeadline<T>(
  socket: Socket,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  silence: Error,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => socket.destroy(silence), timeoutMs);
  const abort = (): void => void socket.destroy(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

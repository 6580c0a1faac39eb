/**
 * The TCP connection under a control connection.
 */
import { connect, type Socket } from "node:net";
import { FtpullError, systemText } from "../errors.ts";

/** Where a control connection goes. */
export interface Address {
  /** A DNS name as A-labels, or an IP literal without brackets. */
  readonly host: string;
  readonly port: number;
}

/**
 * Connects within `timeoutMs`, trying the host's addresses in turn.
 * @throws FtpullError "network", or whatever `signal` was aborted with
 */
export function openSocket(
  address: Address,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = connect({ host: address.host, port: address.port });
  return new Promise<Socket>((resolve, reject) => {
    const fail = (words: string, cause?: Error): void => {
      socket.destroy();
      const text = `cannot connect to ${address.host} port ${address.port}: ${words}`;
      reject(new FtpullError("network", text, { transient: isTransient(cause), cause }));
    };
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    socket.setTimeout(timeoutMs, () => fail(`no answer for ${timeoutMs / 1000} s`));
    socket.once("error", (error) => fail(systemText(error), error));
    socket.once("connect", () => {
      signal.removeEventListener("abort", abort);
      socket.setTimeout(0).removeAllListeners("timeout").removeAllListeners("error");
      resolve(socket);
    });
  }).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
}

/** A name that doesn't exist won't exist in a second; everything else may pass. */
function isTransient(cause: Error | undefined): boolean {
  return (cause as NodeJS.ErrnoException | undefined)?.code !== "ENOTFOUND";
}

/** The TCP connection under a control connection. */
import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { shortageOfFiles, systemText, Unreachable } from "../errors.ts";

/** Where a control connection goes. */
export interface Address {
  /** A DNS name as A-labels, or an IP literal without brackets; IPv6 may have a zone. */
  readonly host: string;
  readonly port: number;
}

export interface ConnectOptions {
  readonly timeoutMs: number;
  /** Connects by this version of IP only. */
  readonly family: 4 | 6 | undefined;
  /** Aborting it ends the attempt. */
  readonly signal: AbortSignal;
}

/**
 * Connects, trying the host's addresses in turn.
 * @throws Unreachable, or whatever `signal` was aborted with
 */
export async function openSocket(address: Address, options: ConnectOptions): Promise<Socket> {
  const { timeoutMs, family, signal } = options;
  const { host, port } = address;
  if (isOfOtherFamily(host, family)) throw failure(address, `it is no IPv${family} address`, false);
  const socket = connect({ host, port, ...(family === undefined ? {} : { family }) });
  const silence = failure(address, `no answer for ${timeoutMs / 1000} s`, true);
  socket.setTimeout(timeoutMs, () => socket.destroy(silence));
  try {
    await once(socket, "connect", { signal });
    return socket.setTimeout(0).removeAllListeners("timeout");
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    if (error === silence) throw silence;
    // A name's look-up needs files too, and has other words for the want of them.
    const cause = (isUnknownHost(error) && shortageOfFiles()) || error;
    throw failure(address, connectText(cause, family), !isUnknownHost(cause), cause);
  }
}

/** Node heeds the family only where it looks up a name. */
function isOfOtherFamily(host: string, family: 4 | 6 | undefined): boolean {
  return family !== undefined && isIP(host) !== 0 && isIP(host) !== family;
}

function connectText(error: unknown, family: 4 | 6 | undefined): string {
  if (family === undefined || !isUnknownHost(error)) return systemText(error);
  return `no such host, or it has no IPv${family} address`;
}

/** A name that doesn't exist won't exist in a second; everything else may pass. */
function isUnknownHost(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOTFOUND";
}

function failure(
  address: Address,
  words: string,
  transient: boolean,
  cause?: unknown,
): Unreachable {
  const text = `cannot connect to ${address.host} port ${address.port}: ${words}`;
  return new Unreachable("network", text, { transient, cause });
}

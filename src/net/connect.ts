/** Opens the TCP connection of a control connection. */
import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { FtpullError, systemText } from "../errors.ts";
import { withDeadline } from "./deadline.ts";

export interface Address {
  /** A DNS name as A-labels, or an IP literal without brackets; IPv6 may have a zone. */
  readonly host: string;
  readonly port: number;
}

export interface ConnectOptions {
  readonly timeoutMs: number;
  /** The only version of IP to connect by; undefined: both. */
  readonly family: 4 | 6 | undefined;
  /** Of this machine, of that family; undefined: the system's choice. */
  readonly localAddress: string | undefined;
  readonly signal: AbortSignal;
  /** Whether the socket can be written after the peer has ended its side. */
  readonly halfOpen?: boolean;
}

/** Tries the host's addresses in turn. @throws FtpullError "network", or the reason of `signal` */
export async function openSocket(address: Address, options: ConnectOptions): Promise<Socket> {
  const { timeoutMs, family, localAddress, signal, halfOpen: allowHalfOpen = false } = options;
  const { host, port } = address;
  const failure = (words: string, transient: boolean, cause?: unknown): FtpullError => {
    const text = `cannot connect to ${host} port ${port}: ${words}`;
    return new FtpullError("network", text, { transient, cause });
  };
  // Node respects the family only when it resolves a name.
  if (family !== undefined && isIP(host) !== 0 && isIP(host) !== family)
    throw failure(`it is no IPv${family} address`, false);
  const socket = connect({ host, port, allowHalfOpen, family, localAddress });
  const silence = failure(`no answer for ${timeoutMs / 1000} s`, true);
  try {
    await withDeadline(socket, options, silence, () => once(socket, "connect"));
    return socket;
  } catch (error) {
    signal.throwIfAborted();
    if (error === silence) throw silence;
    const text = systemText(error);
    if (isOfBind(error))
      throw failure(`cannot use the local address ${localAddress}: ${text}`, false, error);
    // An unknown host is a lasting error; all others may be temporary.
    const isUnknown = (error as NodeJS.ErrnoException).code === "ENOTFOUND";
    const words = family === undefined ? text : `no such host, or it has no IPv${family} address`;
    throw failure(isUnknown ? words : text, !isUnknown, error);
  }
}

/** Whether the local address was refused, perhaps once for each of the host's addresses. */
function isOfBind(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isOfBind);
  return (error as NodeJS.ErrnoException).syscall === "bind";
}

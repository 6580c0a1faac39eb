/** Opens TCP connections: the addresses of a host are tried one after the other, the next one before the last fails. */
import { ADDRCONFIG, lookup, type LookupAddress } from "node:dns";
import { once, setMaxListeners } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { FtpullError, networkError, systemText } from "../errors.ts";
import { type TimeOptions, within, withLimit } from "./time-limit.ts";

export interface Address {
  /** A DNS name as A-labels, or an IP literal without brackets; IPv6 may have a zone. */
  readonly host: string;
  readonly port: number;
}

export interface ConnectOptions extends TimeOptions {
  readonly family: 4 | 6 | undefined;
  readonly localAddress: string | undefined;
  readonly halfOpen?: boolean;
}

/** Delay after which the next address is tried; at once when the last one fails (RFC 8305 §5). */
const nextAfterMs = 250;

/** Resolves with the first connection to succeed. @throws FtpullError "network", or the reason of `signal` */
export async function openSocket(address: Address, options: ConnectOptions): Promise<Socket> {
  const { host, port } = address;
  try {
    return await firstConnected(await addressesOf(host, options), port, options);
  } catch (error) {
    options.signal.throwIfAborted();
    // The last address's failure is the one to show: few machines lack IPv4.
    const cause: unknown = error instanceof AggregateError ? error.errors.at(-1) : error;
    const isLocal = (cause as NodeJS.ErrnoException).syscall === "bind";
    const where = isLocal ? ` from ${options.localAddress}` : "";
    const message = `cannot connect to ${host} port ${port}${where}: ${systemText(cause)}`;
    throw new FtpullError("network", message, { transient: !isLocal && isPassing(cause), cause });
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof FtpullError) return error.transient;
  return (error as NodeJS.ErrnoException).code !== "ENOTFOUND";
}

async function addressesOf(
  host: string,
  { family, timeoutMs, signal }: ConnectOptions,
): Promise<readonly string[]> {
  const version = isIP(host);
  if (version !== 0 && version !== (family ?? version))
    throw new FtpullError("network", `it is no IPv${family} address`);
  if (version !== 0) return [host];
  const found = await within(timeoutMs, lookedUp(host, family), signal);
  if (found !== undefined) return found.map(({ address }) => address);
  throw networkError(`the name server did not answer within ${timeoutMs / 1000} s`);
}

function lookedUp(name: string, family: 4 | 6 | undefined): Promise<LookupAddress[]> {
  // Families that this machine lacks are left out, as in net.connect.
  const hints = family === undefined && process.platform !== "win32" ? ADDRCONFIG : 0;
  return new Promise((resolve, reject) => {
    lookup(name, { all: true, family: family ?? 0, hints }, (error, addresses) =>
      error ? reject(error) : resolve(addresses),
    );
  });
}

/** Node's own choice of a family gives an attempt up after its delay, and tries one address with `localAddress`. */
async function firstConnected(
  addresses: readonly string[],
  port: number,
  options: ConnectOptions,
): Promise<Socket> {
  const losers = new AbortController();
  const signal = AbortSignal.any([options.signal, losers.signal]);
  setMaxListeners(0, signal); // Each attempt listens: Node warns of more than ten.
  const attempts: Promise<Socket>[] = [];
  let winner: Socket | undefined;
  const arrived = (socket: Socket): Socket => {
    if (winner === undefined) winner = socket;
    else socket.destroy();
    return winner;
  };
  try {
    for (const address of addresses) {
      const attempt = connectTo(address, port, { ...options, signal }).then(arrived);
      attempts.push(attempt);
      const settled = Promise.race([attempt, Promise.any(attempts)]);
      await within(nextAfterMs, settled).catch(() => undefined);
      if (winner !== undefined) break;
    }
    return await Promise.any(attempts);
  } finally {
    losers.abort();
  }
}

async function connectTo(host: string, port: number, options: ConnectOptions): Promise<Socket> {
  const { localAddress, halfOpen: allowHalfOpen = false } = options;
  const socket = connect({ host, port, allowHalfOpen, localAddress });
  await withLimit(socket, options, "no answer for", () => once(socket, "connect"));
  return socket;
}

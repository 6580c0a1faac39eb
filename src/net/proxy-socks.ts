/** SOCKS5 (RFC 1928), with a user and a password (RFC 1929). The proxy looks up the name. */
import { isIPv4, type Socket } from "node:net";
import { FtpullError, networkError } from "../errors.ts";
import { exchange, lastingRefusal, notPermitted } from "./proxy-exchange.ts";
import { proxyLoginRefused } from "./proxy-http.ts";
import type { ProxyLogin, TunnelRequest } from "./proxy-server.ts";

const version = 5;
const connectCommand = 1;
const reserved = 0;
const loginVersion = 1;
const succeeded = 0;
const methods = { none: 0, login: 2 } as const;
const addressTypes = { ipv4: 1, name: 3, ipv6: 4 } as const;

export async function askSocksProxy(socket: Socket, request: TunnelRequest): Promise<void> {
  const { target, login } = request;
  const offered = login === undefined ? [methods.none] : [methods.none, methods.login];
  const [spoken, method] = await ask(socket, [version, offered.length, ...offered], 2);
  if (spoken !== version) throw lastingRefusal("the proxy does not speak SOCKS5");
  if (method === methods.login && login !== undefined) await logIn(socket, login);
  else if (method !== methods.none)
    throw proxyLoginRefused("the proxy accepts no login that is supported", login);
  const { host, port } = target;
  const address = [...hostOctets(host), port >> 8, port & 0xff];
  const connect = [version, connectCommand, reserved, ...address];
  const [, code = succeeded] = await ask(socket, connect, 2);
  // Behind a refusal some proxies send no address.
  if (code !== succeeded) throw refused(code);
  await skipAddress(socket);
}

/** Sends octets, and resolves with so many octets of the answer. */
function ask(socket: Socket, request: readonly number[], length: number): Promise<Buffer> {
  const lengthOf = (octets: Buffer) => (octets.length < length ? undefined : length);
  return exchange(socket, Buffer.from(request), lengthOf);
}

async function skipAddress(socket: Socket): Promise<void> {
  const [, type = 0] = await ask(socket, [], 2);
  const lengths: Readonly<Record<number, number>> = {
    [addressTypes.ipv4]: 4,
    [addressTypes.ipv6]: 16,
  };
  const length = type === addressTypes.name ? (await ask(socket, [], 1))[0] : lengths[type];
  if (length === undefined)
    throw lastingRefusal(`the proxy's reply has an address of type ${type}`);
  await ask(socket, [], length + 2);
}

async function logIn(socket: Socket, { user, password }: ProxyLogin): Promise<void> {
  const request = [loginVersion, ...lengthPrefixed(user), ...lengthPrefixed(password)];
  const [, status] = await ask(socket, request, 2);
  if (status === succeeded) return;
  throw new FtpullError("login", "the proxy rejects the user and password in its URL");
}

function lengthPrefixed(text: string): number[] {
  const octets = Buffer.from(text, "latin1");
  const tooLong = "a SOCKS proxy takes at most 255 bytes of a user or a password";
  if (octets.length > 255) throw new FtpullError("usage", tooLong);
  return [octets.length, ...octets];
}

function hostOctets(host: string): number[] {
  if (isIPv4(host)) return [addressTypes.ipv4, ...host.split(".").map(Number)];
  return [addressTypes.name, ...lengthPrefixed(host)];
}

const replyTexts: Readonly<Record<number, string>> = {
  1: "general SOCKS server failure",
  2: "connection not allowed by ruleset",
  3: "network unreachable",
  4: "host unreachable",
  5: "connection refused",
  6: "TTL expired",
  7: "command not supported",
  8: "address type not supported",
};
const notAllowed = 2;
const firstLastingCode = 7;

function refused(code: number): FtpullError {
  const text = `the proxy replied ${code} "${replyTexts[code] ?? "unknown"}"`;
  if (code === notAllowed) return notPermitted(text);
  return code >= firstLastingCode ? lastingRefusal(text) : networkError(text);
}

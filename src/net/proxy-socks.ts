/** SOCKS5 (RFC 1928), with a user and a password (RFC 1929). The proxy looks up the name. */
import { isIPv4, isIPv6, type Socket } from "node:net";
import { FtpullError, NetworkFailure } from "../errors.ts";
import { exchange, lastingRefusal } from "./proxy-exchange.ts";
import type { ProxyLogin, TunnelRequest } from "./proxy-server.ts";

const version = 5;
const connectCommand = 1;
const reserved = 0;
const loginVersion = 1;
const succeeded = 0;
const methods = { none: 0, login: 2, unacceptable: 0xff } as const;
const addressTypes = { ipv4: 1, name: 3, ipv6: 4 } as const;

export async function askSocksProxy(socket: Socket, request: TunnelRequest): Promise<void> {
  const { target, login } = request;
  const offered = login === undefined ? [methods.none] : [methods.none, methods.login];
  const greeting = Buffer.from([version, offered.length, ...offered]);
  const [, method] = await exchange(socket, greeting, choiceLength);
  if (method === methods.login && login !== undefined) await logIn(socket, login);
  else if (method !== methods.none) throw loginRefused(method, login);
  const { host, port } = target;
  const address = [...hostOctets(host), port >> 8, port & 0xff];
  const connect = Buffer.from([version, connectCommand, reserved, ...address]);
  const [, code = succeeded] = await exchange(socket, connect, replyLength);
  if (code !== succeeded) throw refused(code, request);
}

async function logIn(socket: Socket, { user, password }: ProxyLogin): Promise<void> {
  const request = Buffer.from([loginVersion, ...lengthPrefixed(user), ...lengthPrefixed(password)]);
  const [, status] = await exchange(socket, request, lengthTwo);
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
  if (isIPv6(host) && !host.includes("%")) return [addressTypes.ipv6, ...ipv6Octets(host)];
  return [addressTypes.name, ...lengthPrefixed(host)];
}

function ipv6Octets(host: string): Buffer {
  // Node's URL writes an embedded IPv4 address as two groups.
  const [left = [], right = []] = new URL(`http://[${host}]/`).hostname
    .slice(1, -1)
    .split("::")
    .map((groups) => groups.split(":").filter((group) => group !== ""));
  const zeros = Array<string>(8 - left.length - right.length).fill("0");
  const groups = [...left, ...zeros, ...right].map((group) => group.padStart(4, "0"));
  return Buffer.from(groups.join(""), "hex");
}

export function choiceLength(octets: Buffer): number | undefined {
  if (octets.length > 0 && octets[0] !== version)
    throw lastingRefusal(
      "the proxy does not speak SOCKS5",
      "an HTTP proxy is named as http://HOST:PORT",
    );
  return lengthTwo(octets);
}

function lengthTwo({ length }: Buffer): number | undefined {
  return length < 2 ? undefined : 2;
}

/** The length of the reply to a request; behind a refusal some proxies send no address. */
export function replyLength(octets: Buffer): number | undefined {
  if (choiceLength(octets) === undefined) return undefined;
  if (octets[1] !== succeeded) return 2;
  const [, , , type, first = 0] = octets;
  if (type === undefined) return undefined;
  const { ipv4, name, ipv6 } = addressTypes;
  const lengths: Readonly<Record<number, number>> = { [ipv4]: 4, [name]: 1 + first, [ipv6]: 16 };
  const addressLength = lengths[type];
  if (addressLength === undefined)
    throw lastingRefusal(`the proxy's reply has an address of type ${type}`);
  const length = 4 + addressLength + 2; // version, code, reserved, type; address; port
  return octets.length < length ? undefined : length;
}

function loginRefused(method: number | undefined, login: ProxyLogin | undefined): FtpullError {
  const words = "the proxy accepts no login that is supported";
  if (login !== undefined || method !== methods.unacceptable)
    return new FtpullError("login", words);
  const hint = "give the proxy's user and password in its URL: socks5://USER:PASSWORD@HOST:PORT";
  return new FtpullError("login", "the proxy wants a login", { hint });
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

function refused(code: number, { permissionHint }: TunnelRequest): FtpullError {
  const text = `the proxy replied ${code} "${replyTexts[code] ?? "unknown"}"`;
  if (code === notAllowed) return lastingRefusal(text, permissionHint);
  return code >= firstLastingCode ? lastingRefusal(text) : new NetworkFailure(text);
}

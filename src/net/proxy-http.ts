/** Asks an HTTP proxy for a tunnel by CONNECT (RFC 9110 §9.3.6), with Basic credentials (RFC 7617). */
import type { Socket } from "node:net";
import { FtpullError, networkError } from "../errors.ts";
import { shorten } from "../text/secrets.ts";
import { exchange, lastingRefusal, notPermitted } from "./proxy-exchange.ts";
import type { ProxyLogin, TunnelRequest } from "./proxy-server.ts";

export async function askHttpProxy(socket: Socket, request: TunnelRequest): Promise<void> {
  const { target, login } = request;
  const authority = `${target.host.includes(":") ? `[${target.host}]` : target.host}:${target.port}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  const { head, status, words } = await askHttp(socket, lines, login);
  // tinyproxy replies 407 to a missing password, and 401 to a wrong one.
  if (status === 407 || status === 401) throw proxyLoginRefused(words, login);
  // The gateway's failures may be passing. All others are about CONNECT, but 500, which tinyproxy has for both.
  if (status >= 502 && status <= 504) throw networkError(words);
  if (status === 500) throw networkError(words, { reason: "refused by proxy" });
  if (status < 200 || status >= 300) throw notPermitted(words, { reason: "refused by proxy" });
  // Some proxies reply 200 with a page of their own, such as a login form: that is no tunnel.
  if (/^content-(?:length: *0*[1-9]|type: *text\/html)/im.test(head))
    throw new FtpullError("protocol", `${words} and a page, not a tunnel`);
}

/** The head of an HTTP response; `words` quote its first line. */
export interface HttpHead {
  readonly head: string;
  readonly status: number;
  readonly words: string;
}

const longestShown = 200;

/** Sends the lines of a request, and reads the head of the response. Octets behind it stay in the socket. */
export async function askHttp(
  socket: Socket,
  lines: readonly string[],
  login: ProxyLogin | undefined,
): Promise<HttpHead> {
  const all = login === undefined ? lines : [...lines, `Proxy-Authorization: ${basic(login)}`];
  const request = Buffer.from(`${all.join("\r\n")}\r\n\r\n`, "latin1");
  const head = (await exchange(socket, request, headLength)).toString("latin1");
  const [, statusLine = "", code] = /^(HTTP\/1\.[01] (\d{3})\b[^\r\n]*)/.exec(head) ?? [];
  if (code === undefined) throw notHttp();
  const words = `the proxy replied "${shorten(statusLine.trimEnd(), longestShown)}"`;
  return { head, status: Number(code), words };
}

/** The values of a field of a head, or "". */
export function field(head: string, name: string): string {
  const lines = head.matchAll(new RegExp(`^${name}:([^\\r\\n]*)`, "gim"));
  return [...lines].map(([, value = ""]) => value.trim()).join(", ");
}

export function basic({ user, password }: ProxyLogin): string {
  return `Basic ${Buffer.from(`${user}:${password}`, "latin1").toString("base64")}`;
}

function headLength(octets: Buffer): number | undefined {
  const text = octets.toString("latin1");
  if (!"HTTP/".startsWith(text.slice(0, 5))) throw notHttp();
  const end = /\r?\n\r?\n/.exec(text);
  return end === null ? undefined : end.index + end[0].length;
}

const notHttp = () => lastingRefusal("the proxy does not speak HTTP");

export function proxyLoginRefused(words: string, login: ProxyLogin | undefined): FtpullError {
  const why = login === undefined ? "; its URL has no user" : "";
  return new FtpullError("login", words + why);
}

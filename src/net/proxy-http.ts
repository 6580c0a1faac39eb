/** HTTP's CONNECT (RFC 9110 §9.3.6), with Basic credentials (RFC 7617). */
import type { Socket } from "node:net";
import { FtpullError, NetworkFailure } from "../errors.ts";
import { shorten } from "../text/secrets.ts";
import { exchange, lastingRefusal } from "./proxy-exchange.ts";
import type { TunnelRequest } from "./proxy-server.ts";

export async function askHttpProxy(socket: Socket, request: TunnelRequest): Promise<void> {
  const octets = await exchange(socket, requestFor(request), headLength);
  const head = octets.toString("latin1");
  const [, statusLine = "", code] = /^(HTTP\/1\.[01] (\d{3})\b[^\r\n]*)/.exec(head) ?? [];
  if (code === undefined) throw notHttp();
  const status = Number(code);
  const words = `the proxy replied "${shorten(statusLine.trimEnd(), longestShown)}"`;
  // tinyproxy replies 407 to a missing password, and 401 to a wrong one.
  if (status === 407 || status === 401)
    throw new FtpullError("login", words, { hint: loginHint(head, request) });
  // The proxy's failures may be passing; 501 is lasting: the proxy has no CONNECT.
  if (status >= 500 && status !== 501) throw new NetworkFailure(words);
  if (status < 200 || status >= 300) throw lastingRefusal(words, request.permissionHint);
  // Some proxies reply 200 with a page of their own, such as a login form: that is no tunnel.
  if (/^content-(?:length: *0*[1-9]|type: *text\/html)/im.test(head))
    throw new FtpullError("protocol", `${words} and a page, not a tunnel`);
}

const longestShown = 200;

function requestFor({ target: { host, port }, login }: TunnelRequest): Buffer {
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  if (login !== undefined) {
    const basic = Buffer.from(`${login.user}:${login.password}`, "latin1").toString("base64");
    lines.push(`Proxy-Authorization: Basic ${basic}`);
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

export function headLength(octets: Buffer): number | undefined {
  const text = octets.toString("latin1");
  if (!"HTTP/".startsWith(text.slice(0, 5))) throw notHttp();
  const end = /\r?\n\r?\n/.exec(text);
  return end === null ? undefined : end.index + end[0].length;
}

function notHttp(): FtpullError {
  return lastingRefusal(
    "the proxy does not speak HTTP",
    "a SOCKS proxy is named as socks5://HOST:PORT",
  );
}

function loginHint(head: string, { login }: TunnelRequest): string {
  const schemes = /^proxy-authenticate:(.*)/gim;
  const offered = [...head.matchAll(schemes)].map(([, scheme = ""]) => scheme).join(", ");
  if (offered !== "" && !/\bbasic\b/i.test(offered))
    return "the proxy doesn't offer Basic, and nothing else is supported";
  return login === undefined
    ? "give the proxy's user and password in its URL: ftp_proxy=http://USER:PASSWORD@HOST:PORT"
    : "the proxy rejects the user and password in its URL";
}

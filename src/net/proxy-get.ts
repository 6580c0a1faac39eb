/**
 * Fetches files by `GET ftp://...`, HTTP/1.0 (RFC 1945), from a proxy that refuses CONNECT. The proxy is the FTP
 * client then: only a count of bytes that equals Content-Length shows that a file is whole.
 */
import type { Socket } from "node:net";
import { FtpullError, NetworkFailure, ProxyRefused, systemText } from "../errors.ts";
import type { ConnectOptions } from "./connect.ts";
import { TimeLimit, withDeadline } from "./deadline.ts";
import { counted } from "../text/units.ts";
import { openProxy } from "./proxy.ts";
import { askHttp, basic, type HttpHead, proxyLoginRefused } from "./proxy-http.ts";
import type { ProxyLogin, ProxyServer } from "./proxy-server.ts";
import type { Sink } from "./rate-limit.ts";

export interface GetRequest {
  /** The URL in ASCII, without user and password. */
  readonly url: string;
  /** The login on the FTP server. */
  readonly login: ProxyLogin | undefined;
  readonly permissionHint: string;
}

/** A file on its way. `receive` resolves when all bytes have come; without it, `close` ends the connection. */
export interface GotFile {
  readonly size: number;
  readonly modified: Date | undefined;
  receive(sink: Sink): Promise<void>;
  close(): void;
}

/** @throws FtpullError, or the reason of `signal` */
export async function getByProxy(
  proxy: ProxyServer,
  request: GetRequest,
  options: ConnectOptions,
): Promise<GotFile> {
  const { timeoutMs } = options;
  const socket = await openProxy(proxy, options);
  const [, authority = ""] = request.url.split("/").filter((part) => part !== "");
  const lines = [`GET ${request.url} HTTP/1.0`, `Host: ${authority}`, "Accept: */*"];
  if (request.login !== undefined) lines.push(`Authorization: ${basic(request.login)}`);
  const silence = new NetworkFailure(`the proxy did not answer within ${timeoutMs / 1000} s`);
  return withDeadline(socket, options, silence, async () => {
    const response = await askHttp(socket, lines, proxy.login);
    checkStatus(response, proxy, request);
    const size = lengthOf(response.head);
    const modified = timeOf(response.head);
    checkType(response.head, request.url, modified);
    const receive = (sink: Sink) => receiveBody(socket, size, sink, options);
    return { size, modified, receive, close: () => void socket.destroy() };
  });
}

/** The failures that FTP has without a proxy; squid names them in a field of its own. */
function checkStatus({ head, status, words }: HttpHead, proxy: ProxyServer, request: GetRequest) {
  if (status === 200) return;
  const [, ofSquid = ""] = /^x-squid-error: *(\w+)/im.exec(head) ?? [];
  if (status === 407) throw proxyLoginRefused(words, head, proxy.login);
  if (status === 401 || ofSquid === "ERR_FTP_FORBIDDEN") throw new FtpullError("login", words);
  if (status === 404) throw new FtpullError("refused", words);
  if (/^ERR_FTP_(?:UNAVAILABLE|FAILURE)$/.test(ofSquid))
    throw new FtpullError("refused", words, { transient: true });
  if (status >= 502 && status <= 504) throw new NetworkFailure(words);
  if (status < 300) throw new FtpullError("integrity", `${words}, which is no whole file`);
  throw new ProxyRefused("network", words, { hint: request.permissionHint });
}

/** HTTP/1.0 has no chunks: a response in chunks has no length. */
function lengthOf(head: string): number {
  const values = new Set(fieldsOf(head, "content-length"));
  const [text = ""] = values;
  const length = /^\d+$/.test(text) ? Number(text) : NaN;
  const isKnown = values.size === 1 && Number.isSafeInteger(length);
  if (isKnown && fieldsOf(head, "transfer-encoding").length === 0) return length;
  const words = "the proxy doesn't say how long the file is: nothing would show that it is whole";
  throw new FtpullError("integrity", words);
}

function timeOf(head: string): Date | undefined {
  const [text = ""] = fieldsOf(head, "last-modified");
  const time = new Date(text.endsWith(" GMT") ? text : NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Proxies make pages of directories, also of one named `x.html`; such a page has no time. Squid calls it an error. */
function checkType(head: string, url: string, modified: Date | undefined): void {
  const isPage =
    fieldsOf(head, "x-squid-error").length > 0 ||
    fieldsOf(head, "content-type").some((type) => /^text\/html\b/i.test(type));
  const mayBePage = /\.[sx]?html?(?:;type=.)?$/i.test(url) && modified !== undefined;
  if (!isPage || mayBePage) return;
  throw new FtpullError("integrity", "the proxy sent a page, not the file: it may be a directory");
}

function fieldsOf(head: string, name: string): string[] {
  const lines = head.matchAll(/^([\w-]+):[ \t]*([^\r\n]*)/gm);
  return [...lines].flatMap(([, field, value = ""]) =>
    field?.toLowerCase() === name ? [value.trimEnd()] : [],
  );
}

async function receiveBody(
  socket: Socket,
  size: number,
  sink: Sink,
  options: ConnectOptions,
): Promise<void> {
  const { timeoutMs, signal } = options;
  const stalled = new NetworkFailure(`no data for ${timeoutMs / 1000} s`);
  const silence = new TimeLimit(timeoutMs, () => socket.destroy(stalled));
  const abort = (): void => void socket.destroy();
  signal.addEventListener("abort", abort, { once: true });
  let octets = 0;
  let isReading = true;
  try {
    silence.restart();
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      silence.stop();
      octets += chunk.length;
      if (octets > size) break;
      isReading = false;
      await sink(chunk);
      isReading = true;
      silence.restart();
    }
  } catch (error) {
    // A proxy that has sent all need not end the connection in order.
    if (!isReading) throw error;
    if (octets < size) throw brokenOff(error);
  } finally {
    silence.stop();
    signal.removeEventListener("abort", abort);
    socket.destroy();
    signal.throwIfAborted();
  }
  const text = `expected ${counted(size, "byte")}, received ${octets}`;
  if (octets !== size) throw new FtpullError("integrity", text, { transient: octets < size });
}

function brokenOff(error: unknown): unknown {
  if (error instanceof FtpullError) return error;
  return new NetworkFailure(`the connection to the proxy broke: ${systemText(error)}`, error);
}

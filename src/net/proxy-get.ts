/**
 * Fetches files by `GET ftp://...`, HTTP/1.0 (RFC 1945), from a proxy that refuses CONNECT. The proxy is the FTP
 * client then: only a count of bytes that equals Content-Length shows that a file is whole.
 */
import type { Socket } from "node:net";
import { FtpullError, networkError } from "../errors.ts";
import { counted } from "../text/units.ts";
import type { ConnectOptions } from "./connect.ts";
import { type TimeLimit, withLimit } from "./time-limit.ts";
import { brokenOff, proxySilence } from "./proxy-exchange.ts";
import { askHttp, basic, field, type HttpHead, proxyLoginRefused } from "./proxy-http.ts";
import type { ProxyLogin, ProxyServer } from "./proxy-server.ts";
import { openProxy } from "./proxy.ts";
import type { Sink } from "./rate-limit.ts";

/** A file on its way. `receive` resolves when all bytes have come. */
export interface GotFile {
  readonly size: number;
  readonly modified: Date | undefined;
  receive(sink: Sink): Promise<void>;
}

/** `url` is ASCII, without user and password; `login` is the FTP server's. @throws FtpullError, or the reason of `signal` */
export async function getByProxy(
  proxy: ProxyServer,
  url: string,
  login: ProxyLogin | undefined,
  options: ConnectOptions,
): Promise<GotFile> {
  const socket = await openProxy(proxy, options);
  const lines = [`GET ${url} HTTP/1.0`, `Host: ${url.split("/")[2]}`, "Accept: */*"];
  if (login !== undefined) lines.push(`Authorization: ${basic(login)}`);
  return withLimit(socket, options, proxySilence, async () => {
    const response = await askHttp(socket, lines, proxy.login);
    if (response.status !== 200) throw failureByStatus(response, login !== undefined, proxy.login);
    const file = factsOf(response.head, url);
    return { ...file, receive: (sink) => receive(socket, file.size, sink, options) };
  });
}

/** The failure that FTP has without a proxy, as far as the status tells: squid's for a refused login is 403. */
function failureByStatus({ status, words }: HttpHead, isUser: boolean, proxyLogin?: ProxyLogin) {
  if (status === 407) return proxyLoginRefused(words, proxyLogin);
  if (status === 401 || (status === 403 && isUser)) return new FtpullError("login", words);
  if (status === 404) return new FtpullError("refused", words);
  if (status >= 502 && status <= 504) return networkError(words);
  if (status < 300) return new FtpullError("integrity", `${words}, which is no whole file`);
  return new FtpullError("network", words, { reason: "refused by proxy" });
}

/** @throws FtpullError "integrity" for what may be no file, or not a whole one */
function factsOf(head: string, url: string): Pick<GotFile, "size" | "modified"> {
  const time = new Date(field(head, "last-modified"));
  const modified = Number.isNaN(time.getTime()) ? undefined : time;
  // Proxies make pages of directories, also of one named `x.html`: a page without a time.
  const isPage = /^text\/html\b/i.test(field(head, "content-type"));
  const mayBePage = /\.[sx]?html?;type=i$/i.test(url) && modified !== undefined;
  const notFile = "the proxy sent a page, not the file: it may be a directory";
  if (isPage && !mayBePage) throw new FtpullError("integrity", notFile);
  const length = field(head, "content-length");
  const size = /^\d+$/.test(length) ? Number(length) : NaN;
  // HTTP/1.0 has no chunks.
  if (Number.isSafeInteger(size) && field(head, "transfer-encoding") === "")
    return { size, modified };
  const unknown = "the proxy doesn't say how long the file is: nothing would show that it is whole";
  throw new FtpullError("integrity", unknown);
}

async function receive(
  socket: Socket,
  size: number,
  sink: Sink,
  options: ConnectOptions,
): Promise<void> {
  let octets = 0;
  const read = async (silence: TimeLimit): Promise<void> => {
    const chunks = (size > 0 ? socket : []) as AsyncIterable<Buffer>;
    for await (const chunk of chunks) {
      silence.stop();
      octets += chunk.length;
      if (octets <= size) await sink(chunk);
      if (octets >= size) break;
      silence.restart();
    }
  };
  await withLimit(socket, options, "no data for", (silence) => read(silence).catch(brokenOff));
  socket.destroy();
  const text = `expected ${counted(size, "byte")}, received ${octets}`;
  if (octets !== size) throw new FtpullError("integrity", text, { transient: octets < size });
}

/** Fetches files of a server by GET from its proxy, which is the FTP client then. */
import { toFtpullError } from "../errors.ts";
import type { ConnectOptions } from "../net/connect.ts";
import { getByProxy, type GotFile } from "../net/proxy-get.ts";
import type { ProxyServer } from "../net/proxy-server.ts";
import type { RateLimit } from "../net/rate-limit.ts";
import { encodeName } from "../text/percent.ts";
import { isAnonymous } from "../url/anonymous.ts";
import { formatHost } from "../url/format.ts";
import { defaultPorts, type FtpUrl } from "../url/ftp-url.ts";
import type { Plan } from "../url/plan.ts";
import type { Credentials } from "./credentials.ts";

export type { GotFile };

interface GetOptions extends ConnectOptions {
  /** The proxy, which has refused CONNECT. */
  readonly proxy: () => ProxyServer;
  readonly credentials: () => Promise<Credentials>;
  readonly rateLimit: RateLimit | undefined;
}

/** Files of one login are asked for in turn: a login that the server refuses is tried once for all. */
export function filesFromProxy(server: FtpUrl, options: GetOptions) {
  let asked: Promise<unknown> = Promise.resolve();
  return (plan: Plan): Promise<GotFile> => {
    const file = asked.then(() => fileFromProxy(server, plan, options));
    asked = file.catch((error: unknown) => {
      if (toFtpullError(error).kind === "login") throw error;
    });
    asked.catch(() => undefined);
    return file;
  };
}

async function fileFromProxy(server: FtpUrl, plan: Plan, options: GetOptions): Promise<GotFile> {
  const proxy = options.proxy();
  const credentials = await options.credentials();
  const { rateLimit } = options;
  const { user } = credentials;
  const login = isAnonymous(user) ? undefined : { user, password: await credentials.password() };
  const signal = AbortSignal.any([options.signal]); // Node warns of many listeners on one signal.
  const file = await getByProxy(proxy, imageUrl(server, plan), login, { ...options, signal });
  return { ...file, receive: (sink) => file.receive(rateLimit?.slowed(sink) ?? sink) };
}

/** Without a typecode, proxies choose the type by the name: a text would come converted. */
function imageUrl({ host, port }: FtpUrl, { cwds, name }: Plan): string {
  const authority = formatHost(host) + (port === defaultPorts.ftp ? "" : `:${port}`);
  return `ftp://${authority}/${[...cwds, name].map(encodeName).join("/")};type=i`;
}

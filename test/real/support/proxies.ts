/** Real proxies for tests, on loopback: tinyproxy, squid and Apache for HTTP, microsocks for SOCKS5. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bundle, libraryPath, unpack } from "./packages.ts";
import type { Command } from "./server.ts";
import { readyAmong, startServer } from "./servers.ts";

export type ProxyKind = "tinyproxy" | "squid" | "microsocks" | "apache";

interface ProxyLogin {
  readonly user: string;
  readonly password: string;
}

export interface RealProxyOptions {
  /** Whom it lets in, unless it is squid; default: every client. */
  readonly login?: ProxyLogin;
  /** The ports that an HTTP proxy permits, for squid also `1024-65535`; default: all. */
  readonly ports?: readonly (number | string)[];
}

export interface RealProxy {
  url(login?: string): string;
  close(): Promise<void>;
}

interface Setting extends RealProxyOptions {
  readonly program: string;
  readonly directory: string;
  readonly port: number;
}

interface Program {
  readonly scheme: string;
  readonly bundle: Bundle;
  readonly command: (setting: Setting) => Command;
}

const programs: Readonly<Record<ProxyKind, Program>> = {
  tinyproxy: {
    scheme: "http",
    bundle: { name: "tinyproxy", packages: ["tinyproxy-bin"], objects: ["usr/bin/tinyproxy"] },
    command: tinyproxy,
  },
  squid: {
    scheme: "http",
    bundle: {
      name: "squid",
      // The last one's name doesn't follow from that of its library.
      packages: ["squid", "squid-common", "libnetfilter-conntrack3"],
      objects: ["usr/sbin/squid"],
    },
    command: squid,
  },
  apache: {
    scheme: "http",
    bundle: {
      name: "apache",
      packages: ["apache2-bin", "libapr1", "libaprutil1"],
      objects: ["usr/sbin/apache2"],
    },
    command: apache,
  },
  microsocks: {
    scheme: "socks5",
    bundle: { name: "microsocks", packages: ["microsocks"], objects: ["usr/bin/microsocks"] },
    command: microsocks,
  },
};

const proxyKinds = ["tinyproxy", "squid", "microsocks", "apache"] as const;

/** Gets the proxies into the cache, and tells which of them can be started. */
export function prepareProxies(): Promise<ReadonlySet<ProxyKind>> {
  return readyAmong(proxyKinds, (kind) => unpack(programs[kind].bundle));
}

/** Starts a proxy; `prepareProxies` must have said that it is there. */
export async function realProxy(
  kind: ProxyKind,
  options: RealProxyOptions = {},
): Promise<RealProxy> {
  const { scheme, bundle, command } = programs[kind];
  const own = (setting: Setting): Command => command({ ...options, ...setting });
  const server = await startServer(kind, { command: own }, await unpack(bundle), {});
  const url = (login?: string): string =>
    `${scheme}://${login === undefined ? "" : `${login}@`}127.0.0.1:${server.port}`;
  return { url, close: () => server.close() };
}

function tinyproxy({ program, directory, port, ports = [], login }: Setting): Command {
  const file = join(directory, "tinyproxy.conf");
  const lines = [
    `Port ${port}`,
    "Listen 127.0.0.1",
    "Allow 127.0.0.1",
    "Timeout 600",
    "MaxClients 100",
    "LogLevel Info",
    ...ports.map((permitted) => `ConnectPort ${permitted}`),
    ...(login === undefined ? [] : [`BasicAuth ${login.user} ${login.password}`]),
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  return { file: join(program, "usr/bin/tinyproxy"), args: ["-d", "-c", file] };
}

function squid({ program, directory, port, ports = ["1-65535"] }: Setting): Command {
  const file = join(directory, "squid.conf");
  const lines = [
    `http_port 127.0.0.1:${port}`,
    ...ports.map((permitted) => `acl SSL_ports port ${permitted}`),
    "acl CONNECT method CONNECT",
    "http_access deny CONNECT !SSL_ports",
    "http_access allow localhost",
    "http_access deny all",
    "access_log none",
    "cache_log /dev/null",
    "pid_filename none",
    "cache deny all",
    "pinger_enable off",
    "max_filedescriptors 1024",
    "shutdown_lifetime 0 seconds",
    `unlinkd_program ${program}/usr/lib/squid/unlinkd`,
    `icon_directory ${program}/usr/share/squid/icons`,
    `mime_table ${program}/usr/share/squid/mime.conf`,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const env = { LD_LIBRARY_PATH: libraryPath(program) };
  return { file: join(program, "usr/sbin/squid"), args: ["-N", "-f", file], env };
}

/** It has no CONNECT: it answers 500. */
function apache({ program, directory, port }: Setting): Command {
  const file = join(directory, "httpd.conf");
  const modules = ["mpm_event", "authz_core", "authz_host", "proxy", "proxy_ftp", "mime"];
  const lines = [
    `ServerRoot ${directory}`,
    `Listen 127.0.0.1:${port}`,
    "ServerName localhost",
    `PidFile ${directory}/pid`,
    "ErrorLog /dev/stderr",
    `DefaultRuntimeDir ${directory}`,
    ...modules.map(
      (name) => `LoadModule ${name}_module ${program}/usr/lib/apache2/modules/mod_${name}.so`,
    ),
    "TypesConfig /etc/mime.types",
    "ProxyRequests On",
    "<Proxy *>",
    "Require all granted",
    "</Proxy>",
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const env = { LD_LIBRARY_PATH: libraryPath(program) };
  return { file: join(program, "usr/sbin/apache2"), args: ["-f", file, "-DFOREGROUND"], env };
}

function microsocks({ program, port, login }: Setting): Command {
  const credentials = login === undefined ? [] : ["-u", login.user, "-P", login.password];
  const args = ["-i", "127.0.0.1", "-p", `${port}`, ...credentials];
  return { file: join(program, "usr/bin/microsocks"), args };
}

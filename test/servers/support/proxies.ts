/** Proxies that speak FTP to their clients: squid's ftp_port, SuSE's ftp-proxy, ProFTPD's mod_proxy. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bundle, libraryPath, unpack } from "../../real/support/packages.ts";
import * as proftpd from "../../real/support/proftpd.ts";
import { account, type Command, listenAddress, type Setting } from "../../real/support/server.ts";
import type { Subject } from "./subject.ts";

const squid: Bundle = {
  name: "squid-langpack", // "squid" has other packages: test/real/support/proxies.ts
  packages: ["squid", "squid-common", "squid-langpack"],
  objects: ["usr/sbin/squid"],
};

const ftpProxy: Bundle = {
  name: "ftp-proxy",
  packages: ["ftp-proxy", "libldap-2.5-0"],
  objects: ["usr/sbin/ftp-proxy"],
};

const modProxy: Bundle = {
  name: "proftpd-mod-proxy",
  packages: [...proftpd.bundle.packages, "proftpd-mod-proxy"],
  objects: [...proftpd.bundle.objects, "usr/lib/proftpd/mod_proxy.so"],
};

export const proxySubjects: readonly Subject[] = [
  {
    name: "squid",
    isProxy: true,
    prepare: () => unpack(squid),
    command: squidCommand,
    login: (upstream) => ({ ...account, user: `${account.user}@127.0.0.1:${upstream}` }),
    faults: {
      "leading blank": { why: "drops it", status: 8 },
      "trailing blank": { why: "drops it", status: 8 },
      TLS: { why: "has none" },
    },
  },
  {
    name: "ftp-proxy",
    isProxy: true,
    prepare: () => unpack(ftpProxy),
    command: ftpProxyCommand,
    login: () => account,
    faults: {
      "leading blank": { why: "drops it", status: 8 },
      TLS: { why: "has none" },
      IPv6: { why: "has none" },
    },
  },
  {
    name: "mod_proxy",
    isProxy: true,
    prepare: () => unpack(modProxy),
    command: modProxyCommand,
    faults: {},
  },
];

function squidCommand({ directory, program, port, options }: Setting): Command {
  const file = join(directory, "squid.conf");
  const address = options.ipv6 ? `[${listenAddress(options)}]` : listenAddress(options);
  const shared = join(program, "usr/share/squid");
  writeFileSync(
    file,
    [
      `ftp_port ${address}:${port}`,
      "http_access allow all",
      "cache deny all",
      "cache_mem 1 MB",
      "shutdown_lifetime 0 seconds",
      "pinger_enable off",
      "cache_effective_user nobody",
      "cache_effective_group nogroup",
      `pid_filename ${directory}/pid`,
      "access_log none",
      "cache_store_log none",
      "cache_log /dev/stderr",
      `coredump_dir ${directory}`,
      `mime_table ${shared}/mime.conf`,
      `icon_directory ${shared}/icons`,
      `error_directory ${shared}-langpack/templates`,
      "logfile_daemon /bin/false",
      "unlinkd_program /bin/true",
      "",
    ].join("\n"),
  );
  return {
    file: join(program, "usr/sbin/squid"),
    args: ["-N", "-f", file],
    env: { LD_LIBRARY_PATH: libraryPath(program) },
  };
}

function ftpProxyCommand({ directory, program, port, options }: Setting): Command {
  const file = join(directory, "ftp-proxy.conf");
  writeFileSync(
    file,
    [
      "[-Global-]",
      "ServerType standalone",
      `Listen ${listenAddress(options)}`,
      `Port ${port}`,
      "DestinationAddress 127.0.0.1",
      `DestinationPort ${options.upstream}`,
      "DestinationTransferMode passive",
      "ForkLimit 10000",
      "MaxClients 1000",
      `LogDestination ${directory}/server.log`,
      `PidFile ${directory}/pid`,
      "",
    ].join("\n"),
  );
  return {
    file: join(program, "usr/sbin/ftp-proxy"),
    args: ["-n", "-f", file],
    env: { LD_LIBRARY_PATH: libraryPath(program) },
  };
}

function modProxyCommand(setting: Setting): Command {
  const tables = join(setting.directory, "proxy");
  mkdirSync(tables);
  const config = [
    "LoadModule mod_tls.c", // mod_proxy uses its library.
    "LoadModule mod_proxy.c",
    "ProxyEngine on",
    "ProxyRole reverse",
    `ProxyTables ${tables}`,
    `ProxyReverseServers ftp://127.0.0.1:${setting.options.upstream}`,
    `ProxyLog ${setting.directory}/output`,
    ...(setting.options.ipv6 ? ["ProxySourceAddress 127.0.0.1"] : []),
  ];
  return proftpd.command({ ...setting, options: { ...setting.options, config } });
}

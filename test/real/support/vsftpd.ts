/** vsftpd: the most common server of Linux distributions. Knows neither MLSD nor HOST. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownUsersAndPasswords, wrapperPackages } from "./accounts.ts";
import type { Bundle } from "./packages.ts";
import { type Command, listenAddress, type Setting, type TlsOptions } from "./server.ts";

export const bundle: Bundle = {
  name: "vsftpd",
  packages: ["vsftpd", ...wrapperPackages],
  objects: ["usr/sbin/vsftpd"],
};

/** Writes the configuration; both users are shut into the tree. */
export function command(setting: Setting): Command {
  const file = join(setting.directory, "vsftpd.conf");
  mkdirSync(join(setting.directory, "empty"));
  writeFileSync(file, configuration(setting).join("\n") + "\n");
  return {
    file: join(setting.program, "usr/sbin/vsftpd"),
    args: [file],
    env: { ...ownUsersAndPasswords(setting), ...tlsVersion(setting) },
  };
}

function configuration(setting: Setting): string[] {
  const { directory, root, port, options } = setting;
  return [
    `listen=${yesOrNo(!options.ipv6)}`,
    `listen_ipv6=${yesOrNo(options.ipv6)}`,
    `listen_address${options.ipv6 ? "6" : ""}=${listenAddress(options)}`,
    `listen_port=${port}`,
    "background=NO",
    "seccomp_sandbox=NO", // Its list of system calls is older than this C library.
    `secure_chroot_dir=${directory}/empty`,
    "anonymous_enable=YES",
    "local_enable=YES",
    "guest_enable=YES", // PAM alone decides who the named users are.
    "guest_username=ftp",
    "pam_service_name=ftp",
    `local_root=${root}`,
    "xferlog_enable=YES",
    "dual_log_enable=YES",
    `vsftpd_log_file=${directory}/server.log`,
    `xferlog_file=${directory}/transfers.log`,
    "log_ftp_protocol=YES",
    "ascii_download_enable=YES", // Otherwise TYPE A is accepted and ignored.
    ...(options.tls ? tlsConfiguration(options.tls) : []),
    ...(options.config ?? []),
  ];
}

function tlsConfiguration(tls: TlsOptions): string[] {
  const force = yesOrNo(tls.force);
  return [
    "ssl_enable=YES",
    "ssl_ciphers=HIGH",
    "allow_anon_ssl=YES",
    `rsa_cert_file=${tls.cert}`,
    `rsa_private_key_file=${tls.key}`,
    `require_ssl_reuse=${yesOrNo(tls.requireReuse)}`,
    `implicit_ssl=${yesOrNo(tls.implicit)}`,
    ...["anon_logins", "anon_data", "local_logins", "local_data"].map(
      (what) => `force_${what}_ssl=${force}`,
    ),
    ...(tls.clientCa
      ? ["require_cert=YES", "validate_cert=YES", `ca_certs_file=${tls.clientCa}`]
      : []),
  ];
}

function yesOrNo(value: boolean | undefined): "YES" | "NO" {
  return value ? "YES" : "NO";
}

/** It has no option for the version of TLS: OpenSSL's own configuration has. */
function tlsVersion({ directory, options: { tls } }: Setting): Record<string, string> {
  if (tls?.version === undefined) return {};
  const file = join(directory, "openssl.cnf");
  const sections = ["openssl_conf = main", "[main]", "ssl_conf = ssl", "[ssl]"];
  const limits = ["MinProtocol", "MaxProtocol"].map((name) => `${name} = ${tls.version}`);
  const lines = [...sections, "system_default = versions", "[versions]", ...limits, ""];
  writeFileSync(file, lines.join("\n"));
  return { OPENSSL_CONF: file };
}

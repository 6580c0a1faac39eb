/** ProFTPD: the one with the most of the RFCs (MLSD, HOST, EPSV, MFMT, UTF8). */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { passwordHash } from "./accounts.ts";
import { type Bundle, libraryPath } from "./packages.ts";
import { type Command, nobody, type Setting, type TlsOptions, listenAddress } from "./server.ts";

export const bundle: Bundle = {
  name: "proftpd",
  packages: ["proftpd-core", "proftpd-mod-crypto"],
  objects: ["usr/sbin/proftpd", "usr/lib/proftpd/mod_tls.so"],
};

/** Writes configuration and user file; the named user is not shut in, and starts in the tree. */
export function command(setting: Setting): Command {
  const { directory, program } = setting;
  const file = join(directory, "proftpd.conf");
  writeUserFile(setting);
  writeFileSync(file, configuration(setting).join("\n") + "\n");
  return {
    file: join(program, "usr/sbin/proftpd"),
    args: ["--nodaemon", "--config", file],
    env: { LD_LIBRARY_PATH: libraryPath(program) },
  };
}

/** The system user nobody is in it too: anonymous users become nobody, but by no password. */
function writeUserFile({ directory, account, root }: Setting): void {
  const file = join(directory, "users");
  const line = (user: string, hash: string) =>
    [user, hash, nobody, nobody, "", root, "/bin/sh"].join(":");
  const lines = [line(account.user, passwordHash(account.password)), line("nobody", "*")];
  writeFileSync(file, lines.join("\n") + "\n", { mode: 0o600 });
}

function configuration(setting: Setting): string[] {
  const { directory, program, root, port, options } = setting;
  return [
    `ModulePath ${program}/usr/lib/proftpd`,
    "ServerType standalone",
    `DefaultAddress ${listenAddress(options)}`,
    "SocketBindTight on",
    `UseIPv6 ${options.ipv6 ? "on" : "off"}`,
    `Port ${port}`,
    "User nobody",
    "Group nogroup",
    "UseReverseDNS off",
    "WtmpLog off",
    "TransferLog none",
    `SystemLog ${directory}/server.log`,
    `PidFile ${directory}/pid`,
    `ScoreboardFile ${directory}/scoreboard`,
    "DelayEngine off", // It makes logins slow on purpose.
    "ControlsEngine off",
    "AuthPAM off",
    "AuthOrder mod_auth_file.c",
    `AuthUserFile ${directory}/users`,
    "RequireValidShell off",
    "UseFtpUsers off", // Debian's vsftpd brings an /etc/ftpusers with nobody in it.
    "<Limit WRITE>",
    "  DenyAll",
    "</Limit>",
    `<Anonymous ${root}>`,
    "  User nobody",
    "  Group nogroup",
    "  UserAlias anonymous nobody",
    "  UseFtpUsers off",
    "</Anonymous>",
    ...(options.tls ? tlsConfiguration(options.tls, directory) : []),
    ...(options.config ?? []),
  ];
}

function tlsConfiguration(tls: TlsOptions, directory: string): string[] {
  const options = [
    ...(tls.requireReuse ? [] : ["NoSessionReuseRequired"]),
    ...(tls.implicit ? ["UseImplicitSSL"] : []),
  ];
  return [
    "LoadModule mod_tls.c",
    "TLSEngine on",
    `TLSLog ${directory}/tls.log`,
    `TLSRSACertificateFile ${tls.cert}`,
    `TLSRSACertificateKeyFile ${tls.key}`,
    `TLSProtocol ${tls.version ?? "TLSv1.2 TLSv1.3"}`,
    `TLSRequired ${tls.force ? "on" : "off"}`,
    ...(options.length > 0 ? [`TLSOptions ${options.join(" ")}`] : []),
    ...(tls.clientCa ? [`TLSCACertificateFile ${tls.clientCa}`, "TLSVerifyClient on"] : []),
  ];
}

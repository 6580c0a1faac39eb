/** Servers that inetd starts, one process for each connection: GNU's and Linux NetKit's ftpd. */
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownUsers, passwordHash, wrapperPackages } from "../../real/support/accounts.ts";
import { type Bundle, unpack } from "../../real/support/packages.ts";
import {
  account,
  type Command,
  listenAddress,
  nobody,
  type Setting,
} from "../../real/support/server.ts";
import type { Subject } from "./subject.ts";

const listener = fileURLToPath(new URL("inetd.mjs", import.meta.url));

const inetutils: Bundle = {
  name: "inetutils-ftpd",
  packages: ["inetutils-ftpd", ...wrapperPackages],
  objects: ["usr/sbin/ftpd"],
};

const netkit: Bundle = {
  name: "ftpd-ssl",
  packages: ["ftpd-ssl", ...wrapperPackages],
  objects: ["usr/sbin/in.ftpd"],
};

const login = () => account;

export const inetdSubjects: readonly Subject[] = [
  {
    name: "inetutils-ftpd",
    prepare: () => unpack(inetutils),
    command: (setting) => underInetd(setting, "usr/sbin/ftpd", ["--auth=default"]),
    login,
    open: true,
    faults: { TLS: { why: "has none" } },
  },
  {
    name: "ftpd-ssl",
    prepare: () => unpack(netkit),
    command: (setting) => underInetd(setting, "usr/sbin/in.ftpd", netkitArguments(setting)),
    login,
    open: true,
    faults: { TLS: { why: "reads no certificate under inetd", status: 5 } },
  },
];

function netkitArguments({ options: { tls } }: Setting): string[] {
  return tls ? ["-z", "secure", "-z", `cert=${tls.cert}`, "-z", `key=${tls.key}`] : [];
}

/** Runs it in a mount namespace: the machine's login records stay, and PAM reads other files. */
function underInetd(setting: Setting, program: string, words: readonly string[]): Command {
  const { directory, options, port } = setting;
  const environment = ownUsers(setting);
  chmodSync(directory, 0o755); // The server reads the users also as one of them.
  addAccount(setting, environment["NSS_WRAPPER_PASSWD"]!);
  const mounts = `
    if [ -e /var/log/wtmp ]; then mount --bind /dev/null /var/log/wtmp; fi
    mount --bind ${makePamFiles(directory)} /etc/pam.d
    exec "$@"`;
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const server = ["env", ...variables, join(setting.program, program), ...words];
  const listening = [process.execPath, listener, listenAddress(options), String(port), ...server];
  return { file: "unshare", args: ["--mount", "sh", "-c", mounts, "sh", ...listening] };
}

/** NetKit's ftpd asks for the password in the words of the first module: pam_ftp has one. */
function makePamFiles(directory: string): string {
  const files = join(directory, "pam.d");
  mkdirSync(files);
  const rules = ["auth sufficient pam_ftp.so", "auth required pam_unix.so"];
  const permits = ["account required pam_permit.so", "session required pam_permit.so", ""];
  for (const service of ["ftp", "other"])
    writeFileSync(join(files, service), [...rules, ...permits].join("\n"));
  return files;
}

function addAccount({ root }: Setting, passwd: string): void {
  const { user, password } = account;
  const fields = [user, passwordHash(password), nobody, nobody, "", root, "/bin/sh"];
  appendFileSync(passwd, `${fields.join(":")}\n`);
}

/**
 * Users that exist for one process only: Debian's nss_wrapper and pam_wrapper, loaded
 * into a server, answer its questions from files of its own instead of from /etc.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { libraryFile, libraryPath } from "./packages.ts";
import { nobody, type Setting } from "./server.ts";

/** The packages that the functions here need in a server's bundle. */
export const wrapperPackages = ["libnss-wrapper", "libpam-wrapper"] as const;

/** The environment in which root, nobody and ftp (who lives in the tree) are the only users. */
export function ownUsers(setting: Setting): Record<string, string> {
  const passwd = join(setting.directory, "passwd");
  const group = join(setting.directory, "group");
  const shell = "/bin/sh";
  writeFileSync(
    passwd,
    `root:x:0:0::/:${shell}\nnobody:x:${nobody}:${nobody}::/:${shell}\n` +
      `ftp:x:${nobody}:${nobody}::${setting.root}:${shell}\n`,
  );
  writeFileSync(group, `root:x:0:\nnogroup:x:${nobody}:\n`);
  return {
    LD_LIBRARY_PATH: libraryPath(setting.program),
    LD_PRELOAD: libraryFile(setting.program, "libnss_wrapper.so"),
    NSS_WRAPPER_PASSWD: passwd,
    NSS_WRAPPER_GROUP: group,
  };
}

export function ownUsersAndPasswords(setting: Setting): Record<string, string> {
  const users = ownUsers(setting);
  const services = join(setting.directory, "pam.d");
  const passwords = join(setting.directory, "passwords");
  const { user, password } = setting.account;
  const matrix = join(libraryFile(setting.program, "pam_wrapper"), "pam_matrix.so");
  mkdirSync(services);
  writeFileSync(passwords, `${user}:${password}:ftp\n`);
  // Without "other", PAM complains on standard error, which is vsftpd's control connection.
  for (const service of ["ftp", "other"])
    writeFileSync(
      join(services, service),
      `auth required ${matrix} passdb=${passwords}\n` +
        `account required ${matrix} passdb=${passwords}\n` +
        "session required pam_permit.so\n",
    );
  return {
    ...users,
    LD_PRELOAD: `${users["LD_PRELOAD"]}:${libraryFile(setting.program, "libpam_wrapper.so")}`,
    PAM_WRAPPER: "1",
    PAM_WRAPPER_SERVICE_DIR: services,
  };
}

/** Removes the folder that pam_wrapper made for a process and leaves behind when that is killed. */
export function removePamFolder(pid: number): void {
  const folders = readdirSync("/tmp").filter((name) => /^pam\..$/.test(name));
  for (const folder of folders.map((name) => join("/tmp", name)))
    if (pidIn(folder) === pid) rmSync(folder, { recursive: true, force: true });
}

/** The account's password as crypt(3) has it, for user files. */
export function passwordHash(password: string): string {
  return execFileSync("openssl", ["passwd", "-6", "-stdin"], {
    input: password,
    encoding: "utf8",
  }).trim();
}

function pidIn(folder: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(folder, "pid"), "utf8"), 10);
  } catch {
    return undefined; // Another process removed or is making it just now.
  }
}

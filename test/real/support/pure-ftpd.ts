/** Pure-FTPd: common with web hosters. Has MLSD, and answers in words of its own. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownUsers, passwordHash, wrapperPackages } from "./accounts.ts";
import { type Bundle, libraryPath } from "./packages.ts";
import { type Command, nobody, type Setting, type TlsOptions, listenAddress } from "./server.ts";

export const bundle: Bundle = {
  name: "pure-ftpd",
  packages: ["pure-ftpd", ...wrapperPackages],
  objects: ["usr/sbin/pure-ftpd", "usr/bin/pure-pw"],
};

/** Makes the user database; the named user is not shut in, and starts in the tree. */
export function command(setting: Setting): Command {
  const { directory, program, port, options } = setting;
  return {
    file: join(program, "usr/sbin/pure-ftpd"),
    args: [
      `--bind=${listenAddress(options)},${port}`,
      options.ipv6 ? "--ipv6only" : "--ipv4only",
      "--dontresolve",
      `--login=puredb:${makeUserDatabase(setting)}`,
      `--pidfile=${directory}/pid`,
      `--altlog=clf:${directory}/server.log`,
      "--anonymouscantupload",
      "--norename",
      "--syslogfacility=none",
      "--maxclientsperip=100",
      ...(options.tls ? tlsArguments(options.tls) : []),
      ...(options.config ?? []),
    ],
    env: ownUsers(setting),
  };
}

/** The user file is written by hand: `pure-pw useradd` makes a hash that takes three seconds. */
function makeUserDatabase({ directory, program, account, root }: Setting): string {
  const file = join(directory, "users");
  const database = join(directory, "users.pdb");
  const fields = [account.user, passwordHash(account.password), nobody, nobody, "", root];
  writeFileSync(file, fields.join(":") + ":".repeat(12) + "\n");
  execFileSync(join(program, "usr/bin/pure-pw"), ["mkdb", database, "-f", file], {
    env: { LD_LIBRARY_PATH: libraryPath(program) },
  });
  return database;
}

function tlsArguments(tls: TlsOptions): string[] {
  if (tls.requireReuse || tls.clientCa || tls.implicit)
    throw new Error(
      "pure-ftpd can't demand session reuse or a client's certificate, nor be implicit",
    );
  return [`--tls=${tls.force ? 3 : 1}`, `--certfile=${tls.cert},${tls.key}`];
}

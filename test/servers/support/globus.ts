/** The GridFTP server of the Grid Community Toolkit, without its grid. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
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

/** The linker finds some of them only when the server runs. */
const libraries =
  `authz-callout-error0 authz0 callout0 common0 ftp-control1 gfork0 gridftp-server-control0
  gridftp-server6 gsi-callback0 gsi-cert-utils0 gsi-credential1 gsi-openssl-error0 gsi-proxy-core0
  gsi-proxy-ssl1 gsi-sysconfig1 gss-assist3 gssapi-error2 gssapi-gsi4 io3 openssl-module0 xio-gsi-driver
  xio-pipe-driver xio0`
    .split(/\s+/)
    .map((name) => `libglobus-${name}`);

const bundle: Bundle = {
  name: "globus-gridftp-server",
  packages: ["globus-gridftp-server-progs", "libltdl7", ...libraries, ...wrapperPackages],
  objects: ["usr/sbin/globus-gridftp-server"],
};

export const globus: Subject = {
  name: "globus-gridftp-server",
  prepare: () => unpack(bundle),
  command,
  faults: {
    "leading blank": { why: "drops it", status: 8 },
    "UTF-8": { why: "drops octets above 127 of names", status: 8 },
    TLS: { why: "GSI only" },
  },
};

function command(setting: Setting): Command {
  const { directory, port, program, root, options } = setting;
  const file = join(program, "usr/sbin/globus-gridftp-server");
  const passwords = join(directory, "passwords");
  const configuration = join(directory, "gridftp.conf");
  const fields = [account.user, passwordHash(account.password), nobody, nobody, "", root];
  writeFileSync(passwords, `${fields.join(":")}:/bin/sh\n`, { mode: 0o600 });
  const settings = {
    port,
    control_interface: listenAddress(options),
    allow_anonymous: 1,
    anonymous_user: "ftp",
    anonymous_names_allowed: "anonymous,ftp",
    pw_file: passwords,
    chdir: 0,
    log_level: "ALL",
    log_single: join(directory, "server.log"),
    exec: file,
    home_dir: root,
    disable_usage_stats: 1,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  writeFileSync(configuration, lines.join(""));
  return {
    file,
    args: ["-c", configuration],
    env: ownUsers(setting),
  };
}

/** Servers of npm's packages, in the versions that are named here. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildOnce } from "../../real/support/cache.ts";
import { account, listenAddress, type Setting } from "../../real/support/server.ts";
import type { Subject } from "./subject.ts";

const starter = fileURLToPath(new URL("npm.cjs", import.meta.url));

export const npmSubjects: readonly Subject[] = [
  subject(["ftp-srv@4.6.3"], {
    TLS: { why: "begins it late: one handshake in ten fails, curl's too" },
  }),
  subject(["ftpd@0.2.16"], {
    directory: { why: "RETR of one is never answered", status: 4 },
    "leading blank": { why: "drops it", status: 8 },
    "trailing blank": { why: "drops it", status: 8 },
    "-c": { why: "no REST: refused", status: 9 },
    "-s 4": { why: "no REST: one connection", status: 0 },
    TLS: { why: "dies of it, with Node 20 and later" },
  }),
  // The second package is one that it forgets to name.
  subject(["simple-ftpd@0.0.4", "chalk@2.4.2"], {
    "second tree": { why: "no MDTM: fetched again", status: 0 },
    "leading blank": { why: "drops it", status: 8 },
    "trailing blank": { why: "drops it", status: 8 },
    text: { why: "sends no file in TYPE A: 550", status: 8 },
    "-c": { why: "no SIZE: refused", status: 9 },
    "-s 4": { why: "no SIZE: one connection", status: 0 },
    "--active": { why: "has none", status: 8 },
    TLS: { why: "has none" },
    IPv6: { why: "has none" },
  }),
];

function subject(packages: readonly [string, ...string[]], faults: Subject["faults"]): Subject {
  const name = packages[0].replace(/@.*/, "");
  return {
    name,
    prepare: () => install(packages),
    command: (setting) => ({
      file: process.execPath,
      args: [starter, setting.program, name, JSON.stringify(words(setting))],
    }),
    faults,
  };
}

const words = ({ root, port, options }: Setting) => ({
  ...account,
  ...options.tls,
  host: listenAddress(options),
  port,
  root,
});

function install(packages: readonly [string, ...string[]]): Promise<string> {
  return buildOnce(packages.join("+"), async (folder) => {
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
    const words = ["install", "--prefix", folder, ...quiet, ...packages];
    await promisify(execFile)("npm", words, { timeout: 300_000 });
  });
}
